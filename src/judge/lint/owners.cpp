// SPDX-License-Identifier: MIT
// Variables that belong to somebody else or load code, and secrets in the open.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "judge/lint/judgement.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/secret_names.hpp"

namespace rocmtune {
namespace {

/// Kinds of text that may be the launcher themselves.
bool may_launch(InputKind kind) {
    constexpr std::array kinds{InputKind::slurm, InputKind::compose, InputKind::kubernetes,
                               InputKind::workflow, InputKind::python};
    return std::ranges::find(kinds, kind) != kinds.end();
}

/// Which process it is of how many. Where they meet (MASTER_ADDR) a script may well have to say.
bool is_place_in_job(std::string_view name) {
    return is_one_of(name, {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"});
}

void judge_launcher(LintSubject const& subject, LintFindings const& findings) {
    auto const& assignment = subject.assignment;
    // A value that is computed, or for one command, is how a launcher is written.
    if (assignment.one_command || !subject.has_value() || may_launch(assignment.kind)) return;
    if (subject.value().empty()) return;
    if (!assignment.exported) return;  // no program sees it
    // Whoever starts ranks without a launcher has to say where they meet; a launcher that has said
    // so comes before what is set where nothing is.
    bool const says_where = !is_place_in_job(subject.name());
    if (says_where && (assignment.launches || assignment.conditional)) return;
    // A process of a launched job has them rightly.
    bool const sure =
        is_place_in_job(subject.name()) && !is_running(assignment.kind) && !assignment.conditional;
    findings.add(sure, build_or_launcher,
                 "the launcher (torchrun, srun, a container runtime) sets it for each process");
}

void judge_build(LintSubject const& subject, LintFindings const& findings) {
    auto const& assignment = subject.assignment;
    // Images and scripts note their release so, for people.
    if (subject.name().ends_with("_VERSION")) return;
    bool const may_build = assignment.one_command || assignment.builds ||
                           assignment.kind == InputKind::dockerfile ||
                           assignment.kind == InputKind::workflow;
    if (may_build) return;
    // Where an installation lies is often stated for more than one purpose.
    bool const names_place = subject.variable->type == "path";
    findings.add(
        !names_place, build_or_launcher,
        "only what compiles reads it: builds, and extensions that a program compiles for itself");
}

using std::string_view;

/// Options for a compiler: blanks part them, and a colon in them is no separator.
bool is_option_text(string_view name) {
    return name.ends_with("_APPEND");
}

/// The directory, itself or above the path, into which everybody may put files; empty: none.
string_view shared_place(string_view path) {
    constexpr std::array<string_view, 3> places{"/tmp", "/var/tmp", "/dev/shm"};
    auto const found = std::ranges::find_if(places, [&](string_view place) {
        return path == place ||
               (path.starts_with(place) && path.size() > place.size() && path[place.size()] == '/');
    });
    return found == places.end() ? string_view{} : *found;
}

constexpr string_view on_directory = " depends on the current directory";

/// Why others may bring code in through this element of a list of paths; empty: they may not.
std::string open_element(string_view element, bool is_directory) {
    if (element.empty() && is_directory) return "an empty element stands for the current directory";
    // "<changeme>/lib" is to be filled in.
    if (element.starts_with('<') && element.find('>') != element.npos) return {};
    if (auto const place = shared_place(element); !place.empty())
        return fmt::format(
            "everybody can put files into {}{}", place,
            element == place ? std::string() : fmt::format(", where {} lies", printable(element)));
    bool const is_relative =
        !element.starts_with('/') && !element.starts_with('$') && !element.starts_with('~');
    // The bare name of a library is looked up where the system keeps them.
    if (is_relative && (is_directory || element.find('/') != element.npos))
        return printable(element) + std::string(on_directory);
    return {};
}

/// What stands between two colons of a list of paths. Where it is not known it may be nothing, or
/// hold further colons.
struct PathElement {
    std::string text = {};
    bool is_known = true;
};

std::vector<PathElement> path_elements(LintSubject const& subject) {
    std::vector<PathElement> elements(1);
    auto const add = [&](string_view text) {
        auto const pieces = split(text, ':');
        elements.back().text += pieces.front();
        for (auto const piece : std::span(pieces).subspan(1))
            elements.push_back({std::string(piece)});
    };
    if (subject.has_value()) {
        add(subject.value());
        return elements;
    }
    for (auto const& part : subject.assignment.parts) {
        if (part.is_known) {
            add(part.text);
        } else {
            elements.back().text += part.text.empty() ? "..." : part.text;
            elements.back().is_known = false;
        }
    }
    return elements;
}

std::string open_path(string_view name, std::vector<PathElement> const& elements) {
    if (is_option_text(name)) return {};
    // No value, or none of which anything is known.
    if (elements.size() == 1 && elements[0].text.empty()) return {};
    bool const is_directory = name == "LD_LIBRARY_PATH";
    for (auto const& [text, is_known] : elements)
        if (auto why = is_known ? open_element(text, is_directory) : ""; !why.empty()) return why;
    return {};
}

/// The same list without the colons too many; nothing where that is not what is wrong with it.
std::optional<std::string> without_empty_elements(string_view name,
                                                  std::vector<PathElement> elements) {
    auto const count = std::erase_if(elements, [](auto const& one) { return one.text.empty(); });
    if (count == 0 || elements.empty() || !open_path(name, elements).empty()) return std::nullopt;
    std::string kept;
    for (auto const& [text, is_known] : elements) kept.append(kept.empty() ? "" : ":").append(text);
    return fmt::format("{}={}", name, kept);
}

bool is_code_loading(LintSubject const& subject) {
    return subject.variable != nullptr && subject.variable->use == "code-loading";
}

/// A text that stands for a secret to be filled in, or that is none: a path, a number, a switch.
bool is_placeholder(string_view value) {
    constexpr std::size_t shortest = 8;
    constexpr std::array<string_view, 9> words{"your", "change", "example", "xxx",  "todo",
                                               "here", "secret", "token",   "dummy"};
    if (value.size() < shortest || value.find_first_of("<>{}/ ") != value.npos) return true;
    if (std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; })) return true;
    auto const small = lower(value);
    return std::ranges::any_of(words,
                               [&](string_view word) { return small.find(word) != small.npos; });
}

}  // namespace

void judge_owner(LintSubject const& subject, LintFindings const& findings) {
    if (subject.variable == nullptr) return;
    if (subject.variable->use == "launcher") judge_launcher(subject, findings);
    if (subject.variable->use == "build") judge_build(subject, findings);
}

bool has_secret_shape(string_view value) {
    auto const is_whole = [&](ShapedSecret const& secret) {
        return secret.size > 0 && secret.size == value.size();
    };
    return is_whole(token_at(value)) || private_key_at(value).size > 0;
}

void judge_code_loading(LintSubject const& subject, LintFindings const& findings) {
    if (!is_code_loading(subject)) return;
    if (subject.has_value() && subject.value().empty()) return;
    auto const elements = path_elements(subject);
    auto const why = open_path(subject.name(), elements);
    if (!why.empty()) {
        auto const better = without_empty_elements(subject.name(), elements);
        // Whoever types a command knows where it is typed, and a job starts where it was submitted.
        bool const is_known_place =
            subject.assignment.one_command || subject.assignment.kind == InputKind::slurm;
        bool const is_local = is_known_place && why.ends_with(on_directory);
        auto& finding =
            findings.add(!is_local, code_loading,
                         fmt::format("loads code into every GPU program, and {}", why), better);
        // How the text writes what is not known, only the text itself tells.
        if (better && subject.has_value())
            mend_by(finding, Repair::Kind::set_value, better->substr(subject.name().size() + 1));
        return;
    }
    // Whoever uses ROCm outside its own directory sets these.
    if (is_one_of(subject.name(), {"LD_LIBRARY_PATH", "LD_PRELOAD"})) return;
    // A place that the text computes, NCCL_NET_PLUGIN=none, a name of which RCCL makes that of a
    // library where the system keeps them, or a place that is not open to everybody, as was looked
    // at above.
    if (subject.name().ends_with("_PLUGIN") || !subject.has_value()) return;
    findings.note(code_loading,
                  "loads code or options into programs; be sure that only you can change them", "");
}

void judge_secret(LintSubject const& subject, LintFindings const& findings) {
    if (is_running(subject.assignment.kind) || !subject.has_value()) return;
    bool const shaped = has_secret_shape(subject.value());
    if (!shaped && (!is_secret_name(subject.name()) || is_placeholder(subject.value()))) return;
    findings.add(shaped, open_secret,
                 "a credential stands in the file, it seems; its value is not shown",
                 "keep it in a file that only its owner can read, or in the platform's secrets");
}

}  // namespace rocmtune
