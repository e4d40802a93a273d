// SPDX-License-Identifier: MIT
// How a judge's sentence becomes a finding, and which judges see what.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>

#include "base/text.hpp"
#include "judge/lint/judgement.hpp"
#include "judge/lint/lint.hpp"
#include "knowledge/chips.hpp"
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

/// All of them see every assignment that sets something.
constexpr void (*judges[])(LintSubject const&, LintFindings const&) = {
    judge_name,
    judge_readers,
    judge_value,
    judge_owner,
    judge_override,
    judge_secret,
    judge_architecture,
    judge_code_loading,
    judge_allocator_options,
    judge_allocator_values,
};

/// What the catalogue says of an environment variable; its options and practices have other names.
Variable const* find_variable(Catalogue const& catalogue, std::string_view name) {
    auto const* variable = catalogue.find(name);
    if (variable == nullptr) return nullptr;
    bool const in_environment = variable->kind == "environment" || variable->kind == "allocator";
    return in_environment ? variable : nullptr;
}

using Scopes = std::map<std::size_t, LintEnvironment>;

/// The environment that the assignments of each scope leave behind. What may not happen, or holds
/// for one command, is no part of it: nothing certain could be said.
Scopes environments(std::vector<LintSubject> const& subjects) {
    Scopes scopes;
    for (auto const& subject : subjects) {
        auto const& assignment = subject.assignment;
        if (assignment.conditional || assignment.one_command || !assignment.exported) continue;
        auto& environment = scopes[assignment.scope];
        if (assignment.unset) environment.erase(subject.name());
        else environment.insert_or_assign(subject.name(), &subject);
    }
    return scopes;
}

/// Where a finding stands. Files are numbered in the order in which they come.
using Place = std::tuple<std::size_t, std::size_t, std::size_t>;

/// The order of the files stays; what a text repeats from above (YAML's anchors) goes to its line.
class Places {
  public:
    explicit Places(std::span<Assignment const> assignments) {
        for (auto const& assignment : assignments)
            if (files_.empty() || !files_.contains(assignment.file))
                files_.emplace(assignment.file, files_.size());
    }

    template <class Placed>
    Place of(Placed const& it) const {
        return {files_.at(it.file), it.line, it.column};
    }

  private:
    std::map<std::string_view, std::size_t> files_;
};

/// Those that set something, in the order of their places.
std::vector<LintSubject const*> in_order(std::vector<LintSubject> const& subjects,
                                         Places const& places) {
    std::vector<LintSubject const*> ordered;
    for (auto const& subject : subjects)
        if (!subject.assignment.unset) ordered.push_back(&subject);
    // Those of one place keep the order of the text.
    std::ranges::sort(ordered, {}, [&](LintSubject const* subject) {
        return std::pair(places.of(subject->assignment), subject);
    });
    return ordered;
}

/// What rests on several assignments, by the place that it is said at.
std::multimap<Place, Finding> conflicts_of(std::vector<LintSubject> const& subjects,
                                           Places const& places) {
    std::vector<Finding> findings;
    for (auto const& [scope, environment] : environments(subjects))
        judge_conflicts(environment, findings);
    std::multimap<Place, Finding> conflicts;
    for (auto& finding : findings) {
        auto const place = places.of(*finding.setting);
        conflicts.emplace(place, std::move(finding));
    }
    return conflicts;
}

/// A line that takes part in several environments (YAML's anchors, env of a workflow) is judged in
/// each of them, and said once. The findings are those of one place, sorted.
void merge_equal(std::vector<Finding>& findings) {
    auto const is_equal = [](Finding const& a, Finding const& b) {
        return a.setting->line > 0 && a.setting->name == b.setting->name && a.id == b.id &&
               a.message == b.message;
    };
    findings.erase(std::unique(findings.begin(), findings.end(), is_equal), findings.end());
}

/// What was found at one place, by id.
void hand_on(std::vector<Finding> findings, FindingSink const& sink) {
    // Equal ids keep their order in a multimap.
    std::multimap<std::string, Finding> sorted;
    for (auto& finding : findings) {
        auto id = finding.id;
        sorted.emplace(std::move(id), std::move(finding));
    }
    findings.clear();
    for (auto& [id, finding] : sorted) findings.push_back(std::move(finding));
    merge_equal(findings);
    for (auto& finding : findings) sink(std::move(finding));
}

}  // namespace

Finding& LintFindings::add(bool certain, LintKind const& kind, std::string message,
                           std::optional<std::string> fix) const {
    auto const& assignment = subject_.assignment;
    certain = certain && assignment.exported;
    auto& finding =
        findings_.emplace_back(make_finding(kind.id, certain ? kind.verdict : Verdict::info, "host",
                                            fmt::format("{}: {}", assignment.name, message)));
    finding.setting = place_of(kind, assignment);
    finding.setting->certain = certain;
    finding.setting->fix = fix_for(assignment, fix ? std::move(*fix) : removal(assignment.name));
    if (subject_.variable != nullptr) {
        // What is said of the variable tells more than what is said of the class.
        finding.sources.clear();
        for (auto const* source : subject_.variable->sources)
            finding.sources.push_back(reference_of(*source));
    }
    return finding;
}

void mend_by(Finding& finding, Repair::Kind kind, std::string text) {
    auto& place = *finding.setting;
    if (!place.certain) return;
    place.repair = {.kind = kind,
                    .text = std::move(text),
                    .name = place.name,
                    .line = place.line,
                    .column = place.column};
}

bool is_in_order(LintSubject const& subject, std::string_view name, std::string_view value) {
    auto changed = subject.assignment;
    changed.name = name;
    changed.value = value;
    return std::ranges::all_of(lint({&changed, 1}, subject.context), [](Finding const& finding) {
        // What an override does, it does before and after.
        return finding.verdict == Verdict::info || finding.id == gfx_override.id;
    });
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

std::vector<Assignment> environment_settings(Host const& host) {
    std::vector<Assignment> assignments;
    if (!host.environment) return assignments;
    for (auto const& [name, value] : *host.environment)
        assignments.push_back({.name = name, .value = value});
    return assignments;
}

void lint(std::span<Assignment const> assignments, LintContext const& context,
          FindingSink const& sink) {
    std::vector<LintSubject> subjects;
    subjects.reserve(assignments.size());
    for (auto const& assignment : assignments)
        subjects.push_back(
            {assignment, find_variable(context.catalogue, assignment.name), context});
    Places const places(assignments);
    auto conflicts = conflicts_of(subjects, places);
    auto const ordered = in_order(subjects, places);
    for (auto subject = ordered.begin(); subject != ordered.end();) {
        auto const place = places.of((*subject)->assignment);
        std::vector<Finding> findings;
        for (; subject != ordered.end() && places.of((*subject)->assignment) == place; ++subject)
            for (auto const judge : judges) judge(**subject, {**subject, findings});
        auto const [first, last] = conflicts.equal_range(place);
        for (auto it = first; it != last; ++it) findings.push_back(std::move(it->second));
        hand_on(std::move(findings), sink);
    }
}

bool joins(Finding& kept, Finding& other) {
    auto const setting_of = [](Finding const& finding) {
        auto const& at = *finding.setting;
        return std::tie(at.file, at.line, at.column, at.name);
    };
    if (setting_of(kept) != setting_of(other)) return false;
    auto const grade = [](Finding const& finding) {
        return std::pair(finding.verdict, finding.setting->certain);
    };
    if (grade(other) > grade(kept)) std::swap(kept, other);
    auto const name_and_colon = other.setting->name.size() + 2;
    kept.evidence.push_back(
        {fmt::format("also {} ({})", word_of(other.setting->lint_class), other.id),
         other.message.substr(name_and_colon)});
    std::ranges::move(other.evidence, std::back_inserter(kept.evidence));
    return true;
}

std::vector<Finding> lint(std::span<Assignment const> assignments, LintContext const& context) {
    std::vector<Finding> findings;
    lint(assignments, context, [&](Finding finding) { findings.push_back(std::move(finding)); });
    return findings;
}

}  // namespace rocmtune
