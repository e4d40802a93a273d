// SPDX-License-Identifier: MIT
#include "codec/read_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocmtune/error.hpp"
#include "support/read_reports.hpp"

namespace rocmtune::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> paths_of(ReadFacts const& facts) {
    std::vector<std::string> paths;
    for (auto const& fact : facts.facts) paths.push_back(fact.path);
    return paths;
}

TEST(ReadReport, takes_facts_apart_by_their_shape) {
    auto document = small_report("a", 1);
    auto& host = document["host"];
    host["kernel_arguments"] = {"iommu=pt", "quiet"};
    host["dkms_builds"] = {"amdgpu/6.12"};
    host["environment"] = {{"NCCL_DEBUG", "WARN"}};
    host["frameworks"] = {{{"version", "2.7.0"}, {"path", "/x"}, {"name", "torch"}}};
    host["kfd_access"] = {{"path", "/dev/kfd"}, {"usable", true}, {"error", nullptr}};
    document["host"]["gpus"][0]["clocks"] = {{{"name", "sclk"}, {"levels_mhz", {500.0, 2100.0}}}};
    auto const report = read(document);
    EXPECT_EQ(report.host.text("kernel_arguments[iommu]"), "pt");
    EXPECT_EQ(report.host.text("kernel_arguments[quiet]"), "yes");
    EXPECT_EQ(report.host.text("dkms_builds[amdgpu/6.12]"), "yes");
    EXPECT_EQ(report.host.text("environment.NCCL_DEBUG"), "WARN");
    EXPECT_EQ(report.host.text("frameworks[torch].version"), "2.7.0");
    EXPECT_EQ(report.host.text("kfd_access.usable"), "yes");
    ASSERT_EQ(report.gpus.size(), 1U);
    EXPECT_EQ(report.gpus[0].text("firmware.mec"), "0xa3");
    EXPECT_EQ(report.gpus[0].text("clocks[sclk].levels_mhz"), "500, 2100");
    EXPECT_EQ(report.gpus[0].text("vram_bytes"), "206141652992");
}

TEST(ReadReport, keeps_null_apart_from_nothing_and_from_zero) {
    auto document = small_report("a", 1);
    auto& gpu = document["host"]["gpus"][0];
    gpu["firmware"] = nullptr;
    gpu["pcie_replay_count"] = nullptr;
    gpu["aer_fatal"] = 0;
    gpu["_reasons"] = {{"pcie_replay_count", "denied: EACCES"}};
    auto const report = read(document);
    auto const known = [&](char const* word) {
        return report.gpus[0].known[find_fact_word(FactScope::gpu, word)->place];
    };
    EXPECT_FALSE(known("firmware"));
    EXPECT_FALSE(known("pcie_replay_count"));
    EXPECT_TRUE(known("aer_fatal"));
    EXPECT_FALSE(known("aer_nonfatal"));
    EXPECT_TRUE(is_null(report.gpus[0].at("pcie_replay_count")));
    EXPECT_EQ(report.gpus[0].text("aer_fatal"), "0");
    EXPECT_EQ(report.gpus[0].reasons.at("pcie_replay_count"), "denied: EACCES");
}

TEST(ReadReport, takes_a_limit_that_is_not_set_for_known) {
    std::string const facts = R"("memlock_soft_bytes": null, "memlock_hard_bytes": null)";
    std::string const reasons = R"("_reasons": {"memlock_soft_bytes": "unsupported: unlimited",
        "memlock_hard_bytes": "unsupported", "no_such_fact": "unsupported: unlimited"})";
    // Our own documents have the reasons behind; sorted keys have them in front.
    for (auto const& host : {facts + ", " + reasons, reasons + ", " + facts})
        for (auto const parts : {ReportParts{}, ReportParts{.reasons = false}}) {
            auto const text =
                R"({"schema": "rocmtune-report", "schema_version": "1.0", "host": {)" + host + "}}";
            auto const report = read_report(text, "a.json", parts);
            EXPECT_EQ(report.host.text("memlock_soft_bytes"), "unlimited") << text;
            EXPECT_TRUE(is_null(report.host.at("memlock_hard_bytes")));
        }
}

TEST(ReadReport, reads_measurements_and_findings) {
    auto document = small_report("a", 1);
    document["measurements"] = {measurement(0, 4000, 20)};
    document["measurements"][0]["samples"] = {3990.0, 4000, 4010.0};
    document["measurements"][0]["labels"] = {"throttled"};
    document["findings"] = {
        {{"id", "RT1001"}, {"verdict", "warn"}, {"subject", "host"}, {"message", "m"}}};
    auto const report = read(document);
    ASSERT_EQ(report.measurements.size(), 1U);
    auto const& it = report.measurements[0];
    EXPECT_EQ(it.benchmark, "bandwidth");
    EXPECT_EQ(it.value, 4000);
    EXPECT_EQ(it.gpu, 0U);
    EXPECT_EQ(it.samples, (std::vector<double>{3990, 4000, 4010}));
    EXPECT_EQ(it.parameters.dtype, "fp32");
    EXPECT_EQ(it.parameters.bytes, std::uint64_t{1} << 28);
    EXPECT_THAT(it.labels, testing::ElementsAre("throttled"));
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_EQ(report.findings[0].message, "m");
}

TEST(ReadReport, ignores_keys_that_it_does_not_know) {
    auto document = small_report("a", 1);
    document["schema_version"] = "1.7";
    document["novelty"] = {{"hostname", "x"}};
    document["host"]["gpus"][0]["dreams"] = {{"firmware", {{"a", 1}}}};
    document["host"]["spirit"] = "calm";
    auto const report = read(document);
    EXPECT_EQ(report.host.text("hostname"), "a");
    EXPECT_THAT(paths_of(report.gpus[0]), Not(Contains(HasSubstr("dreams"))));
}

TEST(ReadReport, takes_a_value_of_another_type_for_none) {
    auto document = small_report("a", 1);
    document["host"]["gpus"][0]["firmware"] = "not a map";
    document["host"]["gpus"][0]["vram_bytes"] = {1, 2};
    document["host"]["frameworks"] = 3;
    document["measurements"] = {{{"value", "fast"}, {"gpu", -1}, {"samples", {"x"}}}, 7};
    auto const report = read(document);
    EXPECT_EQ(report.gpus[0].text("vram_bytes"), "");
    EXPECT_THAT(paths_of(report.gpus[0]), Not(Contains("firmware")));
    ASSERT_EQ(report.measurements.size(), 1U);
    EXPECT_FALSE(report.measurements[0].value);
    EXPECT_FALSE(report.measurements[0].gpu);
}

/// What is wrong with a text, and the next step, in one line.
std::string complaint_of(std::string const& text) {
    try {
        (void)read_report(text, "x.json");
    } catch (Error const& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "none";
}

struct Bad {
    char const* name;
    std::string text;
    char const* says;
};

std::vector<Bad> bad_texts() {
    auto const good = small_report("a", 2);
    auto const text = good.dump();
    auto newer = good;
    newer["schema_version"] = "2.0";
    auto foreign = good;
    foreign["schema"] = "lshw";
    auto old = good;
    old.erase("schema_version");
    std::string const gpu =
        R"({"schema":"rocmtune-report","schema_version":"1.0","host":{"gpus":[)";
    std::string many = gpu + "{}";
    for (int i = 0; i < 5000; ++i) many += ",{}";
    return {
        {"empty", " \n", "it is empty | write one with rocmtune probe --json"},
        {"truncated", text.substr(0, text.size() / 2), "it ends in the middle of the document"},
        {"no_json", "GPU0: fine\n", "this is no JSON, from line 1, column 1"},
        {"no_json_later", "{\n  \"a\": nan\n}", "this is no JSON, from line 2, column 9"},
        {"broken_utf8", "{\"a\": \"\xff\"}", "this is no JSON"},
        {"two_documents", text + text, "this is no JSON, from line 1"},
        {"foreign", foreign.dump(), "this is no report of rocmtune"},
        {"a_list", "[1,2]", "this is no report of rocmtune"},
        {"a_number", "17", "this is no report of rocmtune"},
        {"no_version", old.dump(), "it states no schema_version"},
        {"newer", newer.dump(),
         "its schema_version is 2.0, this program reads 1.x | a newer rocmtune wrote it"},
        {"snapshot", "\x1f\x8b\x08 snapshot", "this is a recording and no report | rocmtune probe"},
        {"host_text", "rocmtune-host 1\n", "--replay x.json --json"},
        {"deep", std::string(100000, '['), "it is nested deeper than 64 levels"},
        {"key_twice", R"({"schema":"rocmtune-report","schema":"rocmtune-report"})",
         "its key 'schema' stands twice"},
        {"fact_twice", gpu + R"({"row":0,"row":1}]}})", "its fact 'row' stands twice"},
        {"entry_twice", gpu + R"({"firmware":{"mec":"1","mec":"2"}}]}})",
         "its entry 'mec' of 'firmware' stands twice"},
        {"gpus_twice", gpu + R"(],"gpus":[]}})", "its key 'gpus' stands twice"},
        {"too_many_gpus", many + "]}}", "it has more than 4096 GPUs"},
        {"huge_number", R"({"schema":1e999})", "this is no JSON"},
    };
}

class BadReport : public testing::TestWithParam<Bad> {};

TEST_P(BadReport, is_refused_with_the_reason) {
    EXPECT_THAT(complaint_of(GetParam().text), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Kinds, BadReport, testing::ValuesIn(bad_texts()),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(ReadReport, stays_quick_with_a_map_of_many_entries) {
    std::string text = R"({"schema":"rocmtune-report","host":{"environment":{)";
    for (int i = 0; i < 100000; ++i) text += "\"k" + std::to_string(i) + "\":\"v\",";
    EXPECT_THAT(complaint_of(text), HasSubstr("more than 4096 entries in one fact"));
}

std::string joined_text(int count, std::string_view separator) {
    std::string text;
    for (int i = 0; i < count; ++i) text.append(i > 0 ? separator : "").append(std::to_string(i));
    return text;
}

TEST(ReadReport, takes_long_lists_of_a_record_as_one_text) {
    auto document = small_report("a", 1);
    std::vector<double> levels(4000);
    for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = static_cast<double>(i);
    document["host"]["gpus"][0]["clocks"] = {{{"name", "sclk"}, {"levels_mhz", levels}}};
    EXPECT_EQ(read(document).gpus[0].text("clocks[sclk].levels_mhz"), joined_text(4000, ", "));
}

TEST(ReadReport, takes_a_fact_for_no_larger_than_it_can_be) {
    std::string const start = R"({"schema":"rocmtune-report","host":{"gpus":[{"clocks":[)";
    EXPECT_THAT(complaint_of(start + R"({"name":"sclk","levels_mhz":[)" + joined_text(5000, ",")),
                HasSubstr("more than 4096 values in one list"));
    std::string members, records;
    for (int i = 0; i < 5000; ++i) members += "\"k" + std::to_string(i) + "\":1,";
    EXPECT_THAT(complaint_of(start + "{" + members),
                HasSubstr("more than 4096 members of one entry"));
    for (int i = 0; i < 5000; ++i) records += "{},";
    EXPECT_THAT(complaint_of(start + records), HasSubstr("more than 4096 entries in one fact"));
}

TEST(SubjectOf, names_a_gpu_as_findings_do) {
    auto document = small_report("a", 1);
    auto& gpu = document["host"]["gpus"][0];
    EXPECT_EQ(subject_of(read(document).gpus[0]), "0000:00:00.0");
    gpu["partition_count"] = 8;
    gpu["partition_index"] = 0;
    EXPECT_EQ(subject_of(read(document).gpus[0]), "0000:00:00.0/0");
    gpu["pci_address"] = nullptr;
    EXPECT_EQ(subject_of(read(document).gpus[0]), "GPU 0");
}

}  // namespace
}  // namespace rocmtune::test
