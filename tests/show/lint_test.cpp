// SPDX-License-Identifier: MIT
// What lint prints: for people, for GitHub, for code scanning and as JSON.
#include "show/lint.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "codec/json.hpp"

namespace rocmtune {
namespace {

Finding finding(std::string id, Verdict verdict, SettingPlace place) {
    Finding result{.id = std::move(id),
                   .verdict = verdict,
                   .action = Action::config,
                   .subject = "host",
                   .message = place.name + ": why",
                   .evidence = {{"catalogue", "it costs bandwidth"}}};
    result.setting = std::move(place);
    return result;
}

Report report() {
    Report result;
    result.command = "lint";
    result.lint = LintSummary{.texts = 2, .assignments = 3, .accepted = 1};
    result.findings = {
        finding("RT5006", Verdict::warn,
                {.lint_class = LintClass::debug_left_on,
                 .certain = true,
                 .file = "a b.sh",
                 .line = 7,
                 .column = 8,
                 .name = "HSA_ENABLE_SDMA",
                 .value = "0",
                 .fix = "unset HSA_ENABLE_SDMA",
                 .excerpt = "HSA_ENABLE_SDMA=0"}),
        finding("RT5012", Verdict::info, {.lint_class = LintClass::unknown_name, .name = "HIP_X"})};
    return result;
}

TEST(LintText, shows_place_setting_and_fix) {
    EXPECT_EQ(lint_text(report(), {}),
              "a b.sh:7:8 warn RT5006 debug-left-on\n"
              "    HSA_ENABLE_SDMA: why\n"
              "    HSA_ENABLE_SDMA=0\n"
              "    do: unset HSA_ENABLE_SDMA\n"
              "\n"
              "debug-left-on: 1 warn\n"
              "unknown-name: 1 info: HIP_X\n"
              "3 settings in 2 texts: 1 warn, 1 info; 1 accepted\n");
}

TEST(LintText, shows_evidence_when_it_is_verbose) {
    auto const text = lint_text(report(), {.verbosity = 1});
    EXPECT_NE(text.find("catalogue: it costs bandwidth"), std::string::npos);
}

TEST(LintText, shows_notes_one_by_one_when_it_is_verbose) {
    auto const text = lint_text(report(), {.verbosity = 1});
    EXPECT_NE(text.find("environment info RT5012 unknown-name\n    HIP_X: why\n"),
              std::string::npos);
    EXPECT_NE(text.find("unknown-name: 1 info\n"), std::string::npos);
}

TEST(LintText, has_the_worst_first) {
    auto unsorted = report();
    unsorted.findings.push_back(finding("RT5004", Verdict::fail, {.name = "HIP_Y"}));
    auto const text = lint_text(unsorted, {});
    EXPECT_LT(text.find("HIP_Y: why"), text.find("HSA_ENABLE_SDMA: why"));
}

TEST(LintText, names_the_first_notes_of_a_class) {
    auto many = report();
    for (int i = 0; i < 9; ++i)
        many.findings.push_back(
            finding("RT5012", Verdict::info, {.file = "x.sh", .line = 3, .name = "HIP_Z"}));
    EXPECT_NE(lint_text(many, {}).find(
                  "unknown-name: 10 info: HIP_X, x.sh:3 HIP_Z, x.sh:3 HIP_Z and 7 more\n"),
              std::string::npos);
}

TEST(LintText, shortens_a_long_setting) {
    auto wide = report();
    wide.findings[0].setting->excerpt = std::string(6000, 'x');
    EXPECT_EQ(lint_text(wide, {}).find(std::string(97, 'x')), std::string::npos);
}

TEST(LintText, fits_the_screen_whatever_the_file_is_called) {
    auto hostile = report();
    hostile.findings[0].setting->file = "\x1b[31m\n.sh";
    auto const text = lint_text(hostile, {});
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(LintGithub, annotates_lines) {
    EXPECT_EQ(lint_github(report(), {}),
              "::warning file=a b.sh,line=7,col=8,title=RT5006 debug-left-on::HSA_ENABLE_SDMA: "
              "why%0Ado: unset HSA_ENABLE_SDMA\n"
              "::notice title=RT5012 unknown-name::HIP_X: why\n"
              "3 settings in 2 texts: 1 warn, 1 info; 1 accepted\n");
}

TEST(LintSarif, has_a_result_with_its_place_for_each_finding) {
    auto const document = nlohmann::json::parse(lint_sarif(report(), {}));
    EXPECT_EQ(document["version"], "2.1.0");
    auto const& run = document["runs"][0];
    EXPECT_EQ(run["tool"]["driver"]["name"], "rocmtune");
    EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 2u);
    auto const& result = run["results"][0];
    EXPECT_EQ(result["ruleId"], "RT5006");
    EXPECT_EQ(result["level"], "warning");
    auto const& physical = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(physical["artifactLocation"]["uri"], "a%20b.sh");
    EXPECT_EQ(physical["region"]["startLine"], 7);
    EXPECT_EQ(physical["region"]["startColumn"], 8);
    EXPECT_TRUE(run["results"][1]["locations"].empty());
}

TEST(LintJson, puts_the_setting_beside_the_finding) {
    auto const document = to_json(report());
    auto const& first = document["findings"][0];
    EXPECT_EQ(first["id"], "RT5006");
    EXPECT_EQ(first["class"], "debug-left-on");
    EXPECT_EQ(first["certain"], true);
    EXPECT_EQ(first["line"], 7);
    EXPECT_EQ(first["value"], "0");
    EXPECT_TRUE(document["findings"][1]["value"].is_null());
    EXPECT_FALSE(first.contains("excerpt"));
    EXPECT_EQ(document["summary"]["settings"], 3);
    EXPECT_EQ(document["summary"]["verdicts"]["warn"], 1);
}

TEST(LintSteps, make_the_document_that_is_made_at_once) {
    for (bool const any : {true, false}) {
        auto whole = report();
        if (!any) whole.findings.clear();
        EXPECT_EQ(document_of("json", whole, {}), json_text(to_json(whole), true));
        EXPECT_EQ(document_of("ndjson", whole, {}), json_text(to_json(whole), false));
    }
}

TEST(LintSteps, keep_the_sums_of_findings_that_are_gone) {
    for (auto const* name : {"text", "json", "ndjson", "github", "sarif"}) {
        auto const& format = finding_format(name);
        auto const expected = document_of(name, report(), {});
        auto rest = report();
        std::string findings;
        for (auto const& it : std::exchange(rest.findings, {})) {
            findings += format.finding(it, findings.empty(), {});
            count_as_written(it, *rest.lint);
        }
        EXPECT_EQ(format.head(rest, {}) + findings + format.tail(rest, {}), expected) << name;
    }
}

}  // namespace
}  // namespace rocmtune
