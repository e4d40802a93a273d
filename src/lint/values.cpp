// SPDX-License-Identifier: MIT
// Values: read as something else, the same as not set, a debug switch left on.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/value_parsers.hpp"
#include "lint/judgement.hpp"

namespace rocmtune {
namespace {

using std::string_view;

bool is_one_of(string_view word, std::initializer_list<string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

bool is_on(string_view word) {
    return is_one_of(word, {"1", "true", "yes", "on", "enable", "enabled"});
}

bool is_off(string_view word) {
    return is_one_of(word, {"0", "false", "no", "off", "disable", "disabled"});
}

/// The first spelling that the reader takes with this meaning; empty if none is.
string_view spelling(Variable const& variable, std::initializer_list<string_view> spellings,
                     string_view meaning) {
    for (auto const each : spellings) {
        auto const read = read_value(variable, each);
        if (read.reading == Reading::valid && read.meaning == meaning) return each;
    }
    return {};
}

std::string without_blanks(string_view text) {
    std::string out(text);
    std::erase_if(out, [](char c) { return c == ' ' || c == '\t'; });
    return out;
}

/// A switch that is written as a word and read as a number.
std::string number_for(Variable const& variable, string_view word) {
    auto const number = is_on(word) ? "1" : is_off(word) ? "0" : "";
    auto const read = read_value(variable, number);
    return *number != '\0' && read.reading == Reading::valid ? number : std::string();
}

/// The value in the spelling of its reader, where it is clear what was meant; else empty.
std::string repaired(Variable const& variable, string_view text) {
    auto const word = lower(trim(text));
    if (variable.type == "bool") {
        if (is_on(word)) return std::string(spelling(variable, {"1", "true", "True", "TRUE"}, "1"));
        if (is_off(word))
            return std::string(spelling(variable, {"0", "false", "False", "FALSE"}, "0"));
        return {};
    }
    if (variable.type == "int" && (is_on(word) || is_off(word))) return number_for(variable, word);
    auto const dense = without_blanks(text);
    bool const valid = dense != text && read_value(variable, dense).reading == Reading::valid;
    return valid ? dense : std::string();
}

std::string_view outcome(Reading reading) {
    switch (reading) {
        case Reading::misread: return "is read as something else";
        case Reading::ignored: return "is ignored by its reader";
        case Reading::rejected: return "makes its reader fail";
        case Reading::valid: break;
    }
    return "is read as it is meant";
}

std::string reading_text(ReadValue const& read) {
    bool const has_meaning = read.reading == Reading::misread && !read.meaning.empty();
    auto text = has_meaning ? fmt::format(" ({})", printable(read.meaning)) : std::string();
    if (!read.note.empty()) text += ": " + printable(read.note);
    return text;
}

void add_bad(LintSubject const& subject, ReadValue const& read, LintFindings& findings) {
    auto const& variable = *subject.variable;
    // Other versions may know other words.
    bool const open_list = variable.type == "enum" && read.reading == Reading::misread;
    // An empty value is often meant as "not set".
    bool const sure = !open_list && !subject.value().empty();
    auto message = fmt::format("{} {}", shown_value(subject), outcome(read.reading));
    if (!is_secret(subject.assignment)) message += reading_text(read);
    auto const right = repaired(variable, subject.value());
    auto& finding = findings.add(
        bad_value, sure ? Certainty::certain : Certainty::note, subject, std::move(message),
        right.empty() ? std::string() : fmt::format("{}={}", subject.name(), right));
    if (!variable.readers.empty())
        finding.evidence = {{"reader", std::string(variable.readers.front()->title)}};
}

void add_debug(LintSubject const& subject, LintFindings& findings) {
    auto const& variable = *subject.variable;
    // A switch for one command was not left on; without a known default it may be off.
    bool const sure = variable.default_value && !subject.assignment.one_command;
    auto message = std::string("a debug switch; it costs time or floods logs while it is set");
    auto& finding = findings.add(debug_left_on, sure ? Certainty::certain : Certainty::note,
                                 subject, std::move(message), removal(subject.name()));
    auto const text = variable.harm.empty() ? variable.effect : variable.harm;
    finding.evidence = {{"catalogue", std::string(text)}};
}

bool fits(JudgedValue const& judged, std::string_view value) {
    if (judged.below) {
        auto const number = to_unsigned(value, 10);
        return number && std::cmp_less(*number, *judged.below);
    }
    return judged.any_case ? lower(value) == lower(judged.value) : value == judged.value;
}

LintKind const& kind_of(JudgedValue const& judged) {
    for (auto const* kind : {&bad_value, &redundant_default, &debug_left_on})
        if (word_of(kind->lint_class) == judged.lint_class) return *kind;
    return bad_value;
}

/// True if the catalogue says something of this very value.
bool add_judged(LintSubject const& subject, LintFindings& findings) {
    auto const& all = subject.variable->judged_values;
    auto const judged = std::ranges::find_if(
        all, [&](JudgedValue const& row) { return fits(row, subject.value()); });
    if (judged == all.end()) return false;
    bool const sure = judged->certain && !subject.assignment.one_command;
    findings.add(kind_of(*judged), sure ? Certainty::certain : Certainty::note, subject,
                 std::string(judged->why),
                 judged->instead.empty() ? removal(subject.name())
                                         : fmt::format("{}={}", subject.name(), judged->instead));
    return true;
}

bool is_judged(LintSubject const& subject) {
    if (subject.variable == nullptr || !subject.has_value()) return false;
    auto const& variable = *subject.variable;
    return variable.status != "dead" && variable.status != "never-existed" &&
           variable.use != "code-loading";
}

}  // namespace

void judge_value(LintSubject const& subject, LintFindings& findings) {
    if (!is_judged(subject) || add_judged(subject, findings)) return;
    auto const& variable = *subject.variable;
    auto const read = read_value(variable, subject.value());
    bool const clears = subject.value().empty() && read.reading == Reading::ignored;
    if (clears) return;
    if (read.reading != Reading::valid) return add_bad(subject, read, findings);
    if (variable.default_value && means_default(variable, subject.value())) {
        // Where the default changed, the setting may be for a version that has the other one.
        if (!variable.former_defaults.empty()) return;
        findings.add(redundant_default, Certainty::certain, subject,
                     fmt::format("{} is the default of its reader", shown_value(subject)),
                     removal(subject.name()));
    } else if (variable.use == "cosmetic") {
        findings.add(redundant_default, Certainty::note, subject,
                     "changes only what is shown, not what is done", removal(subject.name()));
    } else if (variable.use == "debug" && !subject.value().empty()) {
        add_debug(subject, findings);
    }
}

}  // namespace rocmtune
