// SPDX-License-Identifier: MIT
#include "commands/verified.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "measure/earlier_report.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// The findings of the report that verify has measured; none if no report was named.
std::vector<Finding> findings_of(Arguments const& arguments) {
    auto const file = arguments.value("--verified");
    if (!file) return {};
    auto report = earlier_report(arguments, *file);
    std::erase_if(report.findings, [](Finding const& finding) { return !finding.verified; });
    if (!report.verify && report.findings.empty())
        throw Error(fmt::format("{} is no report of rocmtune verify", printable(*file)),
                    "write one with rocmtune verify --json -o FILE");
    return std::move(report.findings);
}

}  // namespace

std::vector<HarmfulSetting> verified_findings(Arguments const& arguments) {
    std::vector<HarmfulSetting> harmful;
    for (auto const& finding : findings_of(arguments))
        if (finding.verified->verdict == SettingVerdict::harmful)
            harmful.push_back({finding.verified->name, finding.verified->value.value_or(""),
                               *arguments.value("--verified")});
    return harmful;
}

std::vector<std::string> verified_messages(Arguments const& arguments, std::string_view name) {
    std::vector<std::string> messages;
    for (auto const& finding : findings_of(arguments))
        if (finding.verified->name == name) messages.push_back(finding.message);
    return messages;
}

void drop_harmful(std::vector<HarmfulSetting> const& harmful, Advice& advice) {
    for (auto const& bad : harmful) {
        auto const erased = std::erase_if(advice.recommendations, [&](Recommendation const& item) {
            return item.name == bad.name && item.value == bad.value;
        });
        if (erased == 0) continue;
        Undecided dropped{.name = bad.name, .reason = "measured-harmful"};
        dropped.detail = fmt::format("{} was measured to be harmful: {}", bad.value, bad.report);
        auto const place =
            std::ranges::upper_bound(advice.undecided, bad.name, {}, &Undecided::name);
        advice.undecided.insert(place, std::move(dropped));
    }
}

}  // namespace rocmtune
