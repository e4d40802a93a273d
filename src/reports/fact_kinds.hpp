// SPDX-License-Identifier: MIT
// What kind of thing each fact tells, so that reports of two moments or of two hosts can be laid
// beside each other: a firmware version that differs is news, a temperature is not.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rocmtune {

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

/// Which part of a report a fact describes.
enum class FactScope : std::uint8_t { host, gpu };

/// How the value of a fact is taken apart.
enum class FactShape : std::uint8_t {
    value,        ///< one value
    map,          ///< word.KEY for each entry
    names,        ///< word[NAME] for each element
    assignments,  ///< a list of NAME=VALUE: word[NAME] with the value
    record,       ///< word.MEMBER for the members that the table lists
    records,      ///< word[KEY].MEMBER for the members that the table lists
    left_out,     ///< a log or a list that says nothing of the next moment
};

/// One word of the vocabulary, with what the table says of it.
struct FactWord {
    std::string_view word;
    FactScope scope = FactScope::host;
    FactKind kind = FactKind::hardware;
    FactShape shape = FactShape::value;
    double tolerance = 0;           ///< largest relative difference that is none
    std::string_view key = {};      ///< records: the member that tells them apart
    std::string_view members = {};  ///< record, records: blank-separated members that count
    std::size_t place = 0;          ///< position in words_of_facts(scope)
};

/// Every field that visit_fields lists for this scope, in its order.
std::span<FactWord const> words_of_facts(FactScope scope);

/// The word's row, or null if there is no such fact.
FactWord const* find_fact_word(FactScope scope, std::string_view word);

/// Words of the table that are no facts: always none; a test holds that.
std::vector<std::string_view> stray_fact_words();

/// The fact that a path begins with ("firmware" of "firmware.mec"), or null.
FactWord const* fact_of_path(FactScope scope, std::string_view path);

}  // namespace rocmtune
