// SPDX-License-Identifier: MIT
// What the GPUs do while a command runs, by sysfs and fdinfo.
#include "measure/gpu_watch.hpp"

#include <gtest/gtest.h>

#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

constexpr pid_t command = 100;

/// One GPU that is awake and one that sleeps; the command has a child.
void lay_out(Tree& tree) {
    for (auto const* gpu : {"0000:03:00.0", "0000:04:00.0"}) {
        auto const device = std::string("/sys/bus/pci/devices/") + gpu;
        tree.directory(std::string("/sys/bus/pci/drivers/amdgpu/") + gpu);
        tree.file(device + "/gpu_busy_percent", "37\n")
            .file(device + "/mem_info_vram_used", "4096\n");
    }
    tree.file("/sys/bus/pci/devices/0000:03:00.0/power/runtime_status", "active\n");
    tree.file("/sys/bus/pci/devices/0000:04:00.0/power/runtime_status", "suspended\n");
    tree.file("/sys/bus/pci/drivers/amdgpu/bind", "");
    tree.file("/proc/100/task/100/children", "101 \n").file("/proc/101/task/101/children", "\n");
}

TEST(GpuLook, leaves_a_gpu_that_sleeps_alone) {
    Tree tree;
    lay_out(tree);
    auto const looks = look_at_gpus(tree.root(), kfd_ids(tree.root()), command);
    ASSERT_EQ(looks.size(), 1U);
    EXPECT_EQ(looks.front(),
              (GpuLook{.pci_address = "0000:03:00.0", .busy_percent = 37, .vram_bytes = 4096}));
}

TEST(GpuLook, sees_what_a_child_of_the_command_has_open) {
    Tree tree;
    lay_out(tree);
    tree.file("/proc/101/fdinfo/7",
              "pos:\t0\ndrm-driver:\tamdgpu\ndrm-client-id:\t5\ndrm-pdev:\t0000:03:00.0\n"
              "drm-engine-gfx:\t1500 ns\ndrm-engine-compute:\t500 ns\n");
    // A second file of the same client counts once.
    tree.file("/proc/101/fdinfo/8",
              "drm-driver:\tamdgpu\ndrm-client-id:\t5\ndrm-pdev:\t0000:03:00.0\n"
              "drm-engine-gfx:\t1500 ns\n");
    auto const look = look_at_gpus(tree.root(), kfd_ids(tree.root()), command).front();
    EXPECT_TRUE(look.held);
    EXPECT_EQ(look.work, 2000U);
}

TEST(MemoryInUse, is_that_of_gpus_that_the_command_held) {
    constexpr std::uint64_t gib = std::uint64_t{1} << 30;
    GpuActivity const left{.pci_address = "0000:03:00.0",
                           .vram_start_bytes = gib,
                           .vram_most_bytes = 9 * gib,
                           .vram_end_bytes = 3 * gib,
                           .held = true};
    EXPECT_EQ(memory_in_use(std::vector{left}),
              "2 GiB of device memory of 0000:03:00.0 are still in use");
    auto other = left;
    other.held = false;
    auto freed = left;
    freed.vram_end_bytes = gib + (std::uint64_t{200} << 20);
    auto untold = left;
    untold.vram_start_bytes.reset();
    EXPECT_EQ(memory_in_use(std::vector{other, freed, untold}), "");
}

TEST(GpuLook, sees_what_kfd_counts_for_the_command) {
    Tree tree;
    lay_out(tree);
    std::string const node = "/sys/class/kfd/kfd/topology/nodes/1/";
    tree.file(node + "gpu_id", "4711\n").file(node + "properties", "domain 0\nlocation_id 768\n");
    tree.file("/sys/class/kfd/kfd/proc/100/vram_4711", "8192\n");
    tree.file("/sys/class/kfd/kfd/proc/100/stats_4711/cu_occupancy", "12\n");
    auto const look = look_at_gpus(tree.root(), kfd_ids(tree.root()), command).front();
    EXPECT_TRUE(look.held);
    EXPECT_EQ(look.work, 8204U);
}

TEST(GpuLook, is_nothing_without_the_driver) {
    Tree tree;
    EXPECT_TRUE(look_at_gpus(tree.root(), kfd_ids(tree.root()), command).empty());
}

GpuActivity resting() {
    return {.pci_address = "0000:03:00.0",
            .busy_most_percent = 0,
            .busy_end_percent = 0,
            .vram_start_bytes = 1 << 20,
            .vram_most_bytes = 1 << 20};
}

TEST(GpuActivities, are_rest_only_where_all_is_seen_and_nothing_moved) {
    EXPECT_TRUE(all_rested({resting(), resting()}));
    EXPECT_FALSE(all_rested({})) << "nobody looked";
    auto held = resting();
    held.held = true;
    EXPECT_FALSE(all_rested({resting(), held}));
    auto busy = resting();
    busy.busy_most_percent = 1;
    EXPECT_FALSE(all_rested({busy}));
    auto grown = resting();
    grown.vram_most_bytes = 2 << 20;
    EXPECT_FALSE(all_rested({grown})) << "a daemon may have computed for the command";
    auto unseen = resting();
    unseen.busy_most_percent.reset();
    EXPECT_FALSE(all_rested({unseen}));
}

TEST(GpuLookLine, comes_back_as_it_was) {
    for (auto const& look :
         {GpuLook{.pci_address = "0000:03:00.0", .busy_percent = 99, .work = 7, .held = true},
          GpuLook{.pci_address = "0001:c3:00.0", .vram_bytes = 1}})
        EXPECT_EQ(look_of(line_of(look)), look);
    for (auto const* line : {"", "0000:03:00.0 1 2 3", "x 1 2 3 0", "0000:03:00.0 1 2 - 0"})
        EXPECT_FALSE(look_of(line)) << line;
}

}  // namespace
}  // namespace rocmtune::test
