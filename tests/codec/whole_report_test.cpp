// SPDX-License-Identifier: MIT
#include "codec/read_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocmtune/error.hpp"
#include "support/read_reports.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Report whole(json const& document, std::string const& name = "a.json") {
    return read_whole_report(document.dump(), name);
}

json finding(std::string const& id, std::string const& verdict, std::string const& subject) {
    return {{"id", id},           {"verdict", verdict},      {"action", "none"},
            {"subject", subject}, {"message", "it is so"},   {"evidence", json::array()},
            {"next_step", ""},    {"sources", json::array()}};
}

TEST(WholeReport, has_values_with_their_sources_and_reasons) {
    auto document = small_report("a", 1);
    auto& gpu = document["host"]["gpus"][0];
    gpu["numa_node"] = nullptr;
    gpu["serial_number"] = nullptr;
    gpu["_reasons"] = {{"numa_node", "denied: /sys/x"}, {"serial_number", "of a newer version"}};
    gpu["_sources"] = {{"vram_bytes", "drm: /sys/class/drm/card0"}};
    gpu["_disputes"] = {{"vram_bytes", {{{"value", 7}, {"source", "kfd: /sys/y"}}}}};
    auto const report = whole(document);
    ASSERT_EQ(report.host->gpus.size(), 1U);
    auto const& read = report.host->gpus[0];
    EXPECT_EQ(read.vram_bytes.value(), 206141652992U);
    EXPECT_EQ(read.vram_bytes.source().reader, "drm");
    EXPECT_EQ(read.vram_bytes.source().where, "/sys/class/drm/card0");
    ASSERT_EQ(read.vram_bytes.others().size(), 1U);
    EXPECT_EQ(read.vram_bytes.others()[0].value, 7U);
    EXPECT_EQ(read.numa_node.reason(), Missing::denied);
    EXPECT_EQ(read.numa_node.detail(), "/sys/x");
    EXPECT_EQ(read.serial_number.reason(), Missing::not_recorded);
    EXPECT_EQ(read.serial_number.detail(), "of a newer version");
    EXPECT_EQ(read.uuid.reason(), Missing::not_recorded);
    EXPECT_EQ(read.uuid.detail(), "not in the report");
    EXPECT_EQ(report.inputs[0].name, "a.json");
    EXPECT_EQ(report.inputs[0].command, "probe");
    EXPECT_EQ(report.inputs[0].tool_version, "0.1.0");
}

TEST(WholeReport, passes_over_what_a_newer_minor_version_added) {
    auto document = small_report("a", 1);
    document["schema_version"] = "1.9";
    document["host"]["telepathy"] = {{"range", 3}};
    document["host"]["gpus"][0]["mood"] = "good";
    EXPECT_EQ(whole(document).host->gpus.size(), 1U);
}

std::string refusal(json const& document) {
    try {
        (void)whole(document);
    } catch (Error const& error) {
        return error.what();
    }
    return "it was read";
}

TEST(WholeReport, says_where_a_value_is_of_the_wrong_kind) {
    auto document = small_report("a", 2);
    document["host"]["gpus"][1]["vram_bytes"] = "much";
    EXPECT_THAT(refusal(document), HasSubstr("/host/gpus/1/vram_bytes"));
    document = small_report("a", 1);
    document["findings"] = {finding("RT1001", "warn", "host"), finding("RT1001", "bad", "host")};
    EXPECT_THAT(refusal(document), HasSubstr("'bad' is no word that this version knows at "
                                             "/findings/1/verdict"));
    document = small_report("a", 1);
    document["measurements"] = {measurement(0, 1, 0)};
    document["measurements"][0]["gpu"] = -1;
    EXPECT_THAT(refusal(document), HasSubstr("a whole number from 0 at /measurements/0/gpu"));
    document = small_report("a", 1);
    document["findings"] = 7;
    EXPECT_THAT(refusal(document), HasSubstr("a.json: "));
}

TEST(WholeReport, refuses_lists_without_end) {
    auto document = small_report("a", 1);
    auto& links = document["host"]["links"] = json::array();
    for (int i = 0; i < 70000; ++i) links.push_back(json::object());
    EXPECT_THAT(refusal(document), HasSubstr("more than 65536 elements at /host/links"));
}

Report two(json const& a, json const& b) {
    std::vector<Report> reports;
    reports.push_back(whole(a, "a.json"));
    reports.push_back(whole(b, "b.json"));
    return joined(std::move(reports));
}

TEST(JoinedReports, take_each_part_from_the_first_that_has_it) {
    auto a = small_report("a", 2);
    a["findings"] = {finding("RT3301", "fail", "0000:00:00.0"), finding("RT3001", "pass", "host")};
    auto b = small_report("a", 2);
    b["findings"] = {finding("RT3301", "pass", "0000:00:00.0"),
                     finding("RT3301", "pass", "0000:01:00.0")};
    b["measurements"] = {measurement(1, 5, 0)};
    auto const report = two(a, b);
    ASSERT_EQ(report.findings.size(), 3U);
    EXPECT_EQ(report.findings[0].verdict, Verdict::fail);
    EXPECT_EQ(report.findings[2].subject, "0000:01:00.0");
    EXPECT_EQ(report.measurements.size(), 1U);
    EXPECT_THAT(report.parts, ElementsAre("probe", "bench"));
    EXPECT_EQ(report.inputs.size(), 2U);
}

TEST(JoinedReports, find_a_measured_gpu_again_by_its_address) {
    auto b = small_report("a", 3);
    b["measurements"] = {measurement(2, 5, 0), measurement(1, 6, 0)};
    b["measurements"][0]["parameters"]["pci_address"] = "0000:01:00.0";
    b["measurements"][1]["parameters"]["pci_address"] = "0000:09:00.0";
    auto const report = two(small_report("a", 2), b);
    EXPECT_EQ(report.measurements[0].gpu, 1U);
    EXPECT_EQ(report.measurements[1].gpu, std::nullopt);
}

TEST(JoinedReports, are_of_one_host) {
    EXPECT_THROW((void)two(small_report("a", 1), small_report("b", 1)), Error);
    auto other = small_report("a", 1);
    other["host"]["gpus"][0]["unique_id"] = "another chip";
    EXPECT_THROW((void)two(small_report("a", 1), other), Error);
    auto nameless = small_report("b", 1);
    nameless["host"]["hostname"] = nullptr;
    nameless["host"]["gpus"][0]["unique_id"] = nullptr;
    EXPECT_EQ(two(small_report("a", 1), nameless).inputs.size(), 2U);
}

TEST(JoinedReports, have_something_to_show) {
    json const nothing{{"schema", "rocmtune-report"}, {"schema_version", "1.0"}};
    EXPECT_THROW((void)two(nothing, nothing), Error);
}

}  // namespace
}  // namespace rocmtune::test
