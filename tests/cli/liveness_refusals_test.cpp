// SPDX-License-Identifier: MIT
// Which GPUs are left alone. In place of the worker stands a program that ends at once: a GPU that
// is tried all the same shows by that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/liveness.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::HasSubstr;

/// Each GPU's trial, where a worker that runs gives no answer.
std::vector<Trial> trials(Host const& host, LivenessLimits const& limits = {}) {
    WorkerMachinery machinery;
    machinery.program = "/bin/false";
    return try_gpus(host, limits, machinery);
}

auto was_tried() {
    return AllOf(Field(&Trial::end, TrialEnd::not_known),
                 Field(&Trial::message, HasSubstr("while HIP was loaded")));
}

auto was_left_alone(char const* reason) {
    return AllOf(Field(&Trial::end, TrialEnd::not_allowed),
                 Field(&Trial::message, HasSubstr(reason)));
}

/// A host of two Radeon cards whose HIP lists both, and what a process of this name does to it.
Host host_with(std::string const& process, std::string const& through, std::uint64_t row) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    Source const source{"test", "test"};
    for (auto& gpu : host.gpus) {
        gpu.hip_index = {};
        gpu.hip_index.offer(*gpu.row, source);
    }
    Runtime hip;
    hip.name = "hip";
    hip.status = "ok";
    host.runtimes = {};
    host.runtimes.offer({hip}, source);
    GpuProcess one{.pid = 4242, .name = process, .through = through};
    one.gpus = {*host.gpus.at(row).pci_address};
    host.gpu_processes = {};
    host.gpu_processes.offer({one}, source);
    return host;
}

TEST(Refusals, leave_a_gpu_alone_on_which_a_job_computes_and_try_the_other) {
    auto const found = trials(host_with("python3", "kfd", 1));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found[0], was_tried());
    EXPECT_THAT(found[1], was_left_alone("busy: python3 (4242)"));
}

TEST(Refusals, end_where_force_is_asked_for) {
    EXPECT_THAT(trials(host_with("python3", "kfd", 1), {.force = true}), Each(was_tried()));
}

TEST(Refusals, are_not_for_a_display_a_watcher_or_a_second_check) {
    EXPECT_THAT(trials(host_with("Xorg", "drm", 0)), Each(was_tried()));
    EXPECT_THAT(trials(host_with("amd-smi", "kfd", 0)), Each(was_tried()));
    EXPECT_THAT(trials(host_with("rocmtune livene", "kfd", 0)), Each(was_tried()));
}

TEST(Refusals, are_for_a_benchmark_of_ours) {
    EXPECT_THAT(trials(host_with("rocmtune bench", "kfd", 0)).at(0), was_left_alone("busy"));
}

TEST(Refusals, leave_every_gpu_alone_where_one_sleeps_because_hip_opens_them_all) {
    auto host = host_with("Xorg", "drm", 0);
    host.gpus[1].runtime_status = {};
    host.gpus[1].runtime_status.offer("suspended", {"test", "test"});
    auto const found = trials(host);
    EXPECT_THAT(found.at(0), was_left_alone("HIP would wake"));
    EXPECT_THAT(found.at(1), was_left_alone("it sleeps"));
    EXPECT_THAT(trials(host, {.wake = true}), Each(was_tried()));
}

TEST(Refusals, leave_out_the_rows_that_were_not_asked_for) {
    auto const found = trials(host_with("Xorg", "drm", 0), {.rows = {1}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].row, 1U);
}

}  // namespace
}  // namespace rocmtune::test
