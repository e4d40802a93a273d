// SPDX-License-Identifier: MIT
#include "judge/lint/judgement.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/citation.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/findings.hpp"
#include "knowledge/scrub.hpp"

namespace rocmtune {

namespace {

SettingPlace place_of(LintKind const& kind, Assignment const& assignment) {
    SettingPlace place{.lint_class = kind.lint_class,
                       .file = assignment.file,
                       .line = assignment.line,
                       .column = assignment.column,
                       .name = assignment.name};
    if (kind.id != open_secret.id && !is_secret(assignment)) place.value = assignment.value;
    return place;
}

/// unset is a word of shells, and undoes nothing in the line of a command that sets it; in other
/// texts the setting is taken out.
std::string fix_for(Assignment const& assignment, std::string fix) {
    constexpr std::string_view unset = "unset ";
    constexpr std::array shells{InputKind::environment, InputKind::process, InputKind::shell,
                                InputKind::slurm};
    if (!fix.starts_with(unset)) return fix;
    auto const name = fix.substr(unset.size());
    if (assignment.one_command || assignment.is_option)
        return fmt::format("remove {} from the command", name);
    bool const is_shell = std::ranges::find(shells, assignment.kind) != shells.end();
    return is_shell ? fix : fmt::format("remove {}", name);
}

}  // namespace

Finding& LintFindings::add(LintKind const& kind, Certainty certainty, LintSubject const& subject,
                           std::string message, std::string fix) {
    auto const& assignment = subject.assignment;
    bool const certain = certainty == Certainty::certain && assignment.exported;
    auto& finding =
        findings_.emplace_back(make_finding(kind.id, certain ? kind.verdict : Verdict::info, "host",
                                            fmt::format("{}: {}", assignment.name, message)));
    finding.setting = place_of(kind, assignment);
    finding.setting->certain = certain;
    finding.setting->fix = fix_for(assignment, std::move(fix));
    if (subject.variable != nullptr) {
        // What is said of the variable tells more than what is said of the class.
        finding.sources.clear();
        for (auto const* source : subject.variable->sources)
            finding.sources.push_back(reference_of(*source));
    }
    return finding;
}

bool is_secret(Assignment const& assignment) {
    return is_secret_name(assignment.name) ||
           (assignment.value && has_secret_shape(*assignment.value));
}

std::string text_of_setting(Assignment const& assignment, std::string_view line) {
    auto const column = std::min(std::max<std::size_t>(assignment.column, 1) - 1, line.size());
    auto const rest = line.substr(column);
    if (is_secret(assignment) || !rest.starts_with(assignment.name)) return {};
    auto const name_end = assignment.name.size();
    auto const at = rest.find(assignment.value.value_or(""), name_end);
    // Between name and value stand an equals sign, a colon, blanks, quotes and brackets.
    auto const between = rest.substr(name_end, at - std::min(at, name_end));
    bool const is_plain = assignment.value && at != rest.npos &&
                          between.find_first_not_of(" \t=:\"'[](),") == between.npos;
    if (!is_plain) return assignment.name;
    auto const end = at + assignment.value->size();
    bool const is_quoted =
        !between.empty() && rest.substr(end, 1) == between.substr(between.size() - 1);
    return std::string(rest.substr(0, end + (is_quoted ? 1 : 0)));
}

std::string shown_value(LintSubject const& subject) {
    constexpr std::size_t longest = 60;
    if (is_secret(subject.assignment)) return "the value";
    // Half of a secret is not known as one.
    auto const value = scrubbed(subject.value());
    if (value.size() <= longest) return fmt::format("'{}'", printable(value));
    return fmt::format("'{}...'", printable(value.substr(0, longest)));
}

std::string removal(std::string_view name) {
    return fmt::format("unset {}", name);
}

}  // namespace rocmtune
