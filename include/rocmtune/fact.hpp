// SPDX-License-Identifier: MIT
// Fact<T>: a value with its source, or the reason why it is missing. Field of any record and
// FactField of what Host and Gpu are made of: what is said of one field beside its value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace rocmtune {

/// Null (which never means 0 or false), a truth value, a number or a text.
using PlainValue =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;

inline bool is_null(PlainValue const& value) {
    return std::holds_alternative<std::monostate>(value);
}

/// The word of an enumerator, of which words_of has all in their order: what options, data files,
/// JSON and text write. "warn" for Verdict::warn.
template <class Enumeration>
requires requires(Enumeration value) {
    words_of(value);
}
constexpr std::string_view word_of(Enumeration value) {
    return words_of(value)[static_cast<std::size_t>(value)];
}

struct Field {
    std::string_view key;     ///< JSON key; the unit is its suffix (_bytes, _watts, _celsius, _mhz)
    std::string_view help;    ///< one line for the man page and the schema
    bool is_written = true;   ///< false: this document leaves the key out
    bool is_required = true;  ///< every document has the key

    /// A key that a document has only where there is something to say.
    constexpr Field only_if(bool there_is) const { return {key, help, there_is, false}; }
};

/// Stands in a visit_fields list in the place of a Field: the fields of an optional record stand
/// among those of the record that has it.
struct Inlined {
    std::string_view mark;  ///< the key by which a reader knows that they are there
};

/// What kind of thing a fact tells, so that reports of two moments or of two hosts can be laid
/// beside each other: a firmware version that differs is news, a temperature is not.
enum class FactKind : std::uint8_t {
    hardware,  ///< what is built in
    firmware,  ///< what is loaded into it
    software,  ///< kernel, driver, libraries, frameworks
    setting,   ///< what somebody chose
    health,    ///< counters of errors
    state,     ///< true for a moment: load, clocks, temperatures
    identity,  ///< differs from host to host, from card to card or from start to start, rightly
};

inline constexpr std::array<std::string_view, 7> fact_kind_words{
    "hardware", "firmware", "software", "setting", "health", "state", "identity"};

constexpr std::span<std::string_view const> words_of(FactKind) {
    return fact_kind_words;
}

/// How the value of a fact is taken apart when it is compared.
enum class FactShape : std::uint8_t {
    by_type,      ///< value, map or names, as the type of the fact is
    value,        ///< one value
    map,          ///< word.KEY for each entry
    names,        ///< word[NAME] for each element
    assignments,  ///< a list of NAME=VALUE: word[NAME] with the value
    record,       ///< word.MEMBER for the members that count
    records,      ///< word[KEY].MEMBER for the members that count
    left_out,     ///< a log or a list that says nothing of the next moment
};

/// Two sizes of memory this near are the same: kernels keep different parts for themselves.
inline constexpr double memory_tolerance = 0.02;

struct FactField : Field {
    FactKind kind;
    /// Readers whose values may be compared, best first, blank-separated. A reader that is not
    /// listed may fill the field if nobody else does, and never disputes. Empty: no comparison.
    std::string_view sources;
    /// Largest relative difference of two numbers that is none (0.02 = 2 %).
    double tolerance = 0;
    FactShape shape = FactShape::by_type;
    std::string_view record_key = {};  ///< records: the member that tells them apart
    std::string_view members = {};     ///< record, records: blank-separated members that count

    constexpr FactField(std::string_view name, FactKind what, std::string_view text,
                        std::string_view readers = {})
        : Field{name, text}, kind(what), sources(readers) {}

    constexpr FactField within(double difference) const {
        auto field = *this;
        field.tolerance = difference;
        return field;
    }
    constexpr FactField assignments() const { return shaped(FactShape::assignments, {}, {}); }
    constexpr FactField record(std::string_view counted) const {
        return shaped(FactShape::record, {}, counted);
    }
    constexpr FactField records(std::string_view by, std::string_view counted) const {
        return shaped(FactShape::records, by, counted);
    }
    constexpr FactField left_out() const { return shaped(FactShape::left_out, {}, {}); }

  private:
    constexpr FactField shaped(FactShape how, std::string_view by, std::string_view counted) const {
        auto field = *this;
        field.shape = how;
        field.record_key = by;
        field.members = counted;
        return field;
    }
};

template <class Self, class Entity>
concept SameEntity = std::is_same_v<std::remove_const_t<Self>, Entity>;

/// Why a fact has no value. The names (missing_name) are part of the JSON contract.
/// Ordered by how much they tell: when two places were tried, the later one in this list is kept.
enum class Missing : std::uint8_t {
    not_read,      ///< no reader looked for it on this kind of host
    not_recorded,  ///< the snapshot or tree under --root/--replay does not say
    absent,        ///< looked for, and this host does not have it
    unsupported,   ///< the device or its driver says that it has no such thing
    invalid,       ///< read, but not in the documented format
    suspended,     ///< not asked, because asking would wake a sleeping GPU
    failed,        ///< the kernel answered with an input/output error
    timeout,       ///< the kernel did not answer within the deadline
    denied,        ///< exists, but this user or container may not read it
};

/// "not-read", "absent", ...: one word per reason, as printed in `_reasons`.
std::string_view missing_name(Missing reason);

/// Where a value was read.
struct Source {
    std::string_view
        reader;         ///< one word from the reader table ("kfd", "drm", ...), static storage
    std::string where;  ///< a path inside the root, with ":key" for one line of a file
};

/// A value that another source gave for the same fact.
template <class T>
struct Claim {
    T value;
    Source source;
};

/// A value with its source, or the reason why there is none; and what comparable sources said
/// differently. Readers offer and miss; settle() then applies the field's order of sources.
template <class T>
class Fact {
  public:
    using value_type = T;

    bool has_value() const { return value_.has_value(); }
    explicit operator bool() const { return has_value(); }
    T const& operator*() const { return *value_; }
    T const* operator->() const { return &*value_; }
    std::optional<T> const& value() const { return value_; }
    T value_or(T fallback) const { return value_.value_or(std::move(fallback)); }

    Source const& source() const { return source_; }
    Missing reason() const { return reason_; }
    /// One line for people: which file, which errno. Empty if the reason says it all.
    std::string const& detail() const { return detail_; }
    std::vector<Claim<T>> const& others() const { return others_; }
    /// Why a value that is there may not be all: "denied: /proc/7/fdinfo". Empty if it is.
    std::string const& limit() const { return limit_; }

    /// States a value. The first offer stands until settle(); later ones are kept beside it.
    void offer(T value, Source source) {
        if (value_) {
            others_.push_back({std::move(value), std::move(source)});
        } else {
            value_ = std::move(value);
            source_ = std::move(source);
        }
    }

    /// States why there is no value. The most informative statement wins: `absent` from one place
    /// does not hide `denied` from another; a value always wins.
    void miss(Missing reason, std::string detail = {}) {
        if (reason < reason_) return;
        reason_ = reason;
        detail_ = std::move(detail);
    }

    /// States that the value, a list, may lack entries that could not be read.
    void limit(Missing reason, std::string_view detail) {
        limit_ = std::string(missing_name(reason)) + ": " + std::string(detail);
    }

    /// Hands every value to `of_value`, and every text that is said of one to `of_text`.
    template <class OfValue, class OfText>
    void rewrite(OfValue const& of_value, OfText const& of_text) {
        if (value_) of_value(*value_);
        for (auto& other : others_) of_value(other.value), of_text(other.source.where);
        of_text(source_.where), of_text(detail_), of_text(limit_);
    }

    /// Makes the value with the best-ranked source the value, and keeps of the others only those
    /// for which `disputes(value, other)` holds. `rank(reader)` is negative for a source that is
    /// not comparable: such a claim is dropped unless it is the only one.
    template <class Rank, class Disputes>
    void settle(Rank rank, Disputes disputes) {
        if (others_.empty()) return;
        auto better = [&](std::string_view a, std::string_view b) {
            return rank(a) >= 0 && (rank(b) < 0 || rank(a) < rank(b));
        };
        for (auto& other : others_) {
            if (!better(other.source.reader, source_.reader)) continue;
            std::swap(*value_, other.value);
            std::swap(source_, other.source);
        }
        std::erase_if(others_, [&](Claim<T> const& other) {
            return rank(other.source.reader) < 0 || !disputes(*value_, other.value);
        });
    }

  private:
    std::optional<T> value_;
    Source source_;
    Missing reason_ = Missing::not_read;
    std::string detail_;
    std::string limit_;
    std::vector<Claim<T>> others_;
};

inline constexpr std::string_view unlimited = "unlimited";

template <class T>
void miss_as_unlimited(Fact<T>& fact) {
    fact.miss(Missing::unsupported, std::string(unlimited));
}

template <class T>
bool is_unlimited(Fact<T> const& fact) {
    return !fact && fact.reason() == Missing::unsupported && fact.detail() == unlimited;
}

inline constexpr std::string_view time_was_used_up = "the time for reading was used up";
inline constexpr std::string_view reader_ended_early = "the reading process ended early";

/// Whether the detail of a missing fact says so, or that this program had no more files or memory
/// to look with.
constexpr bool is_cut_short(std::string_view detail) {
    for (auto const end : {time_was_used_up, reader_ended_early, std::string_view(": EMFILE"),
                           std::string_view(": ENFILE"), std::string_view(": ENOMEM")})
        if (detail.ends_with(end)) return true;
    return false;
}

/// "kfd: /sys/class/kfd/...": who read a fact, and where.
inline std::string source_text(Source const& source) {
    return std::string(source.reader).append(": ").append(source.where);
}

}  // namespace rocmtune
