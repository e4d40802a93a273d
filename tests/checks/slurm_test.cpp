// SPDX-License-Identifier: MIT
// A Slurm job whose cgroup shows it some GPUs only: the others are none of its business.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using Environment = std::map<std::string, std::string>;

/// A host whose device cgroup keeps this process from the GPUs at these places.
Host host_in(Environment environment, std::vector<std::size_t> const& kept_out) {
    auto host = FaultyHost("mi300x-x8").probed();
    host.environment = {};
    host.environment.offer(std::move(environment), {"test", "test"});
    for (auto const i : kept_out) {
        auto& gpu = host.gpus.at(i);
        auto node = *gpu.render_access;
        node.usable = false;
        node.error = "EPERM";
        gpu.render_access = {};
        gpu.render_access.offer(node, {"test", "test"});
        gpu.kfd_node = {};
        gpu.kfd_node.miss(Missing::denied, "device cgroup");
    }
    return host;
}

Finding judged(Host const& host, char const* check, std::size_t gpu) {
    CheckSelection selection;
    selection.only = {check};
    for (auto const& finding : run_checks(host, embedded_chips(), selection))
        if (finding.subject == *host.gpus.at(gpu).pci_address) return finding;
    return {};
}

Environment const in_job{{"SLURM_JOB_ID", "17"}};

TEST(SlurmJob, is_not_to_blame_for_gpus_that_it_was_not_given) {
    auto const host = host_in(in_job, {2, 3});
    for (auto const* const check : {"render-access", "kfd-nodes"}) {
        EXPECT_EQ(judged(host, check, 2).verdict, Verdict::skip) << check;
        EXPECT_THAT(judged(host, check, 2).message,
                    HasSubstr("not among the GPUs of this Slurm job"));
        EXPECT_EQ(judged(host, check, 1).verdict, Verdict::pass) << check;
    }
}

TEST(SlurmJob, without_any_gpu_fails_and_is_told_how_to_ask_for_one) {
    auto const host = host_in(in_job, {0, 1, 2, 3, 4, 5, 6, 7});
    auto const finding = judged(host, "render-access", 2);
    EXPECT_EQ(finding.verdict, Verdict::fail);
    EXPECT_THAT(finding.message, HasSubstr("the device cgroup of this job"));
    EXPECT_THAT(finding.next_step, HasSubstr("srun --gpus=1"));
}

TEST(SlurmJob, is_what_makes_the_difference) {
    EXPECT_EQ(judged(host_in({}, {2, 3}), "render-access", 2).verdict, Verdict::fail);
}

}  // namespace
}  // namespace rocmtune::test
