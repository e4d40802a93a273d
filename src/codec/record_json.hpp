// SPDX-License-Identifier: MIT
// Records as JSON and back, by their visit_fields lists.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

template <class T>
concept Record = requires(T& value) {
    visit_fields(value, [](auto const&...) {});
};

/// An enumeration that JSON has as words; others stand there as numbers.
template <class T>
concept Worded = std::is_enum_v<T> && requires(T value) {
    words_of(value);
};

// ---- writing ------------------------------------------------------------------------------------

nlohmann::ordered_json json_of(PlainValue const& value);
nlohmann::ordered_json json_of(ReportSummary<Report const> const& summary);
template <class T>
nlohmann::ordered_json json_of(T const& value);
template <class T>
nlohmann::ordered_json json_of(std::optional<T> const& value);
template <class T>
nlohmann::ordered_json json_of(std::vector<T> const& values);
template <class T>
nlohmann::ordered_json json_of(std::map<std::string, T> const& values);

template <class T>
nlohmann::ordered_json json_of(std::optional<T> const& value) {
    return value ? json_of(*value) : nlohmann::ordered_json(nullptr);
}

template <class T>
nlohmann::ordered_json json_of(std::vector<T> const& values) {
    auto list = nlohmann::ordered_json::array();
    for (auto const& value : values) list.push_back(json_of(value));
    return list;
}

template <class T>
nlohmann::ordered_json json_of(std::map<std::string, T> const& values) {
    auto object = nlohmann::ordered_json::object();
    for (auto const& [key, value] : values) object[key] = json_of(value);
    return object;
}

/// "denied: /proc/7/fdinfo"
template <class T>
std::string reason_text(Fact<T> const& fact) {
    auto const name = std::string(missing_name(fact.reason()));
    return fact.detail().empty() ? name : name + ": " + fact.detail();
}

/// Collects the fields of one object, and beside them what is said of each: `_sources` where the
/// value was read, `_reasons` why there is none, `_disputes` what other sources said.
class ObjectBuilder {
  public:
    using Json = nlohmann::ordered_json;

    template <class T>
    void operator()(Field const& field, Fact<T> const& fact) {
        std::string const key(field.key);
        add(key, json_of(fact.value()));
        if (fact) sources_.emplace_back(key, source_text(fact.source()));
        else reasons_.emplace_back(key, reason_text(fact));
        if (fact && !fact.limit().empty())
            reasons_.emplace_back(key, "incomplete: " + fact.limit());
        if (fact.others().empty()) return;
        auto list = Json::array();
        for (auto const& other : fact.others())
            list.push_back(
                {{"value", json_of(other.value)}, {"source", source_text(other.source)}});
        disputes_.emplace_back(key, std::move(list));
    }

    template <class T>
    void operator()(Field const& field, T const& value) {
        if (field.is_written) add(std::string(field.key), json_of(value));
    }

    template <class T>
    void operator()(Inlined, std::optional<T> const& record) {
        if (record) visit_fields(*record, *this);
    }

    void add(std::string key, Json value) {
        object_.emplace_back(std::move(key), std::move(value));
    }

    /// The object; the builder is empty afterwards.
    Json take();

  private:
    using Members = std::vector<std::pair<std::string, Json>>;

    static Json object_of(Members& from);

    Members object_;
    Members reasons_;
    Members sources_;
    Members disputes_;
};

template <class T>
nlohmann::ordered_json json_of(T const& value) {
    if constexpr (Record<T const>) {
        ObjectBuilder builder;
        visit_fields(value, builder);
        if constexpr (std::is_same_v<T, Host>) {
            builder.add("gpus", json_of(value.gpus));
            builder.add("links", json_of(value.links));
        }
        return builder.take();
    } else if constexpr (Worded<T>) {
        return word_of(value);
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<int>(value);
    } else {
        return value;
    }
}

// ---- reading ------------------------------------------------------------------------------------

/// The text "reader: where" as a Source. Words of readers are kept for the life of the program, a
/// bounded number of them: Source does not own its own.
Source source_of(std::string const& text);

/// The reason and the detail of "denied: /proc/7/fdinfo"; a reason that is not known is kept as
/// detail of not-recorded.
std::pair<Missing, std::string> missing_of(std::string const& text);

/// Fills records from a document that this program wrote, in whatever minor version. Keys that it
/// does not know are passed over; a key that is not there leaves its field as it is.
/// @throws Error with a JSON pointer for a value of the wrong kind.
class RecordReader {
  public:
    explicit RecordReader(std::string file) : file_(std::move(file)) {}

    /// The value under a key of an object.
    template <class T>
    void member(JsonNode const& object, std::string_view key, T& value) const {
        expect(object.is_object(), object, "an object");
        if (auto const found = object.find(key)) read(*found, value);
    }

    template <class T>
    void read(JsonNode const& json, T& value) const {
        if constexpr (std::is_same_v<T, bool>) {
            expect(json.is_boolean(), json, "true or false");
            value = json.boolean();
        } else if constexpr (std::is_same_v<T, std::string>) {
            expect(json.is_string(), json, "a text");
            value = json.text();
        } else if constexpr (std::is_same_v<T, PlainValue>) {
            expect(json.is_plain(), json, "a plain value");
            value = json.plain();
        } else if constexpr (Worded<T>) {
            read_word(json, value);
        } else if constexpr (std::is_enum_v<T>) {
            // Exit codes are those of a process.
            std::int64_t number = 0;
            read(json, number);
            value = static_cast<T>(std::clamp<std::int64_t>(number, 0, 255));
        } else if constexpr (std::is_unsigned_v<T>) {
            expect(json.is_natural(), json, "a whole number from 0");
            value = static_cast<T>(std::get<std::uint64_t>(json.plain()));
        } else if constexpr (std::is_integral_v<T>) {
            expect(json.is_integer(), json, "a whole number");
            auto const number = json.plain();
            auto const* natural = std::get_if<std::uint64_t>(&number);
            value = static_cast<T>(natural ? static_cast<std::int64_t>(*natural)
                                           : std::get<std::int64_t>(number));
        } else if constexpr (std::is_floating_point_v<T>) {
            auto const number = number_of(json.plain());
            expect(number && std::isfinite(*number), json, "a number");
            value = *number;
        } else {
            expect(json.is_object(), json, "an object");
            fields(json, value);
            if constexpr (std::is_same_v<T, Host>) {
                member(json, "gpus", value.gpus);
                member(json, "links", value.links);
            }
        }
    }

    template <class T>
    void read(JsonNode const& json, std::optional<T>& value) const {
        value.reset();
        if (!json.is_null()) read(json, value.emplace());
    }

    template <class T>
    void read(JsonNode const& json, std::vector<T>& values) const {
        expect(json.is_array(), json, "a list");
        // No host has more; a stranger's list of empty records would take gigabytes.
        constexpr std::size_t most_records = 65536;
        auto const items = json.items();
        if (!std::is_arithmetic_v<T> && items.size() > most_records)
            refuse(json, fmt::format("there are more than {} elements", most_records));
        values.clear();
        values.reserve(items.size());
        for (auto const& item : items) read(item, values.emplace_back());
    }

    template <class T>
    void read(JsonNode const& json, std::map<std::string, T>& values) const {
        expect(json.is_object(), json, "an object");
        values.clear();
        json.each([&](JsonNode const& item) { read(item, values[std::string(item.key())]); });
    }

    void read(JsonNode const& json, ReportSummary<Report>& summary) const;

    /// The fields of a record, facts with what is said of them beside them.
    template <class T>
    void fields(JsonNode const& object, T& record) const {
        visit_fields(record, FieldReader{*this, object});
    }

    template <class T>
    void inlined(JsonNode const& object, std::string_view mark, std::optional<T>& record) const {
        if (object.find(mark)) fields(object, record.emplace());
    }

    [[noreturn]] void refuse(JsonNode const& at, std::string const& what) const;

  private:
    struct FieldReader {
        RecordReader const& reader;
        JsonNode const& object;

        template <class T>
        void operator()(Field const& field, Fact<T>& fact) const {
            reader.fact(object, field.key, fact);
        }
        template <class T>
        void operator()(Field const& field, T& value) const {
            reader.member(object, field.key, value);
        }
        template <class T>
        void operator()(Inlined inlined, std::optional<T>& record) const {
            reader.inlined(object, inlined.mark, record);
        }
    };

    void expect(bool is_right, JsonNode const& at, std::string_view what) const {
        if (!is_right) refuse(at, fmt::format("there is something else than {}", what));
    }

    template <class T>
    void read_word(JsonNode const& json, T& value) const {
        expect(json.is_string(), json, "a word");
        auto const words = words_of(T{});
        auto const found = std::ranges::find(words, json.text());
        if (found == words.end())
            refuse(json,
                   fmt::format("'{}' is no word that this version knows", printable(json.text())));
        value = static_cast<T>(found - words.begin());
    }

    /// What `_reasons`, `_sources` and the like say of a field, if they say something.
    static std::optional<JsonNode> note_of(JsonNode const& object, std::string_view notes,
                                           std::string_view key) {
        auto const all = object.find(notes);
        return all && all->is_object() ? all->find(key) : std::nullopt;
    }
    static std::string text_of(std::optional<JsonNode> const& note) {
        return std::string(note ? note->text() : "");
    }

    template <class T>
    void fact(JsonNode const& object, std::string_view key, Fact<T>& fact) const {
        fact = {};
        auto const found = object.find(key);
        auto const reason = text_of(note_of(object, "_reasons", key));
        if (!found || found->is_null()) {
            auto [missing, detail] =
                missing_of(!found && reason.empty() ? "not-recorded: not in the report" : reason);
            return fact.miss(missing, std::move(detail));
        }
        T value{};
        read(*found, value);
        fact.offer(std::move(value), source_of(text_of(note_of(object, "_sources", key))));
        constexpr std::string_view incomplete = "incomplete: ";
        if (reason.starts_with(incomplete)) {
            auto const [missing, detail] = missing_of(reason.substr(incomplete.size()));
            fact.limit(missing, detail);
        }
        auto const disputes = note_of(object, "_disputes", key);
        if (!disputes) return;
        expect(disputes->is_array(), *disputes, "a list of disputes");
        disputes->each([&](JsonNode const& one) {
            T other{};
            std::string source;
            member(one, "value", other);
            member(one, "source", source);
            fact.offer(std::move(other), source_of(source));
        });
    }

    std::string file_;
};

}  // namespace rocmtune
