// SPDX-License-Identifier: MIT
// Many partitions, several checks at once, and a /proc that hides the processes of others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;

/// Cards of eight partitions each, as HIP lists them.
std::string partitions(int cards) {
    std::string all;
    for (int i = 0; i < 8 * cards; ++i)
        all += fmt::format("0000:{:02x}:00.{} gfx942 38 25769803776 {:x} MI300X;", i / 8 + 1, i % 8,
                           i + 1);
    return all;
}

Launch check(std::string const& gpus) {
    auto launch = rocmtune_with({"check", "--only", "liveness", "--json"});
    launch.environment.insert(
        {{"ROCM_PATH", std::string(ROCMTUNE_FAKES_DIR) + "/rocm-7"}, {"FAKE_GPUS", gpus}});
    return launch;
}

TEST(Partitions, of_eight_cards_are_all_tried) {
    auto const result = run(check(partitions(8)));
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    auto const document = json::parse(result.out);
    EXPECT_EQ(document["summary"]["gpus_judged"], 64);
    EXPECT_EQ(document["findings"].size(), 64);
}

TEST(SeveralChecks, at_once_do_not_disturb_each_other) {
    auto const launch = check(partitions(1));
    Running first(launch);
    Running second(launch);
    for (auto* const running : {&first, &second}) {
        auto const result = running->finish();
        EXPECT_EQ(result.code, 0) << result.out << result.err;
        EXPECT_EQ(json::parse(result.out)["summary"]["gpus_judged"], 8);
    }
}

TEST(HiddenProcesses, are_no_proof_that_nobody_holds_a_gpu) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    auto& gpu = host.gpus.at(1);
    gpu.vram_used_bytes = {};
    gpu.vram_used_bytes.offer(*gpu.vram_bytes / 2, {"test", "test"});
    gpu.busy_percent = {};
    gpu.busy_percent.offer(90, {"test", "test"});
    auto const verdict = [&](char const* check) {
        CheckSelection selection;
        selection.only = {check};
        for (auto const& finding : run_checks(host, embedded_chips(), selection))
            if (finding.subject == *gpu.pci_address) return finding.verdict;
        return Verdict::unknown;
    };
    host.gpu_processes = {};
    host.gpu_processes.offer({}, {"test", "test"});
    EXPECT_EQ(verdict("memory-used"), Verdict::warn);
    // hidepid: the list says that it may lack some.
    host.gpu_processes.limit(Missing::denied, "/proc/7/fdinfo");
    EXPECT_EQ(verdict("memory-used"), Verdict::info);
    // No list at all.
    host.gpu_processes = {};
    host.gpu_processes.miss(Missing::denied, "/proc");
    EXPECT_EQ(verdict("memory-used"), Verdict::unknown) << "nobody looked who uses it";
    EXPECT_EQ(verdict("processes"), Verdict::unknown);
}

}  // namespace
}  // namespace rocmtune::test
