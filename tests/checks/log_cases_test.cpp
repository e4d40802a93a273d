// SPDX-License-Identifier: MIT
// Stories of the kernel log that are easily misread: resets that never finish, other devices of the
// same port, starts of neighbours, eGPUs, oopses of others.
#include <gtest/gtest.h>

#include <set>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"
#include "support/told_log.hpp"

namespace rocmtune::test {
namespace {

using Lines = std::set<std::string>;
constexpr auto minutes = 60.0;

/// Alarms of the log of a server whose GPUs are 05:00.0, 26:00.0 and six others, read `later` after
/// its last line.
Lines alarms_of(std::vector<std::string> const& log, double later = 1) {
    static Host const server = FaultyHost("mi300x-x8").probed();
    auto const host = told(server, log, 0.1, later);
    CheckSelection selection;
    selection.only = {"kernel-log"};
    Lines alarms;
    for (auto const& finding : run_checks(host, embedded_chips(), selection))
        if (finding.verdict == Verdict::warn || finding.verdict == Verdict::fail)
            alarms.insert(
                fmt::format("{} {} {}", finding.id, word_of(finding.verdict), finding.subject));
    return alarms;
}

TEST(LogCases, a_reset_that_never_ends_does_not_age) {
    EXPECT_EQ(alarms_of({"amdgpu 0000:05:00.0: amdgpu: GPU reset begin!"}, 20 * minutes),
              Lines{"RT3601 fail 0000:05:00.0"});
    EXPECT_EQ(alarms_of({"amdgpu 0000:05:00.0: amdgpu: GPU reset begin!",
                         "amdgpu 0000:05:00.0: amdgpu: GPU reset succeeded, trying to resume"},
                        20 * minutes),
              Lines{"RT3601 fail 0000:05:00.0"});
    EXPECT_EQ(alarms_of({"amdgpu 0000:05:00.0: amdgpu: GPU reset begin!",
                         "amdgpu 0000:05:00.0: amdgpu: GPU reset succeeded, trying to resume",
                         "amdgpu 0000:05:00.0: amdgpu: GPU reset(2) succeeded!"},
                        20 * minutes),
              Lines{});
}

TEST(LogCases, an_error_that_only_a_reset_mends_does_not_age) {
    EXPECT_EQ(alarms_of({"amdgpu 0000:05:00.0: amdgpu: socket: 0, die: 0, 1 uncorrectable hardware "
                         "errors detected in umc block"},
                        60 * minutes),
              Lines{"RT3603 fail 0000:05:00.0"});
}

TEST(LogCases, a_start_of_a_partition_ends_no_failure_of_another_gpu) {
    EXPECT_EQ(
        alarms_of({"amdgpu 0000:05:00.0: amdgpu: hw_init of IP block <gfx_v9_4_3> failed -110",
                   "amdgpu: probe of 0000:05:00.0 failed with error -110",
                   "[drm] Initialized amdgpu 3.57.0 20150101 for 0000:26:00.0 on minor 1",
                   "[drm] Initialized amdgpu 3.57.0 20150101 for amdgpu_xcp_0 on minor 2"}),
        Lines{"RT3604 fail 0000:05:00.0"});
}

TEST(LogCases, an_error_of_a_neighbour_below_the_same_port_is_not_of_the_gpu) {
    auto const host = FaultyHost("mi300x-x8").probed();
    auto const path = *host.gpus.at(1).sysfs_path;
    auto const above = path.substr(0, path.rfind('/'));
    auto const port = above.substr(above.rfind('/') + 1);
    EXPECT_EQ(alarms_of({fmt::format("pcieport {}: AER: Uncorrected (Non-Fatal) error received: "
                                     "0000:f8:00.0",
                                     port)}),
              Lines{});
    EXPECT_EQ(alarms_of({fmt::format("pcieport {}: AER: Uncorrected (Non-Fatal) error received: "
                                     "0000:26:00.0",
                                     port)}),
              Lines{"RT3605 fail 0000:26:00.0"});
    EXPECT_EQ(
        alarms_of({fmt::format("pcieport {}: pciehp: Slot(0): Link Down/Up ignored (recovered "
                               "by DPC)",
                               port)}),
        Lines{});
    EXPECT_EQ(alarms_of({fmt::format("pcieport {}: pciehp: Slot(0): Link Down", port)}),
              Lines{"RT3605 fail 0000:26:00.0"});
    EXPECT_EQ(alarms_of({fmt::format("pcieport {}: pciehp: Slot(0): Link Down", port),
                         "thunderbolt 0-1: device disconnected"}),
              Lines{});
}

TEST(LogCases, a_crash_counts_where_the_driver_stands_in_its_trace) {
    std::string const oops = "BUG: kernel NULL pointer dereference, address: 0000000000000008";
    EXPECT_EQ(alarms_of({oops, "RIP: 0010:drm_sched_entity_push_job+0x20/0x60 [gpu_sched]",
                         " amdgpu_job_submit+0x20/0x40 [amdgpu]"}),
              Lines{"RT3604 fail host"});
    EXPECT_EQ(alarms_of({oops, "RIP: 0010:scsi_done+0x20/0x60 [scsi_mod]",
                         "WARNING: CPU: 3 PID: 7 at drivers/gpu/drm/amd/display/dc.c:7",
                         " amdgpu_dm_update+0x20/0x40 [amdgpu]"}),
              Lines{});
}

TEST(LogCases, a_task_that_blocks_counts_where_it_waits_in_the_driver) {
    std::string const blocked = "INFO: task python3:4711 blocked for more than 122 seconds.";
    std::string const waits = " amdgpu_vm_fini+0x20/0x40 [amdgpu]";
    EXPECT_EQ(alarms_of({blocked, " dma_fence_default_wait+0x1e0/0x240", waits}),
              Lines{"RT3601 fail host"});
    EXPECT_EQ(alarms_of({blocked, " io_schedule+0x46/0x70", " ? " + waits.substr(1)}), Lines{});
    EXPECT_EQ(alarms_of({waits}), Lines{});
    // The crash that came first is the cause.
    EXPECT_EQ(alarms_of({"BUG: kernel NULL pointer dereference, address: 0000000000000008", blocked,
                         waits}),
              Lines{"RT3604 fail host"});
}

TEST(LogCases, a_failed_self_test_at_power_on_is_for_the_hardware) {
    EXPECT_EQ(alarms_of({"amdgpu 0000:05:00.0: amdgpu: socket: 0, aid: 1, hbm: 2, fw_status: 0x81, "
                         "hbm memory test failed"}),
              Lines{"RT3603 fail 0000:05:00.0"});
}

TEST(LogCases, modules_and_roms_of_others_are_nobodys_fault_where_every_gpu_has_a_driver) {
    EXPECT_EQ(alarms_of({"Loading of unsigned module is rejected"}), Lines{});
    EXPECT_EQ(alarms_of({"amdgpu 0000:05:00.0: Invalid PCI ROM header signature: expecting 0xaa55, "
                         "got 0xffff"}),
              Lines{});
    EXPECT_EQ(alarms_of({"[drm] System can't access extended configuration space, please check!!"}),
              Lines{});
}

TEST(LogCases, what_a_reset_ends_includes_lines_without_address) {
    EXPECT_EQ(alarms_of({"amdgpu 0000:05:00.0: amdgpu: GPU reset begin!",
                         "amdgpu: The cp might be in an unrecoverable state due to an unsuccessful "
                         "queues preemption",
                         "amdgpu 0000:05:00.0: amdgpu: GPU reset(2) succeeded!"},
                        20 * minutes),
              Lines{});
}

/// Ports times GPUs times classes: a log that was made to keep the program busy.
TEST(LogCases, a_hostile_log_is_cut_and_said_to_be) {
    static MessageMatcher const matcher(message_classes());
    Host const nothing;
    LogStory story(matcher, nothing);
    for (int bus = 0; bus < 200; ++bus) {
        story.add(fmt::format("pci 0000:{:02x}:01.0: PCI bridge to [bus 00-ff]", bus));
        story.add(fmt::format("pcieport 0000:{:02x}:01.0: pciehp: Slot(0): Link Down", bus));
        story.add(fmt::format("amdgpu 0000:{:02x}:00.0: amdgpu: GPU reset begin!", bus));
    }
    EXPECT_LE(story.messages({}).size(), LogStory::most_messages + 256);
}

}  // namespace
}  // namespace rocmtune::test
