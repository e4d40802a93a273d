// SPDX-License-Identifier: MIT
// Values: read as something else, the same as not set, left on for debugging, not for these GPUs.
#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "base/data_date.hpp"
#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/lint/judgement.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

using std::string_view;

bool is_on(string_view word) {
    return is_one_of(word, {"1", "true", "yes", "on", "enable", "enabled"});
}

bool is_off(string_view word) {
    return is_one_of(word, {"0", "false", "no", "off", "disable", "disabled"});
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

/// The word of the list that was meant.
std::string word_for(Variable const& variable, string_view text) {
    std::vector<string_view> known;
    for (auto const listed : variable.words) known.push_back(listed.substr(0, listed.find('=')));
    return std::string(nearest(upper(text), known).value_or(""));
}

/// Options with truth values as Python writes them: "a:true,b:FALSE" becomes "a:True,b:False".
std::string with_python_words(string_view text) {
    std::string out;
    for (auto const option : split(text, ',')) {
        auto const pair = split_once(option, ':');
        auto const word = pair ? lower(trim(pair->second)) : std::string();
        if (!out.empty()) out += ',';
        if (word == "true" || word == "false")
            out += fmt::format("{}:{}", pair->first, word == "true" ? "True" : "False");
        else out += option;
    }
    return out;
}

/// 10.3.0 of gfx1030 and 10_3_0: major in decimal, the two last digits hexadecimal.
std::string version_for(string_view text) {
    constexpr std::string_view gfx = "gfx";
    constexpr std::size_t digits = 2;
    if (!text.starts_with(gfx) || text.size() <= gfx.size() + digits) {
        std::string dotted(text);
        std::ranges::replace_if(
            dotted, [](char c) { return c == '_' || c == '-'; }, '.');
        return dotted;
    }
    auto const major = text.substr(gfx.size(), text.size() - gfx.size() - digits);
    auto const minor = to_unsigned(text.substr(text.size() - 2, 1), 16);
    auto const stepping = to_unsigned(text.substr(text.size() - 1), 16);
    return minor && stepping ? fmt::format("{}.{}.{}", major, *minor, *stepping) : std::string();
}

/// The text as its writer may have meant it; perhaps no better.
std::string meant_value(Variable const& variable, string_view text) {
    auto const word = lower(trim(text));
    if (variable.type == "bool" && is_on(word))
        return std::string(accepted_spelling(variable, spellings_of_on, "1"));
    if (variable.type == "bool" && is_off(word))
        return std::string(accepted_spelling(variable, spellings_of_off, "0"));
    if (variable.type == "int" && (is_on(word) || is_off(word))) return number_for(variable, word);
    if (variable.type == "enum") return word_for(variable, trim(text));
    if (variable.type == "version") return version_for(trim(text));
    auto const dense = without_blanks(text);
    return variable.type == "options" ? with_python_words(dense) : dense;
}

/// The value in the spelling of its reader, where it is clear what was meant; else empty.
std::string repaired(Variable const& variable, string_view text) {
    auto const meant = meant_value(variable, text);
    bool const valid = meant != text && read_value(variable, meant).reading == Reading::valid;
    return valid ? meant : std::string();
}

/// The right spelling, or what there is to choose from.
std::string step_for(LintSubject const& subject) {
    auto const right = repaired(*subject.variable, subject.value());
    if (!right.empty()) return fmt::format("{}={}", subject.name(), right);
    auto const accepted = accepted_values(*subject.variable);
    if (accepted.empty()) return removal(subject.name());
    return fmt::format("set {} to {}, or remove it", subject.name(), accepted);
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

/// The owner of the variable, and how old what is known of it is, where that is old. `always`: also
/// where it is not.
void add_reader(Variable const& variable, bool always, Finding& finding) {
    if (variable.readers.empty()) return;
    auto const& owner = *variable.readers.front();
    auto const date = variable.checked.empty() ? owner.newest : variable.checked;
    auto text = std::string(owner.title);
    if (is_old_text(date))
        text += fmt::format(", read in texts up to {}{}", date, old_text_note(date));
    else if (!always) return;
    finding.evidence.push_back({"reader", std::move(text)});
}

/// "4-8" in a document: the reader of it is to choose.
bool is_choice(LintSubject const& subject) {
    auto const ends = split_once(subject.value(), '-');
    return subject.assignment.is_shown && subject.variable->type == "int" && ends &&
           to_unsigned(ends->first, 10) && to_unsigned(ends->second, 10);
}

void add_bad(LintSubject const& subject, ReadValue const& read, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    // Other versions may know other words.
    bool const open_list = variable.type == "enum" && read.reading == Reading::misread;
    // An empty value is often meant as "not set", tests try what must fail, and CUDA reads its
    // names otherwise.
    auto const& assignment = subject.assignment;
    bool const is_for_cuda = assignment.for_nvidia && subject.name().starts_with("CUDA_");
    bool const sure = !open_list && !subject.value().empty() &&
                      !looks_for_faults(assignment.file) && !is_choice(subject) && !is_for_cuda;
    auto message = fmt::format("{} {}", shown_value(subject), outcome(read.reading));
    if (!is_secret(assignment)) message += reading_text(read);
    auto& finding = findings.add(sure, bad_value, std::move(message), step_for(subject));
    if (auto right = repaired(variable, subject.value());
        !right.empty() && is_in_order(subject, subject.name(), right))
        mend_by(finding, Repair::Kind::set_value, std::move(right));
    add_reader(variable, true, finding);
}

/// AITER_REBUILD in rebuild_aiter.sh
bool is_what_the_script_does(Assignment const& assignment) {
    auto const name = lower(assignment.file.substr(assignment.file.rfind('/') + 1));
    return assignment.name.ends_with("_REBUILD") && name.find("rebuild") != name.npos;
}

/// Whether nobody wants the switch just now: it is not for one command, not in a branch or with a
/// reason beside it, and not in a test.
bool is_left_on(Assignment const& assignment) {
    return !assignment.one_command && !assignment.in_branch && !looks_for_faults(assignment.file);
}

/// What stays in the shell, or goes to NCCL in place of RCCL, means nothing to a reader here.
bool reaches_nobody(LintSubject const& subject) {
    auto const& assignment = subject.assignment;
    return !assignment.exported || (assignment.for_nvidia && subject.name().starts_with("NCCL_"));
}

void add_debug(LintSubject const& subject, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    // Without a known default it may be off.
    bool const sure = variable.default_value && is_left_on(subject.assignment);
    auto message = std::string("a debug switch; it costs time or floods logs while it is set");
    auto& finding = findings.add(sure, debug_left_on, std::move(message));
    auto const text = variable.harm.empty() ? variable.effect : variable.harm;
    finding.evidence = {{"catalogue", std::string(text)}};
    mend_by(finding, Repair::Kind::remove);
}

LintKind const& kind_of(JudgedValue const& judged) {
    for (auto const* kind : {&bad_value, &redundant_default, &debug_left_on})
        if (word_of(kind->lint_class) == judged.lint_class) return *kind;
    return bad_value;
}

/// True if the catalogue says something of this very value.
bool add_judged(LintSubject const& subject, LintFindings const& findings) {
    auto const* judged = judged_value(*subject.variable, subject.value());
    if (judged == nullptr) return false;
    auto const& kind = kind_of(*judged);
    if (kind.id != bad_value.id && reaches_nobody(subject)) return true;
    bool const is_meant = kind.id == debug_left_on.id ? !is_left_on(subject.assignment)
                                                      : subject.assignment.one_command;
    bool const sure = judged->certain && !is_meant;
    auto& finding = findings.add(sure, kind, std::string(judged->why),
                                 judged->instead.empty()
                                     ? removal(subject.name())
                                     : fmt::format("{}={}", subject.name(), judged->instead));
    add_reader(*subject.variable, false, finding);
    if (!judged->instead.empty())
        mend_by(finding, Repair::Kind::set_value, std::string(judged->instead));
    // A default that is stated may be there against what an image or a profile has set.
    else if (kind.id != redundant_default.id) mend_by(finding, Repair::Kind::remove);
    return true;
}

bool is_judged(LintSubject const& subject) {
    if (subject.variable == nullptr || !subject.has_value()) return false;
    auto const& variable = *subject.variable;
    return variable.status != "dead" && variable.status != "never-existed" &&
           variable.use != "code-loading";
}

/// Ollama's documents and others hide all GPUs with -1, and by a mask that is empty.
bool hides_all_devices(LintSubject const& subject) {
    return subject.variable->type == "devices" &&
           (subject.value() == "-1" || subject.value().empty());
}

/// True if the value is the default of some release that may get it.
bool states_default(LintSubject const& subject, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    auto const usual = default_at_hand(subject);
    // Where the default changed, the setting may be for a version that has the other one.
    if (!usual) return variable.default_value && means_default(variable, subject.value());
    if (!means_default(variable, subject.value(), *usual)) return false;
    if (reaches_nobody(subject)) return true;
    auto const reader =
        variable.former_defaults.empty()
            ? "its reader"
            : release_text(release_at_hand(subject).value(), *variable.readers.front());
    add_reader(variable, false,
               findings.certain(redundant_default, fmt::format("{} is the default of {}",
                                                               shown_value(subject), reader)));
    return true;
}

}  // namespace

bool looks_for_faults(string_view file) {
    auto const path = lower(file);
    auto const slash = path.rfind('/');
    auto const has = [&](std::size_t from, std::initializer_list<string_view> words) {
        auto const text = string_view(path).substr(from);
        return std::ranges::any_of(words, [&](auto word) { return has_word(text, word, ""); });
    };
    bool const has_folder = slash != path.npos && slash > 0;
    auto const folder = has_folder ? path.rfind('/', slash - 1) + 1 : 0;  // npos + 1 is 0
    return has(slash + 1, {"test", "tests", "reproduce", "repro"}) ||
           has(folder, {"debug", "debugging", "troubleshooting"});
}

void judge_value(LintSubject const& subject, LintFindings const& findings) {
    if (!is_judged(subject) || add_judged(subject, findings)) return;
    auto const& variable = *subject.variable;
    auto const read = read_value(variable, subject.value());
    bool const clears = subject.value().empty() && read.reading == Reading::ignored;
    if (clears || hides_all_devices(subject)) return;
    if (read.reading != Reading::valid) return add_bad(subject, read, findings);
    if (states_default(subject, findings)) return;
    // Guides give those of AMD's runtimes out as settings for speed.
    bool const is_of_runtime =
        !variable.readers.empty() && is_one_of(variable.readers.front()->id, {"hip", "rocr"});
    if (variable.use == "cosmetic" && is_of_runtime && !reaches_nobody(subject))
        findings.note(redundant_default, "changes only what is shown, not what is done");
    else if (variable.use == "debug" && !subject.value().empty() && !reaches_nobody(subject) &&
             !is_what_the_script_does(subject.assignment))
        add_debug(subject, findings);
}

}  // namespace rocmtune
