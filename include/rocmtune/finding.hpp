// SPDX-License-Identifier: MIT
// Finding: one judgement, with what it rests on and what to do about it. Every command that judges
// speaks in findings; their ids and what they mean stand in profiles/findings.json.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/records.hpp"
#include "rocmtune/reference.hpp"

namespace rocmtune {

/// How a judgement came out. The words (words_of) are part of the JSON contract.
enum class Verdict : std::uint8_t {
    pass,     ///< looked at, and in order
    info,     ///< worth knowing, nothing to do
    warn,     ///< works, but not as it should or not for long
    fail,     ///< wrong
    skip,     ///< not looked at, on purpose
    unknown,  ///< could not be determined
    timeout,  ///< did not answer in time
};

/// What kind of step a finding asks for, the gentlest first.
enum class Action : std::uint8_t { none, monitor, config, reset, reboot, isolate, hardware };

inline constexpr std::array<std::string_view, 7> verdict_words{"pass", "info",    "warn",   "fail",
                                                               "skip", "unknown", "timeout"};
inline constexpr std::array<std::string_view, 7> action_words{
    "none", "monitor", "config", "reset", "reboot", "isolate", "hardware"};

/// The words of an enumeration in the order of its values: what JSON, schema and text print.
constexpr std::span<std::string_view const> words_of(Verdict) {
    return verdict_words;
}
constexpr std::span<std::string_view const> words_of(Action) {
    return action_words;
}

/// "warn" for Verdict::warn.
template <class Enumeration>
constexpr std::string_view word_of(Enumeration value) {
    return words_of(value)[static_cast<std::size_t>(value)];
}

/// One observation that a finding rests on.
struct Evidence {
    std::string source = {};  ///< who said it: "kfd: /sys/class/kfd/...", "environment: NAME"
    std::string value = {};   ///< what it said, as text
};

template <SameEntity<Evidence> Self, class Visitor>
void visit_fields(Self& evidence, Visitor&& v) {
    v(Field{"source", "who said it"}, evidence.source);
    v(Field{"value", "what it said"}, evidence.value);
}

/// One judgement about one subject.
struct Finding {
    std::string id = {};  ///< "RT1001"; ids are never used for something else
    Verdict verdict = Verdict::info;
    Action action = Action::none;
    std::string subject = {};  ///< a PCI address, with /PARTITION where there are some, or "host"
    std::string message = {};  ///< one sentence about this subject
    std::vector<Evidence> evidence = {};
    std::string next_step = {};  ///< what to do; empty if there is nothing
    std::vector<Reference> sources = {};
};

template <SameEntity<Finding> Self, class Visitor>
void visit_fields(Self& finding, Visitor&& v) {
    v(Field{"id", "identifier (RT1001): equal for the same kind of finding, for ever"}, finding.id);
    v(Field{"verdict", "how the judgement came out"}, finding.verdict);
    v(Field{"action", "kind of step that it asks for"}, finding.action);
    v(Field{"subject", "PCI address, with /PARTITION where there are some, or host"},
      finding.subject);
    v(Field{"message", "what was found, in one sentence"}, finding.message);
    v(Field{"evidence", "what it rests on: who said what"}, finding.evidence);
    v(Field{"next_step", "what to do about it"}, finding.next_step);
    v(Field{"sources", "texts that say what it means"}, finding.sources);
}

}  // namespace rocmtune
