// SPDX-License-Identifier: MIT
// rocmtune report from the outside: parts, files, formats, exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "show/layout.hpp"
#include "support/read_reports.hpp"
#include "support/reports.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::ordered_json;
using testing::AllOf;
using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

Outcome report(std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    return run(words);
}

ordered_json document_of(std::vector<std::string> words) {
    words.emplace_back("--json");
    return ordered_json::parse(report(words).out);
}

std::string file(Directory const& place, std::string const& name, json const& document) {
    write_file(place / name, document.dump());
    return place / name;
}

class ReportOfHost : public testing::TestWithParam<std::string> {};

TEST_P(ReportOfHost, has_its_parts_and_is_read_back_as_it_was) {
    Directory const place;
    auto const first =
        report({"--replay", host_file(GetParam()), "--json", "-o", place / "a.json"});
    EXPECT_THAT(first.code, AnyOf(Eq(0), Eq(1), Eq(3))) << first.err;
    auto document = ordered_json::parse(content_of(place / "a.json"));
    for (auto const* key : {"host", "recommendations", "settings", "findings", "summary"})
        EXPECT_TRUE(document.contains(key)) << key;
    auto again = document_of({place / "a.json"});
    ASSERT_EQ(again.at("inputs").size(), 1U);
    EXPECT_EQ(again["inputs"][0].at("command"), "report");
    for (auto* one : {&document, &again}) one->erase("inputs");
    EXPECT_TRUE(document == again) << nlohmann::json::diff(document, again).dump(1).substr(0, 2000);
}

TEST_P(ReportOfHost, says_in_its_parts_what_the_commands_say) {
    auto const whole = document_of({"--replay", host_file(GetParam())});
    auto const part = [&](std::string const& command, std::vector<std::string> words = {}) {
        words.insert(words.begin(), {command, "--replay", host_file(GetParam()), "--json"});
        return ordered_json::parse(run(words).out);
    };
    EXPECT_EQ(whole.at("host"), part("probe").at("host"));
    auto const advice = part("env");
    EXPECT_EQ(whole.at("recommendations"), advice.at("recommendations"));
    EXPECT_EQ(whole.at("settings"), advice.at("settings"));
    // What lint finds is told once, by its own part.
    auto findings = part("check", {"--skip", "lint"}).at("findings");
    auto const lint = part("lint");
    for (auto const& finding : lint.at("findings")) findings.push_back(finding);
    EXPECT_EQ(whole.at("findings"), findings);
}

TEST_P(ReportOfHost, fits_the_screen) {
    for (auto const* columns : {"80", "100"}) {
        auto launch = rocmtune_with({"report", "--replay", host_file(GetParam())});
        launch.environment["COLUMNS"] = columns;
        std::istringstream lines(run(launch).out);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(display_width(line), std::stoul(columns)) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ReportOfHost, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(Report, leaves_out_what_was_not_asked_for) {
    auto const document = document_of({"--replay", host_file("mi300x-x8"), "--parts", "lint"});
    EXPECT_EQ(document.at("parts"), ordered_json({"probe", "lint"}));
    EXPECT_FALSE(document.contains("recommendations"));
    EXPECT_FALSE(document.at("summary").contains("level"));
    EXPECT_TRUE(document.at("summary").contains("texts"));
}

TEST(Report, is_fine_on_a_host_without_gpu) {
    EXPECT_EQ(report({"--replay", host_file("no-gpu")}).code, 0);
    EXPECT_EQ(run({"check", "--replay", host_file("no-gpu")}).code, 4);
}

TEST(Report, does_not_call_the_defaults_right_where_gpus_could_not_be_read) {
    Directory const directory;
    std::filesystem::create_directories(directory / "sys/class/drm");
    auto const text = report({"--root", directory.path(), "--parts", "env"}).out;
    EXPECT_THAT(text, HasSubstr("some could not be decided"));
    EXPECT_THAT(text, testing::Not(HasSubstr("nothing has to be set")));
}

TEST(Report, has_the_exit_code_of_its_findings) {
    auto const degraded = host_file("mi300x-degraded");
    EXPECT_EQ(report({"--replay", degraded}).code, 1);
    EXPECT_EQ(report({"--replay", degraded, "--fail-on", "never"}).code, 0);
    EXPECT_EQ(report({"--replay", degraded, "--format", "html"}).code, 1);
    Directory const place;
    (void)report({"--replay", degraded, "--json", "-o", place / "a.json"});
    EXPECT_EQ(report({place / "a.json"}).code, 1);
    EXPECT_EQ(report({place / "a.json", "--fail-on", "never"}).code, 0);
}

TEST(Report, does_not_measure_a_recording_and_says_what_to_do) {
    auto const result = report({"--replay", host_file("mi300x-x8"), "--parts", "bench"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("a recorded host cannot be measured\n  rocmtune bench"));
}

TEST(Report, puts_what_was_measured_beside_what_was_checked) {
    Directory const place;
    (void)run({"check", "--replay", host_file("mi300x-x8"), "--json", "-o", place / "check.json"});
    auto bench =
        ordered_json::parse(run({"probe", "--replay", host_file("mi300x-x8"), "--json"}).out);
    bench["command"] = "bench";
    bench["measurements"] = {measurement(0, 4000, 5)};
    auto const measured = file(place, "bench.json", bench);
    auto const document = document_of({place / "check.json", measured});
    EXPECT_EQ(document.at("measurements").size(), 1U);
    EXPECT_EQ(document.at("inputs").size(), 2U);
    EXPECT_EQ(document.at("summary").at("gpus_to_test"), 8);
    bench["measurements"][0]["status"] = "wrong-result";
    bench["measurements"][0]["value"] = nullptr;
    EXPECT_EQ(report({file(place, "wrong.json", bench)}).code, 1);
}

TEST(Report, measures_when_it_is_asked_to) {
    auto const result = report({"--parts", "bench", "--quick", "--time", "0.01", "--json"});
    EXPECT_THAT(result.code, AnyOf(Eq(0), Eq(1))) << result.err;
    auto const document = ordered_json::parse(result.out);
    EXPECT_EQ(document.at("parts"), ordered_json({"probe", "bench"}));
    ASSERT_FALSE(document.at("measurements").empty()) << result.err;
    EXPECT_EQ(document.at("measurements")[0].at("benchmark"), "bandwidth");
}

TEST(Report, refuses_files_with_the_next_step) {
    Directory const place;
    auto const good = file(place, "a.json", small_report("a", 1));
    auto const other = file(place, "b.json", small_report("b", 1));
    std::vector<std::pair<std::vector<std::string>, std::string>> const rows{
        {{good, other}, "are reports of different hosts: a and b\n  report shows one host"},
        {{place / "none.json"}, "cannot read"},
        {{place.path()}, "it is a directory\n  report takes files of one host"},
        {{host_file("no-gpu")}, "this is a recording and no report"},
        {{good, "--replay", host_file("no-gpu")}, "--replay and report files exclude each other"},
        {{good, "--parts", "bench"}, "--parts and report files exclude each other"},
        {{"--quick"}, "--quick belongs to the part bench\n  add --parts"},
        {{"-", "-"}, "standard input can be one"},
        {{"--parts", "lnt"}, "--parts knows no part 'lnt'\n  did you mean 'lint'?"},
        {{"--parts", ""}, "--parts needs a PART,..."},
        {{good, "--format", "sarif"}, "--format cannot be 'sarif'"},
    };
    for (auto const& [words, says] : rows) {
        auto const result = report(words);
        EXPECT_EQ(result.code, 2) << words.front();
        EXPECT_THAT(result.err, HasSubstr(says));
    }
}

/// Every row of the flat form, parsed.
std::vector<json> rows_of(std::string const& text) {
    std::vector<json> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line));
    return rows;
}

TEST(Report, has_rows_without_structure_for_databases) {
    auto const rows =
        rows_of(report({"--replay", host_file("mi300x-degraded"), "--format", "ndjson"}).out);
    std::map<std::string, std::size_t> types;
    for (auto const& row : rows) {
        ++types[row.at("type").get<std::string>()];
        EXPECT_TRUE(row.contains("host"));
        for (auto const& [key, value] : row.items())
            EXPECT_TRUE(value.is_primitive()) << row.at("type") << ' ' << key;
    }
    for (auto const* type : {"report", "host", "gpu", "finding", "recommendation", "missing"})
        EXPECT_GT(types[type], 0U) << type;
    EXPECT_EQ(types["gpu"],
              document_of({"--replay", host_file("mi300x-degraded")}).at("host").at("gpus").size());
}

TEST(Report, shows_what_diagnose_and_builds_answered) {
    Directory const place;
    auto const host = host_file("mi300x-x8");
    (void)run({"check", "--replay", host, "--json", "-o", place / "check.json"});
    (void)run({"diagnose", "HIP error: invalid device function", "--replay", host, "--json", "-o",
               place / "diagnose.json"});
    (void)run({"builds", "--replay", host, "--json", "-o", place / "builds.json"});
    auto const shown = [&](std::string const& format) {
        return report({place / "check.json", place / "diagnose.json", place / "builds.json",
                       "--format", format})
            .out;
    };
    auto const document = ordered_json::parse(shown("json"));
    for (auto const* part : {"diagnosis", "builds"})
        EXPECT_EQ(document.at(part),
                  ordered_json::parse(
                      content_of(place /
                                 (part == std::string("builds") ? "builds.json" : "diagnose.json")))
                      .at(part));
    std::set<std::string> types;
    for (auto const& row : rows_of(shown("ndjson"))) types.insert(row.at("type"));
    for (auto const* type : {"diagnosis", "symptom", "cause", "build"})
        EXPECT_TRUE(types.contains(type)) << type;
    EXPECT_THAT(shown("prom"), AllOf(HasSubstr("rocmtune_diagnosis_cause{id=\"RT3712\""),
                                     HasSubstr("rocmtune_builds_run_here{framework=\"torch\"} 1"),
                                     HasSubstr("rocmtune_check_advisory{id=\"RT9015\"")));
    for (auto const* format : {"text", "markdown", "html"})
        EXPECT_THAT(shown(format), AllOf(HasSubstr("Diagnosis"), HasSubstr("RT3712"),
                                         HasSubstr("Builds that have code for these GPUs")))
            << format;
}

TEST(Report, gives_the_same_bytes_every_time) {
    for (auto const* format : {"json", "ndjson", "markdown", "prom", "html", "text"}) {
        auto const once = report({"--replay", host_file("mi300x-x8"), "--format", format}).out;
        EXPECT_EQ(once, report({"--replay", host_file("mi300x-x8"), "--format", format}).out);
        EXPECT_FALSE(once.empty());
    }
}

class HostileReportPage : public testing::TestWithParam<std::pair<std::string, std::string>> {};

/// Names and values that want to be more than text, in every field that a stranger's report has.
TEST_P(HostileReportPage, is_inert_in_every_format) {
    auto const valid = json(GetParam().second).dump(-1, ' ', true, json::error_handler_t::replace);
    auto const hostile = json::parse(valid).get<std::string>();
    Directory const place;
    auto document = small_report(hostile, 2);
    document["host"]["environment"] = {{hostile, hostile}};
    document["host"]["distribution"] = hostile;
    auto& gpu = document["host"]["gpus"][0];
    for (auto const* key : {"marketing_name", "pci_address", "driver", "vbios_version"})
        gpu[key] = hostile;
    gpu["_sources"] = {{"marketing_name", hostile}};
    document["findings"] = {{{"id", hostile},
                             {"verdict", "fail"},
                             {"subject", hostile},
                             {"message", hostile},
                             {"next_step", hostile},
                             {"sources", {{{"title", hostile}, {"url", "javascript:" + hostile}}}},
                             {"evidence", {{{"source", hostile}, {"value", hostile}}}}}};
    document["recommendations"] = {{{"name", hostile},
                                    {"value", hostile},
                                    {"kind", hostile},
                                    {"why", hostile},
                                    {"sources", {{{"title", hostile}}}}}};
    auto one = measurement(0, 1, 0);
    one["metric"] = one["unit"] = one["benchmark"] = hostile;
    one["efficiency"] = 0.5;
    one["parameters"]["kernel"] = one["parameters"]["device"] = hostile;
    auto peer = measurement(0, 1, 0);
    peer["parameters"]["peer"] = hostile;
    document["measurements"] = {one, peer};
    auto const path = file(place, "hostile.json", document);
    for (auto const* format : {"text", "json", "ndjson", "markdown", "html", "prom"}) {
        auto const result = report({path, "--format", format});
        EXPECT_EQ(result.code, 1) << result.err;
        for (auto const c : result.out)
            ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << format;
        auto const is_page = std::string_view(format) == "html";
        if (is_page || std::string_view(format) == "markdown") {
            EXPECT_THAT(result.out, Not(HasSubstr("<script>alert"))) << format;
            EXPECT_THAT(result.out, Not(HasSubstr("href=\"javascript:"))) << format;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Texts, HostileReportPage, testing::ValuesIn(hostile_texts()),
                         [](auto const& row) { return row.param.first; });

}  // namespace
}  // namespace rocmtune::test
