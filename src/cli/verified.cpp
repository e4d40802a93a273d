// SPDX-License-Identifier: MIT
#include "cli/verified.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "cli/data_files.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;

constexpr std::size_t report_cap_bytes = std::size_t{64} << 20;

/// The findings of the report; an empty list if none was named.
json findings_of(Arguments const& arguments) {
    auto const file = arguments.value("--verified");
    if (!file) return json::array();
    auto const document = parse_bounded<json>(user_file(*file, report_cap_bytes));
    auto const findings = document.is_object() ? document.find("findings") : document.end();
    if (!document.is_object() || text_member(document, "schema") != "rocmtune-report" ||
        findings == document.end() || !findings->is_array())
        throw Error(fmt::format("{} is no report of rocmtune verify", printable(*file)),
                    "write one with rocmtune verify --json -o FILE");
    return *findings;
}

}  // namespace

std::vector<HarmfulSetting> verified_findings(Arguments const& arguments) {
    std::vector<HarmfulSetting> harmful;
    for (auto const& finding : findings_of(arguments))
        if (finding.is_object() && text_member(finding, "verdict_setting") == "harmful")
            harmful.push_back({text_member(finding, "name"), text_member(finding, "value"),
                               *arguments.value("--verified")});
    return harmful;
}

std::vector<std::string> verified_messages(Arguments const& arguments, std::string_view name) {
    std::vector<std::string> messages;
    for (auto const& finding : findings_of(arguments))
        if (finding.is_object() && finding.contains("verdict_setting") &&
            text_member(finding, "name") == name)
            messages.push_back(text_member(finding, "message"));
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
