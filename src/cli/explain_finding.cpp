// SPDX-License-Identifier: MIT
#include "cli/explain_finding.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "checks/checks.hpp"
#include "checks/device_map.hpp"
#include "cli/data_files.hpp"
#include "cli/host_input.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    });
    return result;
}

/// The results of one id on a host; of ids that no check of the host gives, none.
std::vector<Finding> results_of(FindingKind const& kind, Arguments const& arguments) {
    auto const* check = find_check(kind.id);
    if (check == nullptr && !kind.id.starts_with("RT1")) return {};
    auto const host = read_host(arguments);
    if (check != nullptr) {
        CheckSelection selection;
        selection.level = CheckLevel::long_;
        selection.only = {std::string(kind.id)};
        return run_checks(host, chips_for(arguments), selection);
    }
    auto findings = judge_device_map(host);
    std::erase_if(findings, [&](Finding const& finding) { return finding.id != kind.id; });
    return findings;
}

std::string here_text(std::vector<Finding> const& findings) {
    std::string text;
    for (auto const& finding : findings) {
        auto const subject = finding.subject == "host" ? "" : finding.subject + ": ";
        text += fmt::format("{}{} {}{}", text.empty() ? "" : "; ", word_of(finding.verdict),
                            subject, finding.message);
    }
    return text;
}

}  // namespace

bool is_finding_id(std::string_view name) {
    auto const id = upper(name);
    return id.size() == 6 && id.starts_with("RT") &&
           id.find_first_not_of("0123456789", 2) == std::string::npos;
}

std::optional<Explanation> explain_finding(std::string_view name, Arguments const& arguments) {
    auto const* kind = find_finding_kind(upper(name));
    if (kind == nullptr) return std::nullopt;
    Explanation result{.name = std::string(kind->id), .kind = "finding", .status = "public"};
    result.summary = kind->title;
    result.effect = kind->meaning;
    if (auto const* check = find_check(kind->id))
        result.values = fmt::format("the check {} of the theme {}{}", check->name, check->theme,
                                    check->essential ? "; an essential one" : "");
    result.here = here_text(results_of(*kind, arguments));
    result.instead = kind->next_step;
    for (auto const& source : kind->sources)
        result.sources.push_back(
            {.title = std::string(source.title),
             .url = source.url.empty() ? std::nullopt : std::optional(std::string(source.url))});
    return result;
}

std::vector<std::string_view> near_findings(std::string_view name) {
    std::vector<std::string_view> ids;
    for (auto const& kind : all_finding_kinds()) ids.push_back(kind.id);
    auto const near = nearest(upper(name), ids);
    return near ? std::vector{*near} : std::vector<std::string_view>{};
}

}  // namespace rocmtune
