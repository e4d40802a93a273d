// SPDX-License-Identifier: MIT
#include "judge/fleet/fleet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/read_reports.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<json> hosts(std::size_t count, std::size_t gpus = 2) {
    std::vector<json> reports;
    for (std::size_t i = 0; i < count; ++i)
        reports.push_back(small_report("node" + std::to_string(i), gpus));
    return reports;
}

FleetView view_of(std::vector<json> const& reports) {
    Fleet fleet;
    for (auto const& report : reports) fleet.add(read(report));
    return fleet.view();
}

std::string units_of(FleetOutlier const& it) {
    std::string text;
    for (auto const& unit : it.units)
        text += ' ' + unit.host + (unit.gpu ? '/' + *unit.gpu : "") +
                (unit.detail ? '=' + *unit.detail : "");
    return text;
}

/// "fact value 1/10 usual 9: units" of each outlier.
std::vector<std::string> outliers(std::vector<json> const& reports) {
    std::vector<std::string> lines;
    for (auto const& it : view_of(reports).outliers)
        lines.push_back(it.fact + ' ' + (is_null(it.value) ? "none" : text_of(it.value)) + ' ' +
                        std::to_string(it.count) + '/' + std::to_string(it.total) + ' ' +
                        (is_null(it.usual) ? "none" : text_of(it.usual)) + ' ' +
                        std::to_string(it.usual_count) + ':' + units_of(it));
    return lines;
}

TEST(Fleet, finds_nothing_odd_among_equal_hosts) {
    auto const view = view_of(hosts(10));
    EXPECT_THAT(view.outliers, IsEmpty());
    EXPECT_THAT(view.splits, IsEmpty());
    EXPECT_EQ(view.hosts, 10U);
    EXPECT_EQ(view.gpus, 20U);
    ASSERT_EQ(view.groups.size(), 1U);
    EXPECT_EQ(view.groups[0].name, "Board, 2x AMD Instinct MI300X");
    EXPECT_EQ(view.groups[0].facts, view.groups[0].uniform);
}

TEST(Fleet, names_the_odd_gpu_and_the_odd_host) {
    auto reports = hosts(5);
    reports[2]["host"]["gpus"][1]["vbios_version"] = "113-0";
    reports[4]["host"]["kernel_release"] = "5.15.0";
    EXPECT_THAT(outliers(reports),
                ElementsAre("kernel_release 5.15.0 1/5 6.8.0 4: node4",
                            "vbios_version 113-0 1/10 113-1 9: node2/0000:01:00.0"));
}

TEST(Fleet, sees_a_lone_setting_and_a_lone_lack_in_any_order) {
    for (std::size_t odd : {0U, 3U, 6U}) {
        auto reports = hosts(7);
        for (std::size_t i = 0; i < reports.size(); ++i) {
            reports[i]["host"]["environment"] = json::object();
            reports[i]["host"]["amdgpu_parameters"] = {{"noretry", "0"}};
        }
        reports[odd]["host"]["environment"] = {{"NCCL_P2P_DISABLE", "1"}};
        reports[odd]["host"]["amdgpu_parameters"] = json::object();
        auto const name = std::to_string(odd);
        EXPECT_THAT(outliers(reports),
                    ElementsAre("amdgpu_parameters.noretry none 1/7 0 6: node" + name,
                                "environment.NCCL_P2P_DISABLE 1 1/7 none 6: node" + name));
    }
}

TEST(Fleet, does_not_take_what_a_host_could_not_read_for_a_lack) {
    auto reports = hosts(5);
    for (auto& report : reports) report["host"]["environment"] = {{"NCCL_DEBUG", "WARN"}};
    reports[1]["host"]["environment"] = nullptr;
    reports[3]["host"].erase("environment");
    reports[2]["host"]["gpus"][0]["vbios_version"] = nullptr;
    EXPECT_THAT(outliers(reports), IsEmpty());
}

TEST(Fleet, names_a_host_with_a_gpu_less_or_none_at_all) {
    auto reports = hosts(6, 4);
    reports[1]["host"]["gpus"].erase(2);
    reports[5]["host"]["gpus"] = json::array();
    EXPECT_THAT(outliers(reports), ElementsAre("gpus 3 1/5 4 4: node1", "gpus 0 1/6 4 4: node5"));
}

TEST(Fleet, keeps_kinds_of_hardware_apart) {
    auto reports = hosts(4);
    for (int i = 0; i < 3; ++i) {
        auto other = small_report("other" + std::to_string(i), 2);
        for (auto& gpu : other["host"]["gpus"]) {
            gpu["pci_device_id"] = "0x74a9";
            gpu["vbios_version"] = "113-9";
        }
        reports.push_back(other);
    }
    auto const view = view_of(reports);
    EXPECT_EQ(view.groups.size(), 2U);
    EXPECT_THAT(view.outliers, IsEmpty());
}

/// Hosts with two GPUs of one model and one of another, which differs in everything.
std::vector<json> mixed_hosts(std::size_t count) {
    auto reports = hosts(count, 3);
    for (auto& report : reports) {
        auto& other = report["host"]["gpus"][2];
        other["pci_device_id"] = "0x66a1";
        other["marketing_name"] = "AMD Instinct MI50";
        other["vram_bytes"] = 17163091968;
        other["vbios_version"] = "113-7";
    }
    return reports;
}

TEST(Fleet, compares_gpus_of_one_model_where_a_host_has_several) {
    for (std::size_t const count : {1U, 4U}) {
        auto const view = view_of(mixed_hosts(count));
        EXPECT_THAT(view.outliers, IsEmpty());
        EXPECT_THAT(view.splits, IsEmpty());
        ASSERT_EQ(view.groups.size(), 1U);
        EXPECT_EQ(view.groups[0].name, "Board, 2x AMD Instinct MI300X and 1x AMD Instinct MI50");
    }
    auto reports = mixed_hosts(4);
    reports[3]["host"]["gpus"][2]["vbios_version"] = "113-6";
    EXPECT_THAT(outliers(reports),
                ElementsAre("vbios_version 113-6 1/4 113-7 3: node3/0000:02:00.0"));
}

TEST(Fleet, names_a_model_without_name_by_its_id) {
    auto reports = mixed_hosts(2);
    for (auto& report : reports) report["host"]["gpus"][2].erase("marketing_name");
    EXPECT_EQ(view_of(reports).groups[0].name, "Board, 2x AMD Instinct MI300X and 1x GPU 0x66a1");
}

TEST(Fleet, keeps_a_host_whose_gpu_lost_its_identity_in_its_group) {
    auto reports = hosts(4);
    reports[2]["host"]["gpus"][1]["pci_device_id"] = nullptr;
    reports[2]["host"]["gpus"][1]["vbios_version"] = "113-0";
    EXPECT_EQ(view_of(reports).groups.size(), 1U);
    EXPECT_THAT(outliers(reports),
                ElementsAre("vbios_version 113-0 1/8 113-1 7: node2/0000:01:00.0"));
}

TEST(Fleet, counts_a_partition_mode_once_a_host_and_compares_equal_modes_only) {
    auto reports = hosts(3, 1);
    for (auto& report : reports)
        for (auto& gpu : report["host"]["gpus"]) {
            gpu["compute_partition"] = "SPX";
            gpu["memory_partition"] = "NPS1";
            gpu["compute_units"] = 304;
        }
    auto& gpus = reports[1]["host"]["gpus"];
    for (int i = 0; i < 8; ++i) {
        auto gpu = gpus[0];
        gpu["compute_partition"] = "CPX";
        gpu["compute_units"] = 38;
        gpu["partition_index"] = i;
        gpus.push_back(gpu);
    }
    gpus.erase(0);
    EXPECT_THAT(outliers(reports), ElementsAre("gpus 8 1/3 1 2: node1",
                                               "partition_mode CPX NPS1 1/3 SPX NPS1 2: node1"));
}

TEST(Fleet, says_without_majority_that_there_is_none) {
    auto reports = hosts(4);
    reports[0]["host"]["kernel_release"] = reports[1]["host"]["kernel_release"] = "6.1.0";
    auto const view = view_of(reports);
    EXPECT_THAT(view.outliers, IsEmpty());
    ASSERT_EQ(view.splits.size(), 1U);
    EXPECT_EQ(view.splits[0].fact, "kernel_release");
    EXPECT_THAT(view.splits[0].values, ElementsAre("6.1.0 (2)", "6.8.0 (2)"));
}

TEST(Fleet, tells_errors_from_none_and_how_many_there_are) {
    auto reports = hosts(5);
    for (auto& report : reports)
        for (auto& gpu : report["host"]["gpus"]) gpu["pcie_replay_count"] = 0;
    reports[0]["host"]["gpus"][0]["pcie_replay_count"] = 88;
    reports[3]["host"]["gpus"][1]["pcie_replay_count"] = 2;
    EXPECT_THAT(outliers(reports),
                ElementsAre("pcie_replay_count not 0 2/10 0 8: node0/0000:00:00.0=88 "
                            "node3/0000:01:00.0=2"));
}

TEST(Fleet, counts_no_host_twice) {
    Fleet fleet;
    auto const report = small_report("a", 2);
    EXPECT_TRUE(fleet.add(read(report)));
    EXPECT_FALSE(fleet.add(read(report)));
    auto bench = report;
    bench["command"] = "bench";
    bench["measurements"] = {measurement(0, 4000, 1)};
    EXPECT_TRUE(fleet.add(read(bench)));
    EXPECT_TRUE(fleet.add(read(small_report("b", 2))));
    auto const view = fleet.view();
    EXPECT_EQ(view.hosts, 2U);
    EXPECT_EQ(view.gpus, 4U);
    EXPECT_EQ(view.reports, 3U);
    EXPECT_EQ(view.figures.size(), 1U);
}

TEST(Fleet, counts_what_two_commands_found_on_a_host_once) {
    std::vector<json> reports;
    for (auto const* const name : {"a", "b", "c"}) {
        auto probe = small_report(name, 2);
        probe["findings"] = json::array();
        if (name == std::string("b"))
            probe["findings"].push_back(
                {{"id", "RT3301"}, {"verdict", "fail"}, {"subject", "host"}, {"message", "odd"}});
        auto check = probe;
        check["command"] = "check";
        reports.push_back(std::move(probe));
        reports.push_back(std::move(check));
    }
    EXPECT_THAT(outliers(reports), ElementsAre("RT3301 fail 1/3 none 2: b"));
}

TEST(Fleet, adds_a_report_that_says_less_of_its_host_to_the_group_of_the_host) {
    auto const whole = small_report("a", 2);
    auto less = whole;
    less["command"] = "lint";
    less["host"].erase("system_product");
    auto const view = view_of({whole, less});
    EXPECT_EQ(view.hosts, 1U);
    EXPECT_EQ(view.groups.size(), 1U);
}

TEST(Fleet, does_not_count_facts_that_are_different_everywhere) {
    auto reports = hosts(ValueCounts::most_values + 10);
    for (std::size_t i = 0; i < reports.size(); ++i)
        reports[i]["host"]["python_environment"] = "/home/user" + std::to_string(i);
    auto const view = view_of(reports);
    EXPECT_THAT(view.outliers, IsEmpty());
    EXPECT_THAT(view.splits, IsEmpty());
}

TEST(Fleet, names_a_bounded_number_and_says_how_many_more_there_are) {
    Fleet fleet;
    std::size_t const odd = ValueCounts::most_named + 500;
    for (std::size_t i = 0; i < 2 * odd + 1; ++i) {
        auto report = small_report("node" + std::to_string(i), 0);
        if (i % 2 == 1) report["host"]["numa_balancing"] = 1;
        else report["host"]["numa_balancing"] = 0;
        fleet.add(read(report));
    }
    auto view = fleet.view();
    ASSERT_EQ(view.outliers.size(), 1U);
    EXPECT_EQ(view.outliers[0].count, odd);
    EXPECT_EQ(view.outliers[0].units.size(), ValueCounts::most_named);
    EXPECT_EQ(view.outliers[0].more, 500U);
    (void)judge_fleet(view);
    EXPECT_EQ(view.notes.size(), 1U);
}

// ---- figures ------------------------------------------------------------------------------------

std::vector<json> measured_hosts(std::size_t count, double slow_by, std::string const& unit) {
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0, 5);
    auto reports = hosts(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::uint64_t row = 0; row < 2; ++row) {
            auto figure = measurement(row, 4000 + noise(random), 1);
            if (i == 3 && row == 1) figure["value"] = 4000 * (1 + slow_by);
            figure["unit"] = unit;
            reports[i]["measurements"].push_back(figure);
        }
    return reports;
}

TEST(FleetFigures, name_the_gpu_that_is_slow_beyond_the_scatter) {
    auto const view = view_of(measured_hosts(10, -0.1, "GB/s"));
    ASSERT_EQ(view.outliers.size(), 1U);
    auto const& it = view.outliers[0];
    EXPECT_EQ(it.units[0].host, "node3");
    EXPECT_EQ(it.units[0].gpu, "0000:01:00.0");
    EXPECT_NEAR(*it.effect, -0.1, 0.005);
    EXPECT_LT(*it.z_score, -3.5);
}

TEST(FleetFigures, know_that_more_time_is_worse) {
    EXPECT_THAT(view_of(measured_hosts(10, -0.1, "ms")).outliers, IsEmpty());
    EXPECT_EQ(view_of(measured_hosts(10, 0.1, "ms")).outliers.size(), 1U);
}

TEST(FleetFigures, let_small_differences_and_fast_gpus_pass) {
    EXPECT_THAT(view_of(measured_hosts(10, -0.04, "GB/s")).outliers, IsEmpty());
    EXPECT_THAT(view_of(measured_hosts(10, 0.3, "GB/s")).outliers, IsEmpty());
}

TEST(FleetFigures, decide_nothing_on_a_handful_or_where_all_scatter) {
    EXPECT_THAT(view_of(measured_hosts(2, -0.5, "GB/s")).outliers, IsEmpty());
    auto reports = hosts(10);
    for (std::size_t i = 0; i < 10; ++i)
        reports[i]["measurements"] = {measurement(0, 1000 + 300.0 * static_cast<double>(i), 1)};
    EXPECT_THAT(view_of(reports).outliers, IsEmpty());
}

TEST(FleetFigures, are_of_one_model_each) {
    auto reports = mixed_hosts(10);
    for (auto& report : reports)
        for (std::uint64_t row = 0; row < 3; ++row)
            report["measurements"].push_back(measurement(row, row == 2 ? 900 : 4000, 1));
    auto const view = view_of(reports);
    EXPECT_THAT(view.outliers, IsEmpty());
    ASSERT_EQ(view.figures.size(), 2U);
    EXPECT_THAT(view.figures[0].measured, testing::EndsWith(", AMD Instinct MI300X"));
    EXPECT_THAT(view.figures[1].measured, testing::EndsWith(", AMD Instinct MI50"));
    EXPECT_EQ(view.figures[1].count, 10U);
}

TEST(FleetFigures, leave_out_what_failed) {
    auto reports = measured_hosts(10, -0.5, "GB/s");
    reports[3]["measurements"][1]["status"] = "wrong-result";
    EXPECT_THAT(view_of(reports).outliers, IsEmpty());
    EXPECT_EQ(view_of(reports).figures[0].count, 19U);
}

TEST(FigureSketch, stays_within_a_thousandth_when_it_no_longer_keeps_every_figure) {
    std::mt19937 random(3);
    std::lognormal_distribution<double> figures(8, 0.05);
    FigureSketch sketch;
    std::vector<double> all;
    for (int i = 0; i < 50001; ++i) {
        all.push_back(figures(random));
        sketch.add(all.back());
    }
    std::ranges::sort(all);
    auto const median = all[all.size() / 2];
    EXPECT_NEAR(sketch.median() / median, 1, 1e-3);
    for (auto& figure : all) figure = std::abs(figure - median);
    std::ranges::sort(all);
    EXPECT_NEAR(sketch.deviation() / all[all.size() / 2], 1, 0.02);
    EXPECT_EQ(sketch.count(), 50001U);
}

// ---- findings -----------------------------------------------------------------------------------

TEST(JudgeFleet, gives_each_kind_its_id_and_lists_the_hosts) {
    auto reports = hosts(6);
    reports[0]["host"]["gpus"].erase(1);
    reports[1]["host"]["gpus"][0]["vbios_version"] = "113-0";
    reports[2]["host"]["kernel_release"] = "5.15.0";
    reports[3]["host"]["cpu_governor"] = "powersave";
    for (auto const i : {0, 1, 2, 4, 5})
        reports[static_cast<std::size_t>(i)]["host"]["cpu_governor"] = "performance";
    reports[4]["findings"] = {{{"id", "RT3301"}, {"verdict", "fail"}, {"subject", "host"}}};
    auto view = view_of(reports);
    std::vector<std::string> lines;
    for (auto const& it : judge_fleet(view))
        lines.push_back(it.id + ' ' + std::string(word_of(it.verdict)) + ' ' + it.subject);
    EXPECT_THAT(lines, ElementsAre("RT7101 fail node0", "RT7104 warn node1/0000:00:00.0",
                                   "RT7105 warn node2", "RT7106 warn node3", "RT7107 fail node4"));
    EXPECT_EQ(view.odd_hosts.size(), 5U);
}

TEST(JudgeFleet, tells_slow_other_and_worn_gpus_apart) {
    auto reports = measured_hosts(10, -0.1, "GB/s");
    reports[0]["host"]["gpus"][0]["vram_bytes"] = 1;
    for (auto& report : reports)
        for (auto& gpu : report["host"]["gpus"]) gpu["bad_pages_retired"] = 0;
    reports[1]["host"]["gpus"][0]["bad_pages_retired"] = 7;
    auto view = view_of(reports);
    std::vector<std::string> lines;
    for (auto const& it : judge_fleet(view))
        lines.push_back(it.id + ' ' + std::string(word_of(it.verdict)));
    EXPECT_THAT(lines, testing::UnorderedElementsAre("RT7102 fail", "RT7103 fail", "RT7108 warn"));
}

}  // namespace
}  // namespace rocmtune::test
