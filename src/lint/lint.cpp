// SPDX-License-Identifier: MIT
#include "lint/lint.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "lint/judgement.hpp"

namespace rocmtune {
namespace {

/// All of them see every assignment that sets something.
constexpr void (*judges[])(LintSubject const&, LintFindings&) = {
    judge_name,         judge_readers,      judge_value,
    judge_owner,        judge_override,     judge_secret,
    judge_architecture, judge_code_loading, judge_allocator_options,
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

/// Conflicts are found last; each goes to its line. The order of the files stays.
void sort_by_place(std::vector<Finding>& findings) {
    std::map<std::string, std::size_t> files;
    for (auto const& finding : findings) files.emplace(finding.setting->file, files.size());
    // Equal keys keep their order in a multimap.
    std::multimap<std::tuple<std::size_t, std::size_t, std::size_t, std::string>, Finding> sorted;
    for (auto& finding : findings) {
        auto const& place = *finding.setting;
        std::tuple key(files.at(place.file), place.line, place.column, finding.id);
        sorted.emplace(std::move(key), std::move(finding));
    }
    findings.clear();
    for (auto& [key, finding] : sorted) findings.push_back(std::move(finding));
}

/// A line that takes part in several environments (YAML's anchors, env of a workflow) is judged in
/// each of them, and said once. The findings are sorted by place.
void merge_equal(std::vector<Finding>& findings) {
    auto const is_equal = [](Finding const& a, Finding const& b) {
        auto const& one = *a.setting;
        auto const& other = *b.setting;
        return one.line > 0 && one.file == other.file && one.line == other.line &&
               one.column == other.column && one.name == other.name && a.id == b.id &&
               a.message == b.message;
    };
    findings.erase(std::unique(findings.begin(), findings.end(), is_equal), findings.end());
}

}  // namespace

std::vector<Assignment> environment_settings(Host const& host) {
    std::vector<Assignment> assignments;
    if (!host.environment) return assignments;
    for (auto const& [name, value] : *host.environment)
        assignments.push_back({.name = name, .value = value});
    return assignments;
}

std::vector<Finding> lint(std::span<Assignment const> assignments, LintContext const& context) {
    std::vector<LintSubject> subjects;
    for (auto const& assignment : assignments)
        subjects.push_back(
            {assignment, find_variable(context.catalogue, assignment.name), context});
    LintFindings findings;
    for (auto const& subject : subjects)
        if (!subject.assignment.unset)
            for (auto const judge : judges) judge(subject, findings);
    for (auto const& [scope, environment] : environments(subjects))
        judge_conflicts(environment, findings);
    auto result = findings.take();
    sort_by_place(result);
    merge_equal(result);
    return result;
}

}  // namespace rocmtune
