// SPDX-License-Identifier: MIT
// Reads the objects of data files strictly by their visit_fields lists: no key is unknown, none
// that is needed is missing, every value is of its type and in its range.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codec/json_node.hpp"

namespace rocmtune {

/// A member that a file may leave out (inherited), state as null (not known), or give a value.
template <class T>
using Stated = std::optional<std::optional<T>>;

/// Which texts a key takes, and what is said of others.
struct TextRule {
    bool (*fits)(std::string_view text);
    std::string_view otherwise;
};

/// What a data file says under one key.
struct DataKey {
    std::string_view key;
    bool may_lack = false;      ///< or be null: the member then stays as it is
    bool must_stand = false;    ///< if only as null
    bool may_be_empty = false;  ///< the text
    std::size_t digits = 0;     ///< of a whole number that stands as "0x" and hexadecimal digits
    std::uint64_t least = 1;    ///< of a whole number
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< of any; others begin at 0
    std::span<std::string_view const> words = {};  ///< the only ones that the text may be
    TextRule const* rule = nullptr;                ///< of the text
    std::string_view if_empty = {};                ///< what is said of a list without elements

    constexpr DataKey optional() const { return with(&DataKey::may_lack, true); }
    constexpr DataKey needed() const { return with(&DataKey::must_stand, true); }
    constexpr DataKey hexadecimal(std::size_t count) const { return with(&DataKey::digits, count); }
    constexpr DataKey or_empty() const { return with(&DataKey::may_be_empty, true); }
    constexpr DataKey up_to(std::uint64_t high) const { return with(&DataKey::most, high); }
    constexpr DataKey from(std::uint64_t low) const { return with(&DataKey::least, low); }
    constexpr DataKey one_of(std::span<std::string_view const> all) const {
        return with(&DataKey::words, all);
    }
    constexpr DataKey like(TextRule const& texts) const { return with(&DataKey::rule, &texts); }
    constexpr DataKey not_empty(std::string_view complaint) const {
        return with(&DataKey::if_empty, complaint);
    }

  private:
    template <class T>
    constexpr DataKey with(T DataKey::*member, T value) const {
        auto key_with = *this;
        key_with.*member = value;
        return key_with;
    }
};

class DataReader {
  public:
    explicit DataReader(StringPool& pool) : pool_(pool) {}

    /// A record, and what `check(node, record)` says of it as a whole, if there is such a function.
    /// Types whose form in the file is another have a function read_data(node, reader, value).
    /// @throws ProfileError with the place of the first mistake.
    template <class T>
    T record(JsonNode const& node) const {
        T out{};
        fill(node, out);
        return out;
    }

    template <class T>
    void fill(JsonNode const& node, T& out) const {
        node.expect_keys(keys_of(out));
        visit_fields(out,
                     [&](DataKey const& key, auto& member) { this->member(node, key, member); });
        if constexpr (requires { check(node, out); }) check(node, out);
    }

    template <class T>
    void member(JsonNode const& parent, DataKey const& key, T& out) const {
        auto const node = parent.find(key.key);
        bool const may_lack = !key.must_stand && (key.may_lack || is_optional<T>);
        if (!node && !may_lack) (void)parent.at(key.key);
        if (node && !(node->is_null() && key.may_lack)) read(*node, key, out);
    }

    template <class T>
    void read(JsonNode const& node, DataKey const& key, T& out) const {
        if constexpr (requires { read_data(node, *this, out); }) {
            read_data(node, *this, out);
        } else if constexpr (std::is_same_v<T, bool>) {
            out = node.boolean();
        } else if constexpr (std::is_same_v<T, std::string_view> ||
                             std::is_same_v<T, std::string>) {
            out = text(node, key);
        } else if constexpr (std::is_enum_v<T>) {
            // A key may take the first few words alone.
            auto const words = key.words.empty() ? words_of(T{}) : key.words;
            auto const found = std::find(words.begin(), words.end(), node.word(words));
            out = static_cast<T>(found - words.begin());
        } else if constexpr (std::is_same_v<T, double>) {
            out = node.real(0, static_cast<double>(key.most));
        } else if constexpr (std::is_signed_v<T>) {
            out = node.signed_integer();
        } else if constexpr (std::is_integral_v<T>) {
            out = static_cast<T>(key.digits > 0 ? node.hexadecimal(key.digits)
                                                : node.integer(key.least, key.most));
        } else {
            fill(node, out);
        }
    }

    template <class T>
    void read(JsonNode const& node, DataKey const& key, std::optional<T>& out) const {
        if (node.is_null()) out.reset();
        else read(node, key, out.emplace());
    }
    template <class T>
    void read(JsonNode const& node, DataKey const& key, Stated<T>& out) const {
        read(node, key, out.emplace());
    }

    template <class T>
    void read(JsonNode const& node, DataKey const& key, std::vector<T>& out) const {
        if constexpr (requires { read_data(node, *this, out); }) read_data(node, *this, out);
        else
            for (auto const& item : node.items()) read(item, key, out.emplace_back());
        if (out.empty() && !key.if_empty.empty()) node.fail(key.if_empty);
    }
    template <class T>
    void read(JsonNode const& node, DataKey const& key, std::span<T const>& out) const {
        std::vector<T> all;
        read(node, key, all);
        out = pool_.keep(std::move(all));
    }

    template <class Name, class T>
    void read(JsonNode const& node, DataKey const& key, std::map<Name, T>& out) const {
        for (auto const& [name, item] : node.members()) read(item, key, out[Name(name)]);
    }

    StringPool& pool() const { return pool_; }

  private:
    template <class T>
    static constexpr bool is_optional = requires(T& value) {
        value.has_value();
    };

    static std::string_view text(JsonNode const& node, DataKey const& key) {
        if (!key.words.empty()) return node.word(key.words);
        auto const text = key.may_be_empty ? node.string_or_empty() : node.string();
        if (key.rule != nullptr && !key.rule->fits(text)) node.fail(key.rule->otherwise);
        return text;
    }

    template <class T>
    static std::span<std::string_view const> keys_of(T& any) {
        static auto const keys = [&] {
            std::vector<std::string_view> all;
            visit_fields(any, [&](DataKey const& key, auto const&) { all.push_back(key.key); });
            return all;
        }();
        return keys;
    }

    StringPool& pool_;
};

}  // namespace rocmtune
