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
#include "rocmtune/verification.hpp"

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

/// What kind of mistake a setting is.
enum class LintClass : std::uint8_t {
    dead_name,
    no_reader_here,
    renamed,
    bad_value,
    redundant_default,
    debug_left_on,
    conflict,
    wrong_architecture,
    override,
    build_or_launcher,
    security,
    unknown_name,
};

inline constexpr std::array<std::string_view, 12> lint_class_words{
    "dead-name",         "no-reader-here",    "renamed",  "bad-value",
    "redundant-default", "debug-left-on",     "conflict", "wrong-architecture",
    "override",          "build-or-launcher", "security", "unknown-name"};

constexpr std::span<std::string_view const> words_of(LintClass) {
    return lint_class_words;
}

/// What a finding about one setting says beside the rest.
struct SettingPlace {
    LintClass lint_class = LintClass::unknown_name;
    bool certain = false;                   ///< true wherever the text is used; false: a note
    std::string file = {};                  ///< empty for a live environment
    std::size_t line = 0, column = 0;       ///< from 1; 0: there are none
    std::string name = {};                  ///< of the variable
    std::optional<std::string> value = {};  ///< absent: not known before it runs, or a secret
    std::string fix = {};                   ///< what to write in its place; empty: nothing to say
    /// The setting as it is written, for people; empty where it has no line, and of a secret.
    std::string excerpt = {};
};

template <SameEntity<SettingPlace> Self, class Visitor>
void visit_fields(Self& place, Visitor&& v) {
    v(Field{"class", "kind of mistake"}, place.lint_class);
    v(Field{"certain", "true wherever the text is used; else it is a note"}, place.certain);
    v(Field{"file", "file, as it was named; empty for a live environment"}, place.file);
    v(Field{"line", "line, from 1; 0: there are none"}, place.line);
    v(Field{"column", "byte in the line, from 1; 0: there are none"}, place.column);
    v(Field{"name", "variable"}, place.name);
    v(Field{"value", "its value; null if it is not known before it runs, or secret"}, place.value);
    v(Field{"fix", "what to write instead"}, place.fix);
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
    std::optional<SettingPlace> setting = {};      ///< of lint: its fields stand beside the others
    std::optional<VerifiedSetting> verified = {};  ///< of verify: its fields stand beside these
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
