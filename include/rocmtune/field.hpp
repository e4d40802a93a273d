// SPDX-License-Identifier: MIT
// What is said of one field beside its value: Field of any record, FactField of what Host and Gpu
// are made of.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace rocmtune {

struct Field {
    std::string_view key;   ///< JSON key; the unit is its suffix (_bytes, _watts, _celsius, _mhz)
    std::string_view help;  ///< one line for the man page and the schema
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

constexpr std::string_view word_of(FactKind kind) {
    return fact_kind_words[static_cast<std::size_t>(kind)];
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

}  // namespace rocmtune
