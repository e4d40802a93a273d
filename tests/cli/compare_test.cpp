// SPDX-License-Identifier: MIT
// rocmtune compare from the outside: files, formats, exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "show/layout.hpp"
#include "support/read_reports.hpp"
#include "support/reports.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Reports as files of a directory of their own.
class Files {
  public:
    std::string operator()(std::string const& name, json const& report) const {
        write_file(place_ / name, report.dump(2));
        return place_ / name;
    }
    std::string text(std::string const& name, std::string const& content) const {
        write_file(place_ / name, content);
        return place_ / name;
    }
    /// What a command prints of a test host.
    std::string of_host(std::string const& command, std::string const& host) const {
        auto const path = place_ / (command + '-' + host + ".json");
        (void)run({command, "--replay", host_file(host), "--json", "-o", path});
        return path;
    }
    std::string path(std::string const& name) const { return place_ / name; }

  private:
    Directory place_;
};

TEST(Compare, says_in_text_what_the_degraded_host_has_otherwise) {
    Files const files;
    auto const result = run({"compare", files.of_host("check", "mi300x-x8"),
                             files.of_host("check", "mi300x-degraded")});
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("mi300x-22, 4 GPUs"),
                                  HasSubstr("only in A    0000:05:00.0"), HasSubstr("RT3301"),
                                  HasSubstr("link_current_width"), HasSubstr("not known")));
}

TEST(Compare, shows_apart_what_is_apart) {
    Files const files;
    auto const a = files.of_host("probe", "mi300x-x8");
    auto const b = files.of_host("probe", "mi300x-degraded");
    auto launch = rocmtune_with({"compare", a, b});
    launch.environment["COLUMNS"] = "80";
    auto const text = run(launch).out;
    EXPECT_NE(text.find("unlimited"), text.npos) << text;
    // A path that needs several lines goes on below its beginning.
    std::vector<std::string> paths;
    for (auto const line : lines(text)) {
        if (line.starts_with(" health ")) paths.emplace_back(words(line).at(1));
        else if (line.starts_with("            ") && !paths.empty()) paths.back() += trim(line);
        else if (!paths.empty()) break;
    }
    EXPECT_THAT(paths,
                testing::IsSupersetOf({"ras_blocks[umc].correctable",
                                       "ras_blocks[gfx].uncorrectable", "pcie_replay_count"}))
        << text;
}

TEST(Compare, is_quiet_about_a_report_and_itself) {
    Files const files;
    for (auto const* host : {"mi300x-x8", "igpu-and-dgpu", "no-gpu", "mi300x-cpx"}) {
        auto const path = files.of_host("check", host);
        auto const result = run({"compare", path, path, "--json"});
        EXPECT_EQ(result.code, 0) << host;
        auto const document = json::parse(result.out);
        auto const& comparison = document.at("comparison");
        EXPECT_EQ(comparison.at("facts"), comparison.at("equal"));
        EXPECT_TRUE(comparison.at("differences").empty()) << comparison.at("differences");
        EXPECT_TRUE(comparison.at("findings").empty());
        EXPECT_TRUE(document.at("findings").empty());
        EXPECT_TRUE(comparison.at("same_host").get<bool>());
    }
}

TEST(Compare, keeps_plain_values_in_its_document) {
    Files const files;
    auto a = small_report("a", 1);
    auto b = a;
    a["host"]["gpus"][0]["link_current_width"] = 16;
    b["host"]["gpus"][0]["link_current_width"] = 8;
    auto const document =
        json::parse(run({"compare", files("a.json", a), files("b.json", b), "--json"}).out);
    EXPECT_EQ(document.at("comparison").at("differences"),
              json::parse(R"([{"subject": "0000:00:00.0", "fact": "link_current_width",
                               "kind": "hardware", "change": "changed", "a": 16, "b": 8,
                               "reason": null}])"));
}

class HostileReport : public testing::TestWithParam<std::pair<std::string, std::string>> {};

/// Names and values that want to be more than text.
TEST_P(HostileReport, is_inert_in_every_format) {
    auto const& text = GetParam().second;
    auto const valid = json(text).dump(-1, ' ', true, json::error_handler_t::replace);
    auto const hostile = json::parse(valid).get<std::string>();
    Files const files;
    auto a = small_report("a", 2);
    auto b = small_report(hostile, 2);
    b["host"]["environment"] = {{hostile, hostile}};
    b["host"]["gpus"][0]["vbios_version"] = hostile;
    b["host"]["gpus"][1]["pci_address"] = hostile;
    b["findings"] = {
        {{"id", "RT1001"}, {"verdict", "warn"}, {"subject", hostile}, {"message", hostile}}};
    auto m = measurement(0, 1, 0);
    m["metric"] = m["unit"] = hostile;
    m["parameters"]["kernel"] = hostile;
    a["measurements"] = {m};
    m["value"] = m["low"] = m["high"] = 2;
    b["measurements"] = {m, m};
    for (auto const* columns : {"80", "100"})
        for (auto const* format : {"text", "markdown", "json", "ndjson"}) {
            auto launch = rocmtune_with(
                {"compare", files("a.json", a), files("b.json", b), "-v", "--format", format});
            launch.environment["COLUMNS"] = columns;
            auto const result = run(launch);
            EXPECT_EQ(result.code, 0) << result.err;
            for (auto const c : result.out)
                EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << format;
            if (std::string(format) == "markdown") {
                EXPECT_THAT(result.out, Not(HasSubstr("<script")));
            } else if (std::string(format) == "text") {
                std::istringstream lines(result.out);
                for (std::string line; std::getline(lines, line);)
                    EXPECT_LE(display_width(line), std::stoul(columns)) << line;
            } else {
                EXPECT_TRUE(json::accept(result.out)) << format;
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Texts, HostileReport, testing::ValuesIn(hostile_texts()),
                         [](auto const& row) { return row.param.first; });

TEST(Compare, reads_one_report_from_standard_input_or_several_documents_not_at_all) {
    Files const files;
    auto const a = files("a.json", small_report("a", 1));
    auto const both = run({"compare", "-", "-"});
    EXPECT_EQ(both.code, 2);
    EXPECT_THAT(both.err, HasSubstr("standard input can be one of the two"));
    auto const empty = run({"compare", a, "-"});
    EXPECT_EQ(empty.code, 2);
    EXPECT_THAT(empty.err, HasSubstr("-: it is empty"));
    auto const line = small_report("a", 1).dump() + '\n';
    auto const many = run({"compare", a, files.text("many.ndjson", line + line)});
    EXPECT_EQ(many.code, 2);
    EXPECT_THAT(many.err, HasSubstr("it holds several documents\n  compare takes one of each"));
}

TEST(Compare, refuses_what_is_no_report_with_the_next_step) {
    Files const files;
    auto const good = files("a.json", small_report("a", 1));
    auto newer = small_report("a", 1);
    newer["schema_version"] = "3.1";
    std::vector<std::pair<std::string, std::string>> const bad{
        {files.path("none.json"), "cannot read"},
        {files.path(""), "cannot read"},
        {"/dev/zero", "it is no regular file"},
        {files.text("half.json", small_report("a", 1).dump(2).substr(0, 200)),
         "it ends in the middle of the document\n  copy or write it once more"},
        {files("newer.json", newer), "its schema_version is 3.1"},
        {host_file("mi300x-x8"), "this is a recording and no report\n  rocmtune probe --replay"},
        {files("error.json", {{"schema", "rocmtune-report"}, {"schema_version", "1.0"}}),
         "it has neither a host nor measurements\n  write one with"},
        {files.text("big.json", "{\n" + std::string(17 << 20, ' ') + '}'),
         "it is longer than 16 MiB"},
    };
    for (auto const& [path, says] : bad) {
        for (bool const first : {true, false}) {
            auto const result =
                run({"compare", first ? path : good, first ? good : path, "--json"});
            EXPECT_EQ(result.code, 2) << path;
            EXPECT_THAT(result.err, HasSubstr(says));
            EXPECT_EQ(json::parse(result.out).at("exit_code"), 2);
        }
    }
}

json measured(double value, double half) {
    auto report = small_report("a", 1);
    report["measurements"] = {measurement(0, value, half)};
    return report;
}

TEST(Compare, fails_a_gate_by_interval) {
    Files const files;
    auto const a = files("a.json", measured(1000, 1));
    auto const b = files("b.json", measured(950, 1));
    EXPECT_EQ(run({"compare", a, b}).code, 1);
    EXPECT_EQ(run({"compare", a, b, "--regression", "10%"}).code, 0);
    EXPECT_EQ(run({"compare", a, b, "--regression", "4"}).code, 1);
    EXPECT_EQ(run({"compare", b, a}).code, 0);
    EXPECT_EQ(run({"compare", a, b, "--fail-on", "never"}).code, 0);
    auto const text = run({"compare", a, b}).out;
    EXPECT_THAT(text, AllOf(HasSubstr("slower"), HasSubstr("-5.0 %"), HasSubstr("1 slower")));
}

TEST(Compare, does_not_pass_a_gate_that_judged_nothing) {
    Files const files;
    auto const a = files("a.json", small_report("a", 1));
    auto const b = files("b.json", measured(950, 1));
    EXPECT_EQ(run({"compare", a, b}).code, 0);
    auto const result = run({"compare", a, b, "--regression", "3%", "--json"});
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("no measurement could be compared"));
    EXPECT_EQ(json::parse(result.out).at("errors")[0].at("exit_code"), 3);
}

}  // namespace
}  // namespace rocmtune::test
