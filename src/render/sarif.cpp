// SPDX-License-Identifier: MIT
// SARIF 2.1.0, OASIS standard of 2020-03-27: one run, a rule for each id that was found.
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "build_info.hpp"
#include "render/json.hpp"
#include "render/lint.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

std::string_view level_of(Verdict verdict) {
    return verdict == Verdict::fail ? "error" : verdict == Verdict::warn ? "warning" : "note";
}

/// A relative path as a URI reference: bytes that have a meaning there are escaped.
std::string uri_of(std::string_view path) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    std::string uri;
    for (auto const c : path)
        uri += plain.find(c) == plain.npos ? fmt::format("%{:02X}", static_cast<unsigned char>(c))
                                           : std::string(1, c);
    return uri;
}

Json location(SettingPlace const& place) {
    Json physical{{"artifactLocation", {{"uri", uri_of(place.file)}}}};
    if (place.line > 0)
        physical["region"] = {{"startLine", place.line}, {"startColumn", place.column}};
    return {{"physicalLocation", std::move(physical)}};
}

Json result(Finding const& finding) {
    auto const& place = *finding.setting;
    Json entry{{"ruleId", finding.id},
               {"level", level_of(finding.verdict)},
               {"message", {{"text", printable(finding.message)}}}};
    // An environment has no file, and SARIF no place without one.
    entry["locations"] = Json::array();
    if (!place.file.empty()) entry["locations"].push_back(location(place));
    entry["properties"] = {{"class", word_of(place.lint_class)},
                           {"certain", place.certain},
                           {"name", printable(place.name)},
                           {"fix", printable(place.fix)}};
    return entry;
}

Json rules(std::vector<Finding> const& findings) {
    std::map<std::string, Finding const*> first;
    for (auto const& finding : findings) first.emplace(finding.id, &finding);
    auto list = Json::array();
    for (auto const& [id, finding] : first)
        list.push_back({{"id", id}, {"name", word_of(finding->setting->lint_class)}});
    return list;
}

}  // namespace

std::string lint_sarif(Report const& report, TextStyle const&) {
    std::vector<Finding> found;
    for (auto const& finding : report.findings)
        if (finding.setting) found.push_back(finding);
    auto results = Json::array();
    for (auto const& finding : found) results.push_back(result(finding));
    Json const driver{{"name", "rocmtune"}, {"version", tool_version}, {"rules", rules(found)}};
    Json const document{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs", Json::array({{{"tool", {{"driver", driver}}}, {"results", results}}})}};
    return json_text(document, true);
}

}  // namespace rocmtune
