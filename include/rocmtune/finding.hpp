// SPDX-License-Identifier: MIT
// Finding: one judgement, with what it rests on and what to do about it. Every command that judges
// speaks in findings; their ids and what they mean stand in profiles/findings.json. What verify,
// check and lint say beside them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// What measuring with and without a setting has shown. The words are part of the JSON contract.
enum class SettingVerdict : std::uint8_t {
    confirmed,       ///< better by more than the margin
    no_effect,       ///< within the margin
    harmful,         ///< worse by more than the margin, or the measured program fails with it
    inconclusive,    ///< measured, but not decided
    not_measurable,  ///< nothing that was measured reads it
};

inline constexpr std::array<std::string_view, 5> setting_verdict_words{
    "confirmed", "no-effect", "harmful", "inconclusive", "not-measurable"};

constexpr std::span<std::string_view const> words_of(SettingVerdict) {
    return setting_verdict_words;
}

/// One setting with what was measured of it.
struct VerifiedSetting {
    std::string name = {};                  ///< a variable; "together" for all of the settings
    std::optional<std::string> value = {};  ///< absent: the variable was cleared
    std::optional<double> effect = {};      ///< 0.05: 5 % better; below 0 worse
    std::optional<double> low = {};         ///< 95 % interval of the effect
    std::optional<double> high = {};
    SettingVerdict verdict = SettingVerdict::inconclusive;
    std::optional<std::uint64_t> blocks_needed = {};
};

template <SameEntity<VerifiedSetting> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "variable; together for all of them at once"}, it.name);
    v(Field{"value", "its value; null if it is cleared"}, it.value);
    v(Field{"effect",
            "how much better with the setting (0.05: 5 %), below 0 worse; null if it was "
            "not measured"},
      it.effect);
    v(Field{"low", "lower end of the effect's 95 % interval"}, it.low);
    v(Field{"high", "upper end of it"}, it.high);
    v(Field{"verdict_setting", "what measuring with and without it has shown"}, it.verdict);
    v(Field{"blocks_needed",
            "blocks that would probably decide; null if it is decided, or if no "
            "number would do"},
      it.blocks_needed);
}

/// How the settings of one report were measured.
struct VerifySummary {
    std::string benchmark = {};  ///< a row of the benchmark table, or "command"
    std::string metric = {};
    std::string unit = {};
    std::string better = {};  ///< higher or lower
    double margin = 0.02;     ///< effects up to this ratio do not matter
    double budget_seconds = 0;
    std::uint64_t blocks = 0;  ///< planned, of each setting
    std::uint64_t seed = 0;    ///< of the order of the arms
    bool self_test = false;
    std::optional<double> smallest_effect = {};
    std::vector<std::string> asserted = {};  ///< names of --assume-read
};

template <SameEntity<VerifySummary> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"benchmark", "what was measured: a benchmark, or command"}, it.benchmark);
    v(Field{"metric", "what of it"}, it.metric);
    v(Field{"unit", "its unit; may be empty"}, it.unit);
    v(Field{"better", "which values are better: higher or lower"}, it.better);
    v(Field{"margin", "effects up to this ratio do not matter"}, it.margin);
    v(Field{"budget_seconds", "time that was given"}, it.budget_seconds);
    v(Field{"blocks", "blocks of four runs that were planned for each setting"}, it.blocks);
    v(Field{"seed", "seed of the order in which baseline and setting ran"}, it.seed);
    v(Field{"self_test", "nothing was set: the host was measured against itself"}, it.self_test);
    v(Field{"smallest_effect",
            "smallest effect that these blocks would have shown in 19 of 20 "
            "verifications; null if nothing was measured"},
      it.smallest_effect);
    v(Field{"asserted", "names whose readers were taken on the user's word"}, it.asserted);
}

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

/// What a file is to have from one place to another, the second not included.
struct TextChange {
    std::size_t line = 0, column = 0;  ///< from 1; columns in bytes
    std::size_t end_line = 0, end_column = 0;
    std::string text = {};
    bool is_ascii = true;  ///< before its columns; else other units than bytes count otherwise
};

template <SameEntity<TextChange> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"line", "line where it begins, from 1"}, it.line);
    v(Field{"column", "byte in that line, from 1"}, it.column);
    v(Field{"end_line", "line of the first byte that stays"}, it.end_line);
    v(Field{"end_column", "that byte in its line, from 1"}, it.end_column);
    v(Field{"text", "what is to stand there"}, it.text);
}

/// How a setting is mended for certain, wherever it stands.
struct Repair {
    enum class Kind : std::uint8_t {
        none,  ///< a person has to decide
        remove,
        rename,
        set_value,
    };
    Kind kind = Kind::none;
    std::string text = {};  ///< the new name or value
    bool is_dead = false;   ///< nothing reads the name, whatever its value is
    // Of two settings that contradict each other it is not always that of the finding.
    std::string name = {};
    std::size_t line = 0, column = 0;
};

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
    Repair repair = {};
    std::vector<TextChange> changes = {};  ///< that carry out the repair; empty: a person has to
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
    v(Field{"changes", "what --fix changes in the file; empty where a person has to"},
      place.changes);
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
    v(Inlined{"class"}, finding.setting);
    v(Inlined{"verdict_setting"}, finding.verified);
}

/// What the results of `rocmtune check` say together.
struct CheckSummary {
    std::string level = {};                                  ///< quick, medium or long
    std::array<std::size_t, verdict_words.size()> counts{};  ///< results by Verdict
    std::size_t gpus = 0;                                    ///< rows that were to be checked
    /// Of those, the rows for which an essential check gave pass, info, warn or fail.
    std::size_t gpus_judged = 0;
    /// Of those, the rows that copied or computed, and what came back was right; absent where no
    /// GPU was to work, as with a recording.
    std::optional<std::size_t> gpus_exercised = {};
    bool essential_unknown = false;   ///< an essential check could not tell
    std::string undetermined = {};    ///< the first of those, for formats with one line
    Verdict fail_on = Verdict::fail;  ///< the least verdict that fails the run; pass: none does

    std::size_t count(Verdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
};

/// The findings of one class.
struct LintClassCount {
    std::array<std::size_t, verdict_words.size()> verdicts = {};
    std::vector<std::string> notes = {};  ///< the first ones: "train.sh:4 NAME"
};

/// What lint looked at, beside what it found.
struct LintSummary {
    std::size_t texts = 0;        ///< files, environments and processes that were read
    std::size_t assignments = 0;  ///< settings in them
    std::size_t accepted = 0;     ///< findings that comments, a list or an earlier report accept
    std::size_t repaired = 0;     ///< settings that --fix has mended
    std::vector<std::uint64_t> rows = {};  ///< of the GPUs that the settings are for; empty: all

    // Of findings that were written already, and that the report no longer has.
    std::array<std::size_t, verdict_words.size()> written = {};  ///< by verdict
    std::map<std::string, LintClass> written_kinds = {};         ///< by id
    std::map<LintClass, LintClassCount> written_classes = {};
};

/// The findings of a verdict, written or in the report.
inline std::size_t count_of(Verdict verdict, LintSummary const& lint,
                            std::vector<Finding> const& findings) {
    auto const here = std::ranges::count(findings, verdict, &Finding::verdict);
    return lint.written[static_cast<std::size_t>(verdict)] + static_cast<std::size_t>(here);
}

}  // namespace rocmtune
