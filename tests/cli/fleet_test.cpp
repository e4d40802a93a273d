// SPDX-License-Identifier: MIT
// rocmtune fleet from the outside: directories, streams, formats, bad inputs, exit codes.
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
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string name_of(std::size_t number) {
    return "node" + std::to_string(100 + number);
}

/// Ten hosts, of which the eighth lacks a GPU.
std::vector<json> ten_hosts() {
    std::vector<json> reports;
    for (std::size_t i = 0; i < 10; ++i) reports.push_back(small_report(name_of(i), 2));
    reports[7]["host"]["gpus"].erase(0);
    return reports;
}

std::string lines_of(std::vector<json> const& reports) {
    std::string text;
    for (auto const& report : reports) text += report.dump() + '\n';
    return text;
}

TEST(Fleet, reads_a_directory_and_a_file_of_lines_alike) {
    Directory const place;
    std::filesystem::create_directories(place / "reports/rack1");
    auto const reports = ten_hosts();
    for (std::size_t i = 0; i < reports.size(); ++i)
        write_file(place / ("reports/" + std::string(i < 5 ? "rack1/" : "") + name_of(i) + ".json"),
                   reports[i].dump(i % 2 == 0 ? 2 : -1));
    write_file(place / "reports/README", "not a report");
    write_file(place / "all.ndjson", lines_of(reports));
    auto const directory = run({"fleet", place / "reports", "--json"});
    auto const file = run({"fleet", place / "all.ndjson", "--json"});
    EXPECT_EQ(directory.code, 1) << directory.err;
    EXPECT_EQ(directory.err, "");
    EXPECT_EQ(directory.out, file.out);
    auto const document = json::parse(directory.out);
    EXPECT_EQ(document.at("fleet").at("hosts"), 10);
    ASSERT_EQ(document.at("findings").size(), 1U);
    EXPECT_EQ(document.at("findings")[0].at("id"), "RT7101");
    EXPECT_EQ(document.at("findings")[0].at("subject"), "node107");
}

TEST(Fleet, gives_the_same_bytes_every_time) {
    Directory const place;
    auto reports = ten_hosts();
    for (std::size_t i = 0; i < 200; ++i) {
        reports.push_back(small_report(name_of(100 + i), 2));
        if (i % 3 == 0) reports.back()["host"]["gpus"][i % 2]["vbios_version"] = "113-0";
    }
    write_file(place / "all.ndjson", lines_of(reports));
    auto const first = run({"fleet", place / "all.ndjson", "--json"}).out;
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(run({"fleet", place / "all.ndjson", "--json"}).out, first);
}

/// One report as other writers put it down.
class Spread : public testing::TestWithParam<std::string> {};

TEST_P(Spread, over_lines_is_one_report_whatever_stands_in_the_first) {
    Directory const place;
    auto const report = place / "a.json";
    write_file(report, GetParam());
    auto const fleet = run({"fleet", report, "--json"});
    EXPECT_EQ(fleet.code, 0) << fleet.err;
    EXPECT_EQ(json::parse(fleet.out).at("fleet").at("hosts"), 1);
    EXPECT_EQ(run({"compare", report, report}).code, 0);
    // And with another one behind it.
    write_file(report, GetParam() + '\n' + small_report("late", 2).dump(2));
    auto const both = run({"fleet", report, "--json"});
    EXPECT_EQ(json::parse(both.out).at("fleet").at("hosts"), 2) << both.err;
}

std::string opened_with(std::string const& opening) {
    return opening + small_report("node", 2).dump(2).substr(1);
}

INSTANTIATE_TEST_SUITE_P(Fleet, Spread,
                         testing::Values("\n" + small_report("node", 2).dump(),
                                         " \n\n  " + small_report("node", 2).dump(2),
                                         opened_with("{ \"a\": [1], \"b\": \"}\\\"{\","),
                                         opened_with("{ \"a\": {\n}\n,")));

TEST(Fleet, a_first_report_that_is_cut_off_takes_none_with_it) {
    auto report = small_report("late", 2);
    auto const schema = report.at("schema").dump();
    report.erase("schema");
    auto const whole = "{\"schema\":" + schema + ',' + report.dump().substr(1);
    Directory const place;
    write_file(place / "all.json", whole.substr(0, whole.size() / 2) + '\n' + whole + '\n');
    auto const result = run({"fleet", place / "all.json", "--json"});
    EXPECT_THAT(result.err, HasSubstr("all.json: it ends in the middle of the document"));
    EXPECT_EQ(json::parse(result.out).at("fleet").at("skipped"), 1);
    EXPECT_EQ(json::parse(result.out).at("fleet").at("hosts"), 1);
}

TEST(Fleet, a_complaint_about_a_file_counts_its_lines) {
    Directory const place;
    write_file(place / "a.json", "\n{\n  \"schema\": ]\n}\n");
    EXPECT_THAT(run({"fleet", place / "a.json"}).err,
                HasSubstr("a.json: this is no JSON, from line 3, column 13"));
}

TEST(Fleet, names_and_skips_the_one_that_is_corrupt) {
    Directory const place;
    auto text = lines_of(ten_hosts());
    auto const whole = small_report("late", 2).dump();
    text += whole.substr(0, whole.size() / 2) + '\n' + small_report("last", 2).dump();
    write_file(place / "all.ndjson", text);
    auto const result = run({"fleet", place / "all.ndjson", "--json"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("all.ndjson:11: it ends in the middle of the document"));
    auto const document = json::parse(result.out);
    EXPECT_EQ(document.at("fleet").at("skipped"), 1);
    EXPECT_EQ(document.at("fleet").at("hosts"), 11);
    EXPECT_EQ(document.at("findings").size(), 1U);
    EXPECT_EQ(document.at("exit_code"), 2);
    EXPECT_EQ(document.at("errors").size(), 1U);
}

TEST(Fleet, names_everything_that_does_not_count) {
    Directory const place;
    auto newer = small_report("newer", 1);
    newer["schema_version"] = "2.0";
    write_file(place / "a.json", small_report("a", 1).dump());
    write_file(place / "again.json", small_report("a", 1).dump(2));
    write_file(place / "big.json", "{\n" + std::string(17 << 20, ' '));
    write_file(place / "foreign.json", R"({"schema": "lshw"})");
    write_file(place / "newer.json", newer.dump());
    write_file(place / "no-host.json",
               R"({"schema": "rocmtune-report", "schema_version": "1.0", "command": "x"})");
    write_file(place / "text.json", "GPU0: fine\nGPU1: fine\n");
    write_file(place / "zero.json", "");
    auto const result = run({"fleet", place.path(), place / "missing.json"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("again.json: a report of this host (a) was counted before"),
                      HasSubstr("big.json: it is longer than 16 MiB"),
                      HasSubstr("foreign.json: this is no report of rocmtune"),
                      HasSubstr("newer.json: its schema_version is 2.0"),
                      HasSubstr("no-host.json: it describes no host"),
                      HasSubstr("text.json: this is no JSON, from line 1, column 1"),
                      HasSubstr("missing.json: no such file")));
    EXPECT_THAT(result.out, HasSubstr("1 host with 1 GPU in 1 report; 6 could not be read; 1 of "
                                      "hosts that come twice"));
}

TEST(Fleet, is_an_error_without_a_single_report) {
    Directory const place;
    auto const none = run({"fleet", place.path(), "--json"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, AllOf(HasSubstr("no report lies below it"),
                                HasSubstr("none of the inputs is a report that counts")));
    EXPECT_EQ(json::parse(none.out).at("exit_code"), 2);
    auto const empty = run({"fleet", "-"});
    EXPECT_EQ(empty.code, 2);
    EXPECT_THAT(empty.err, HasSubstr("there are no reports"));
}

TEST(Fleet, bounds_its_complaints) {
    Directory const place;
    std::string text = small_report("a", 1).dump() + '\n';
    for (int i = 0; i < 1000; ++i) text += "{broken\n";
    write_file(place / "all.ndjson", text);
    auto const document = json::parse(run({"fleet", place / "all.ndjson", "--json"}).out);
    EXPECT_EQ(document.at("fleet").at("skipped"), 1000);
    EXPECT_EQ(document.at("errors").size(), 101U);
    EXPECT_EQ(document.at("errors")[100].at("message"), "and 900 more reports that do not count");
}

TEST(Fleet, lists_for_slurm_what_fails_or_warns_as_asked) {
    Directory const place;
    auto reports = ten_hosts();
    reports[2]["host"]["gpus"][0]["vbios_version"] = "113-0";
    reports[3]["host"]["hostname"] = "node103.example.org";
    reports[3]["host"]["gpus"].erase(1);
    write_file(place / "all.ndjson", lines_of(reports));
    auto const list = [&](std::string const& fail_on) {
        return run({"fleet", place / "all.ndjson", "--format", "slurm", "--fail-on", fail_on});
    };
    EXPECT_EQ(list("fail").out, "node[103,107]\n");
    EXPECT_EQ(list("warn").out, "node[102-103,107]\n");
    EXPECT_EQ(list("never").out, "\n");
    EXPECT_EQ(list("never").code, 0);
    EXPECT_EQ(list("fail").code, 1);
}

TEST(Fleet, does_not_drop_a_host_from_the_list_without_a_word) {
    Directory const place;
    auto reports = ten_hosts();
    reports[7]["host"]["hostname"] = "node1,node2 $(reboot)";
    write_file(place / "all.ndjson", lines_of(reports));
    auto const result = run({"fleet", place / "all.ndjson", "--format", "slurm"});
    EXPECT_EQ(result.out, "\n");
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("is no name of a Slurm node and not in the list"));
}

class HostileFleet : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(HostileFleet, is_inert_in_every_format) {
    auto const valid = json(GetParam().second).dump(-1, ' ', true, json::error_handler_t::replace);
    auto const hostile = json::parse(valid).get<std::string>();
    Directory const place;
    auto reports = ten_hosts();
    auto& odd = reports[4];
    odd["host"]["hostname"] = hostile;
    odd["host"]["environment"] = {{hostile, hostile}};
    odd["host"]["gpus"][0]["vbios_version"] = hostile;
    odd["host"]["gpus"][0]["pci_address"] = hostile;
    odd["findings"] = {{{"id", hostile}, {"verdict", "fail"}, {"subject", hostile}}};
    for (auto& report : reports) {
        report["host"]["system_product"] = hostile;
        report["host"]["gpus"][0]["marketing_name"] = hostile;
        report["measurements"] = {measurement(0, 1, 0)};
        report["measurements"][0]["metric"] = report["measurements"][0]["unit"] = hostile;
    }
    odd["measurements"][0]["value"] = 0.1;
    write_file(place / "all.ndjson", lines_of(reports));
    for (auto const* format : {"text", "markdown", "json", "ndjson", "prom", "slurm"}) {
        auto launch = rocmtune_with({"fleet", place / "all.ndjson", "-v", "--format", format});
        launch.environment["COLUMNS"] = "80";
        auto const result = run(launch);
        EXPECT_TRUE(result.code == 1 || result.code == 2) << result.code << result.err;
        for (auto const c : result.out + result.err)
            EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << format;
        std::istringstream lines(result.out);
        for (std::string line; std::string(format) == "text" && std::getline(lines, line);)
            EXPECT_LE(display_width(line), 80U) << line;
        if (std::string(format) == "markdown") {
            EXPECT_THAT(result.out, Not(HasSubstr("<script")));
        }
        if (std::string(format) == "json") {
            EXPECT_TRUE(json::accept(result.out));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Texts, HostileFleet, testing::ValuesIn(hostile_texts()),
                         [](auto const& row) { return row.param.first; });

TEST(Fleet, writes_metrics_with_one_series_for_each_odd_host_and_id) {
    Directory const place;
    write_file(place / "all.ndjson", lines_of(ten_hosts()));
    auto const text = run({"fleet", place / "all.ndjson", "--format", "prom"}).out;
    EXPECT_THAT(text,
                AllOf(HasSubstr("rocmtune_fleet_reports{state=\"read\"} 10\n"),
                      HasSubstr("rocmtune_fleet_odd_host{host=\"node107\",id=\"RT7101\"} 1\n"),
                      HasSubstr("# TYPE rocmtune_fleet_hosts gauge\n")));
}

}  // namespace
}  // namespace rocmtune::test
