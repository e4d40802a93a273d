// SPDX-License-Identifier: MIT
// Fills plain values from JSON by the same visit_fields lists that wrote it.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// The text "reader: where" as a Source. Words of readers are kept for the life of the program, a
/// bounded number of them: Source does not own its own.
Source source_of(std::string const& text);

/// The reason and the detail of "denied: /proc/7/fdinfo"; a reason that is not known is kept as
/// detail of not-recorded.
std::pair<Missing, std::string> missing_of(std::string const& text);

/// Reads one document. Keys that it does not know are passed over: a newer minor version may have
/// written them.
class JsonReader {
  public:
    using Json = nlohmann::json;

    explicit JsonReader(std::string file) : file_(std::move(file)) {}

    /// The value under a key of an object; one that is not there leaves `value` as it is.
    template <class T>
    void member(Json const& object, char const* key, T& value) {
        expect(object.is_object(), "an object");
        if (auto const found = object.find(key); found != object.end()) at(key, *found, value);
    }

    template <class T>
    void read(Json const& json, T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            expect(json.is_boolean(), "true or false");
            value = json.get<bool>();
        } else if constexpr (std::is_same_v<T, std::string>) {
            expect(json.is_string(), "a text");
            value = json.get_ref<std::string const&>();
        } else if constexpr (std::is_enum_v<T>) {
            read_word(json, value);
        } else if constexpr (std::is_unsigned_v<T>) {
            expect(json.is_number_unsigned(), "a whole number from 0");
            value = json.get<T>();
        } else if constexpr (std::is_integral_v<T>) {
            expect(json.is_number_integer(), "a whole number");
            value = json.get<T>();
        } else if constexpr (std::is_floating_point_v<T>) {
            expect(json.is_number() && std::isfinite(json.get<double>()), "a number");
            value = json.get<T>();
        } else {
            expect(json.is_object(), "an object");
            fields(json, value);
        }
    }

    template <class T>
    void read(Json const& json, std::optional<T>& value) {
        value.reset();
        if (!json.is_null()) read(json, value.emplace());
    }

    template <class T>
    void read(Json const& json, std::vector<T>& values) {
        expect(json.is_array(), "a list");
        // No host has more; a stranger's list of empty records would take gigabytes.
        constexpr std::size_t most_records = 65536;
        if (!std::is_arithmetic_v<T> && json.size() > most_records)
            refuse(fmt::format("there are more than {} elements", most_records));
        values.clear();
        values.reserve(json.size());
        for (std::size_t i = 0; i < json.size(); ++i)
            at(std::to_string(i), json[i], values.emplace_back());
    }

    template <class T>
    void read(Json const& json, std::map<std::string, T>& values) {
        expect(json.is_object(), "an object");
        values.clear();
        for (auto const& [key, member] : json.items()) at(key, member, values[key]);
    }

    /// Calls `work` with a member as the place of which messages speak.
    template <class Work>
    void within(std::string key, Work&& work) {
        path_.push_back(std::move(key));
        work();
        path_.pop_back();
    }

    /// The fields of a record, facts with what is said of them beside them.
    template <class T>
    void fields(Json const& object, T& record) {
        visit_fields(record, FieldReader{*this, object});
    }

    [[noreturn]] void refuse(std::string const& what) const {
        std::string pointer;
        for (auto const& step : path_) pointer += '/' + step;
        throw Error(fmt::format("{}: {} at {}", printable(file_), what, printable(pointer)),
                    "a report is what rocmtune writes with --json; write it once more");
    }

  private:
    struct FieldReader {
        JsonReader& reader;
        Json const& object;

        template <class T>
        void operator()(Field const& field, Fact<T>& fact) const {
            reader.fact(object, std::string(field.key), fact);
        }
        template <class T>
        void operator()(Field const& field, T& value) const {
            reader.member(object, std::string(field.key).c_str(), value);
        }
    };

    /// Steps into a member, and out again unless it is refused.
    template <class T>
    void at(std::string step, Json const& json, T& value) {
        within(std::move(step), [&] { read(json, value); });
    }

    void expect(bool is_right, std::string_view what) const {
        if (!is_right) refuse(fmt::format("there is something else than {}", what));
    }

    template <class T>
    void read_word(Json const& json, T& value) {
        expect(json.is_string(), "a word");
        auto const words = words_of(T{});
        auto const found = std::ranges::find(words, json.get_ref<std::string const&>());
        if (found == words.end())
            refuse(fmt::format("'{}' is no word that this version knows",
                               printable(json.get_ref<std::string const&>())));
        value = static_cast<T>(found - words.begin());
    }

    /// What `_reasons`, `_sources` and the like say of a field, if they say something.
    static std::string note_of(Json const& object, char const* notes, std::string const& key) {
        auto const all = object.find(notes);
        if (all == object.end() || !all->is_object()) return {};
        auto const one = all->find(key);
        return one == all->end() || !one->is_string() ? std::string() : one->get<std::string>();
    }

    template <class T>
    void fact(Json const& object, std::string const& key, Fact<T>& fact) {
        fact = {};
        auto const found = object.find(key);
        auto const reason = note_of(object, "_reasons", key);
        if (found == object.end() || found->is_null()) {
            auto [missing, detail] = missing_of(found == object.end() && reason.empty()
                                                    ? "not-recorded: not in the report"
                                                    : reason);
            return fact.miss(missing, std::move(detail));
        }
        T value{};
        at(key, *found, value);
        fact.offer(std::move(value), source_of(note_of(object, "_sources", key)));
        constexpr std::string_view incomplete = "incomplete: ";
        if (reason.starts_with(incomplete)) {
            auto const [missing, detail] = missing_of(reason.substr(incomplete.size()));
            fact.limit(missing, detail);
        }
        disputes(object, key, fact);
    }

    template <class T>
    void disputes(Json const& object, std::string const& key, Fact<T>& fact) {
        auto const all = object.find("_disputes");
        if (all == object.end() || !all->is_object() || !all->contains(key)) return;
        auto const& list = all->at(key);
        expect(list.is_array(), "a list of disputes");
        for (auto const& one : list) {
            T value{};
            std::string source;
            member(one, "value", value);
            member(one, "source", source);
            fact.offer(std::move(value), source_of(source));
        }
    }

    std::string file_;
    std::vector<std::string> path_ = {};
};

}  // namespace rocmtune
