// SPDX-License-Identifier: MIT
// SARIF 2.1.0, OASIS standard of 2020-03-27: one run, a rule for each id that was found.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "build_info.hpp"
#include "codec/json.hpp"
#include "show/lint.hpp"

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

/// SARIF counts columns in UTF-16 code units unless told otherwise, we count bytes.
Json fix(SettingPlace const& place) {
    auto replacements = Json::array();
    for (auto const& change : place.changes)
        replacements.push_back({{"deletedRegion",
                                 {{"startLine", change.line},
                                  {"startColumn", change.column},
                                  {"endLine", change.end_line},
                                  {"endColumn", change.end_column}}},
                                {"insertedContent", {{"text", change.text}}}});
    return {{"description", {{"text", printable(place.fix)}}},
            {"artifactChanges", Json::array({{{"artifactLocation", {{"uri", uri_of(place.file)}}},
                                              {"replacements", std::move(replacements)}}})}};
}

Json result(Finding const& finding) {
    auto const& place = *finding.setting;
    Json entry{{"ruleId", finding.id},
               {"level", level_of(finding.verdict)},
               {"message", {{"text", printable(finding.message)}}}};
    // An environment has no file, and SARIF no place without one.
    entry["locations"] = Json::array();
    if (!place.file.empty()) entry["locations"].push_back(location(place));
    if (!place.changes.empty() && place.changes.front().is_ascii)
        entry["fixes"] = Json::array({fix(place)});
    entry["properties"] = {{"class", word_of(place.lint_class)},
                           {"certain", place.certain},
                           {"name", printable(place.name)},
                           {"fix", printable(place.fix)}};
    return entry;
}

/// A rule for each id, sorted.
Json rules(Report const& report) {
    auto kinds = report.lint->written_kinds;
    for (auto const& finding : report.findings)
        if (finding.setting) kinds.emplace(finding.id, finding.setting->lint_class);
    auto list = Json::array();
    for (auto const& [id, lint_class] : kinds)
        list.push_back({{"id", id}, {"name", word_of(lint_class)}});
    return list;
}

constexpr std::size_t depth_of_results = 3;

/// The document around its results.
struct Frame {
    std::string head, tail;
};

Frame frame(Report const& report) {
    Json const driver{{"name", "rocmtune"}, {"version", tool_version}, {"rules", rules(report)}};
    Json const run{{"tool", {{"driver", driver}}}, {"results", Json::array()}};
    auto const text = json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                 {"version", "2.1.0"},
                                 {"runs", Json::array({run})}},
                                true);
    constexpr std::string_view no_results = "[]";
    auto const at = text.rfind(no_results);
    return {text.substr(0, at), text.substr(at + no_results.size())};
}

std::string sarif_head(Report const& report, TextStyle const&) {
    return frame(report).head;
}

std::string sarif_result(Finding const& finding, bool is_first, TextStyle const&) {
    return json_element(result(finding), is_first, depth_of_results, true);
}

std::string sarif_tail(Report const& report, TextStyle const&) {
    bool const is_empty = rules(report).empty();
    return json_list_end(is_empty, depth_of_results, true) + frame(report).tail;
}

}  // namespace

FindingFormat const lint_sarif_format{"sarif", sarif_head, sarif_result, sarif_tail, true};

std::string lint_sarif(Report const& report, TextStyle const& style) {
    return document_of("sarif", report, style);
}

}  // namespace rocmtune
