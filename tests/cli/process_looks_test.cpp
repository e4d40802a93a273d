// SPDX-License-Identifier: MIT
// What is added up of processes, of the host and of GPUs, on composed trees.
#include "measure/process_looks.hpp"

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/gpu_states.hpp"
#include "measure/host_looks.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Optional;

constexpr double exact = 1e-6;

/// A line of /proc/PID/stat; times are in hundredths of a second.
struct Stat {
    int pid = 100;
    int parent = 1;
    char state = 'S';
    int minor = 0, reaped_minor = 0;
    int user = 0, kernel = 0, reaped = 0;
    int threads = 1;
    int start = 5000;
    int resident = 10;
    int exit_signal = 17;

    std::string text() const {
        return fmt::format(
            "{} (a) b) {} {} 100 100 0 -1 4194304 {} {} 0 0 {} {} {} 0 20 0 {} 0 {} 1000000 {} 1 "
            "1 1 1 1 1 0 0 0 0 0 0 0 {} 1 0 0 0 0 0 0\n",
            pid, state, parent, minor, reaped_minor, user, kernel, reaped, threads, start, resident,
            exit_signal);
    }
};

void put(Tree& tree, Stat const& stat) {
    tree.file(fmt::format("/proc/{}/stat", stat.pid), stat.text());
}

void put_io(Tree& tree, int pid, int read, int written, int cancelled = 0) {
    tree.file(fmt::format("/proc/{}/io", pid),
              fmt::format("rchar: 9\nread_bytes: {}\nwrite_bytes: {}\ncancelled_write_bytes: {}\n",
                          read, written, cancelled));
}

void newest(Tree& tree, int pid) {
    tree.file("/proc/loadavg", fmt::format("0.5 0.5 0.5 2/99 {}\n", pid));
}

void remove(Tree& tree, int pid) {
    std::filesystem::remove_all(fmt::format("{}/proc/{}", tree.path(), pid));
}

WatchSample look(ProcessLooks& looks) {
    WatchSample sample{.seconds = 0.1};
    looks.take(sample);
    return sample;
}

TEST(TaskStat, is_read_behind_the_last_bracket) {
    auto const stat = task_stat_of(Stat{.state = 'D', .minor = 7, .user = 3, .threads = 2}.text());
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->state, 'D');
    EXPECT_EQ(stat->minor_faults, 7U);
    EXPECT_EQ(stat->user, 3U);
    EXPECT_EQ(stat->threads, 2U);
    EXPECT_EQ(stat->start, 5000U);
    EXPECT_FALSE(stat->is_thread);
    EXPECT_TRUE(task_stat_of(Stat{.exit_signal = -1}.text())->is_thread);
    for (auto const* text : {"", "1 (a) S 1", "1 a S 1 1 1", ") "})
        EXPECT_FALSE(task_stat_of(text));
}

TEST(ProcessLooks, count_what_was_used_since_the_look_before) {
    Tree tree;
    newest(tree, 100);
    put(tree, {.minor = 50, .user = 500, .kernel = 100});
    put_io(tree, 100, 4096, 8192);
    ProcessLooks looks(tree.root(), 100);
    put(tree, {.state = 'R', .minor = 80, .user = 507, .kernel = 102, .resident = 25});
    put_io(tree, 100, 8192, 16384, 4096);
    auto const sample = look(looks);
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0.09, exact)));
    EXPECT_THAT(sample.kernel_seconds, Optional(DoubleNear(0.02, exact)));
    EXPECT_THAT(sample.thread_seconds, Optional(DoubleNear(0.09, exact)));
    EXPECT_EQ(sample.minor_faults, 30);
    EXPECT_EQ(sample.read_bytes, 4096);
    EXPECT_EQ(sample.written_bytes, 4096) << "what was removed before it was written is none";
    EXPECT_EQ(sample.runnable, 1);
    EXPECT_EQ(sample.blocked, 0);
    EXPECT_EQ(sample.resident_bytes, 25.0 * 4096);
}

TEST(ProcessLooks, count_a_child_once_though_its_parent_gets_its_time) {
    Tree tree;
    newest(tree, 100);
    put(tree, {});
    ProcessLooks looks(tree.root(), 100);
    newest(tree, 103);
    put(tree, {.pid = 103, .parent = 100, .minor = 200, .user = 5});
    auto sample = look(looks);
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0.05, exact)));
    EXPECT_EQ(sample.started, 1);
    EXPECT_EQ(sample.short_faults, 200) << "those of its start";
    // It works on and ends; at the next look its parent has reaped it.
    remove(tree, 103);
    sample = look(looks);
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0, exact)));
    put(tree, {.reaped_minor = 230, .reaped = 8});
    sample = look(looks);
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0.03, exact))) << "5 of 8 were counted";
    EXPECT_EQ(sample.minor_faults, 30);
}

TEST(ProcessLooks, count_children_that_nobody_saw) {
    Tree tree;
    newest(tree, 100);
    put(tree, {});
    ProcessLooks looks(tree.root(), 100);
    newest(tree, 140);
    put(tree, {.reaped_minor = 9000, .reaped = 9});
    auto const sample = look(looks);
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0.09, exact)));
    EXPECT_THAT(sample.thread_seconds, Optional(DoubleNear(0, exact)));
    EXPECT_EQ(sample.short_faults, 9000);
}

TEST(ProcessLooks, follow_children_of_children_and_no_threads_or_strangers) {
    Tree tree;
    newest(tree, 100);
    put(tree, {});
    put(tree, {.pid = 50, .parent = 1});
    ProcessLooks looks(tree.root(), 100);
    newest(tree, 104);
    put(tree, {.pid = 101, .parent = 100});
    put(tree, {.pid = 102, .parent = 101});
    put(tree, {.pid = 103, .parent = 101, .exit_signal = -1});
    put(tree, {.pid = 104, .parent = 50});
    look(looks);
    EXPECT_THAT(looks.alive(), ElementsAre(100, 101, 102));
    EXPECT_EQ(looks.seen(), 3U);
    // Its parent ends: it stays one of the program's.
    remove(tree, 101);
    put(tree, {.pid = 102, .parent = 1});
    look(looks);
    EXPECT_THAT(looks.alive(), ElementsAre(100, 102));
}

TEST(ProcessLooks, find_children_where_numbers_begin_again) {
    Tree tree;
    newest(tree, 32000);
    put(tree, {.pid = 31000});
    ProcessLooks looks(tree.root(), 31000);
    newest(tree, 310);
    put(tree, {.pid = 305, .parent = 31000});
    look(looks);
    EXPECT_THAT(looks.alive(), ElementsAre(31000, 305));
}

TEST(ProcessLooks, find_children_without_the_newest_number) {
    Tree tree;
    put(tree, {});
    ProcessLooks looks(tree.root(), 100);
    put(tree, {.pid = 90, .parent = 100});
    put(tree, {.pid = 80, .parent = 90});
    look(looks);
    EXPECT_THAT(looks.alive(), ElementsAre(100, 90, 80));
}

TEST(ProcessLooks, take_no_other_process_for_one_that_has_ended) {
    Tree tree;
    newest(tree, 101);
    put(tree, {});
    put(tree, {.pid = 101, .parent = 100});
    ProcessLooks looks(tree.root(), 100);
    EXPECT_EQ(looks.alive().size(), 2U);
    put(tree, {.pid = 101, .parent = 1, .user = 9000, .start = 6000});
    auto const sample = look(looks);
    EXPECT_THAT(looks.alive(), ElementsAre(100));
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0, exact)));
}

TEST(ProcessLooks, name_the_busiest_thread) {
    Tree tree;
    newest(tree, 103);
    auto const put_all = [&](int main, int one, int other, char state) {
        put(tree, {.user = main + one + other, .threads = 3});
        for (auto const& [id, time] : {std::pair(100, main), {101, one}, {102, other}})
            tree.file(fmt::format("/proc/100/task/{}/stat", id),
                      Stat{.pid = id, .state = id == 102 ? state : 'S', .user = time}.text());
    };
    put_all(10, 20, 30, 'S');
    ProcessLooks looks(tree.root(), 100);
    put_all(11, 29, 33, 'D');
    auto const sample = look(looks);
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0.13, exact)));
    EXPECT_THAT(sample.thread_seconds, Optional(DoubleNear(0.09, exact)));
    EXPECT_EQ(sample.blocked, 1);
    EXPECT_EQ(sample.threads, 3);
}

TEST(ProcessLooks, know_no_bytes_where_the_kernel_does_not_tell) {
    Tree tree;
    newest(tree, 100);
    put(tree, {});
    tree.fail("/proc/100/io", EACCES);
    ProcessLooks looks(tree.root(), 100);
    auto const sample = look(looks);
    EXPECT_FALSE(sample.read_bytes || sample.written_bytes);
}

TEST(ProcessLooks, end_with_the_program) {
    Tree tree;
    newest(tree, 100);
    put(tree, {.user = 10});
    ProcessLooks looks(tree.root(), 100);
    put(tree, {.state = 'Z', .user = 15});
    WatchSample sample{.seconds = 0.1};
    EXPECT_FALSE(looks.take(sample));
    EXPECT_THAT(sample.cpu_seconds, Optional(DoubleNear(0.05, exact))) << "its last figures";
    remove(tree, 100);
    sample = {.seconds = 0.1};
    EXPECT_FALSE(looks.take(sample));
    EXPECT_FALSE(sample.cpu_seconds);
    ProcessLooks nobody(tree.root(), 4711);
    EXPECT_FALSE(nobody.take(sample));
}

// ---- the host -----------------------------------------------------------------------------------

TEST(HostLooks, tell_the_program_from_others) {
    Tree tree;
    auto const put_stat = [&](int busy) {
        tree.file("/proc/stat", fmt::format("cpu  {} 0 0 9000 5 0 0 3 0 0\ncpu0 1 0 0 1\n"
                                            "cpu1 1 0 0 1\nintr 5\nprocs_running 4\n",
                                            busy));
    };
    put_stat(1000);
    tree.file("/proc/meminfo", "MemTotal:  1000 kB\nMemFree: 10 kB\nMemAvailable:  400 kB\n");
    HostLooks looks(tree.root());
    put_stat(1018);
    WatchSample sample{.seconds = 0.1, .cpu_seconds = 0.1};
    looks.take(sample, {});
    EXPECT_EQ(sample.host_processors, 2);
    EXPECT_EQ(sample.processors, 2);
    EXPECT_EQ(sample.run_queue, 3);
    EXPECT_THAT(sample.others_seconds, Optional(DoubleNear(0.08, 0.02)));
    EXPECT_EQ(sample.memory_bytes, 1024e3);
    EXPECT_EQ(sample.available_bytes, 400.0 * 1024);
    EXPECT_FALSE(sample.numa_pages || sample.disk_pressure_seconds);
}

TEST(HostLooks, know_how_many_processors_the_program_may_use) {
    Tree tree;
    tree.file("/proc/stat", "cpu  1 0 0 9 5 0 0 3\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\n");
    tree.file("/proc/100/status", "Name: a\nThreads:\t1\nCpus_allowed_list:\t0,2\n");
    auto const processors = [](HostLooks& looks) {
        WatchSample sample{.seconds = 0.1};
        pid_t const program[] = {100};
        for (int i = 0; i < 5; ++i) looks.take(sample = {.seconds = 0.1}, program);
        return sample.processors;
    };
    HostLooks bound(tree.root());
    EXPECT_EQ(processors(bound), 2);
    tree.file("/proc/100/status", "Name: a\nThreads:\t4\nCpus_allowed_list:\t0\n");
    EXPECT_EQ(processors(bound), 2) << "its first thread is bound to one, not all of them";
    tree.call("cgroup.cpu", "150000 100000");
    HostLooks limited(tree.root());
    EXPECT_THAT(processors(limited), Optional(DoubleNear(1, exact)));
    tree.file("/proc/100/status", "Name: a\nThreads:\t1\nCpus_allowed_list:\t0-3\n");
    HostLooks quota(tree.root());
    EXPECT_THAT(processors(quota), Optional(DoubleNear(1.5, exact)));
}

TEST(HostLooks, count_pages_of_other_nodes) {
    Tree tree;
    auto const put_node = [&](int node, int hit, int miss, int other) {
        tree.file(fmt::format("/sys/devices/system/node/node{}/numastat", node),
                  fmt::format("numa_hit {}\nnuma_miss {}\nnuma_foreign 0\nlocal_node 1\n"
                              "other_node {}\n",
                              hit, miss, other));
    };
    put_node(0, 100, 0, 0);
    put_node(1, 100, 0, 0);
    HostLooks looks(tree.root());
    put_node(0, 200, 0, 50);
    put_node(1, 100, 100, 100);
    WatchSample sample{.seconds = 0.1};
    looks.take(sample, {});
    EXPECT_EQ(sample.numa_pages, 200);
    EXPECT_EQ(sample.numa_misses, 150);
}

// ---- GPUs ---------------------------------------------------------------------------------------

constexpr pid_t program[] = {100};
std::string const device = "/sys/bus/pci/devices/0000:03:00.0";

void lay_out_gpu(Tree& tree) {
    tree.directory("/sys/bus/pci/drivers/amdgpu/0000:03:00.0");
    tree.link("/proc/self/ns/pid", "pid:[4026531836]");
    tree.file(device + "/power/runtime_status", "active\n")
        .file(device + "/gpu_busy_percent", "97\n")
        .file(device + "/mem_busy_percent", "40\n")
        .file(device + "/mem_info_vram_used", "4096\n")
        .file(device + "/mem_info_vram_total", "8192\n")
        .file(device + "/current_link_speed", "16.0 GT/s PCIe\n")
        .file(device + "/current_link_width", "16\n")
        .file(device + "/pp_dpm_sclk", "0: 500Mhz\n1: 2100Mhz *\n")
        .file(device + "/hwmon/hwmon4/power1_average", "250000000\n")
        .file(device + "/hwmon/hwmon4/power1_cap", "300000000\n")
        .file(device + "/hwmon/hwmon4/temp1_input", "60000\n")
        .file(device + "/hwmon/hwmon4/temp1_crit", "100000\n")
        .file(device + "/hwmon/hwmon4/temp2_input", "95000\n")
        .file(device + "/hwmon/hwmon4/temp2_crit", "110000\n");
    std::string const node = "/sys/class/kfd/kfd/topology/nodes/1/";
    tree.file(node + "gpu_id", "4711\n").file(node + "properties", "domain 0\nlocation_id 768\n");
    tree.file("/sys/class/kfd/kfd/proc/100/vram_4711", "2048\n");
    tree.file("/sys/class/kfd/kfd/proc/100/sdma_4711", "1000000\n");
}

std::vector<GpuSample> look(GpuStates& states) {
    WatchSample sample{.seconds = 0.1};
    states.take(sample, program);
    return sample.gpus;
}

TEST(GpuStates, tell_all_that_sysfs_tells) {
    Tree tree;
    lay_out_gpu(tree);
    GpuStates states(tree.root());
    auto const gpus = look(states);
    ASSERT_EQ(gpus.size(), 1U);
    auto const& gpu = gpus.front();
    EXPECT_EQ(gpu.held, 1);
    EXPECT_EQ(gpu.others, 0);
    EXPECT_EQ(gpu.busy, 0.97);
    EXPECT_EQ(gpu.memory_busy, 0.4);
    EXPECT_EQ(gpu.vram_bytes, 4096);
    EXPECT_EQ(gpu.vram_total_bytes, 8192);
    EXPECT_EQ(gpu.power_watts, 250);
    EXPECT_EQ(gpu.power_cap_watts, 300);
    EXPECT_EQ(gpu.clock_mhz, 2100);
    EXPECT_EQ(gpu.temperature_celsius, 95) << "of two sensors the one nearer to its limit";
    EXPECT_EQ(gpu.temperature_limit_celsius, 110);
    EXPECT_THAT(gpu.pcie_most_bytes_per_second, Optional(DoubleNear(63.015e9, 1e6)));
    EXPECT_FALSE(gpu.power_throttled || gpu.copy_engines);
}

TEST(GpuStates, count_copies_of_the_program) {
    Tree tree;
    lay_out_gpu(tree);
    GpuStates states(tree.root());
    look(states);
    tree.file("/sys/class/kfd/kfd/proc/100/sdma_4711", "1400000\n");
    for (int i = 0; i < 4; ++i) look(states);
    auto const gpus = look(states);
    EXPECT_THAT(gpus.front().copy_engines, Optional(DoubleNear(0.8, exact)));
}

TEST(GpuStates, count_queues_and_memory_of_the_program) {
    Tree tree;
    lay_out_gpu(tree);
    std::string const process = "/sys/class/kfd/kfd/proc/100";
    GpuStates before(tree.root());
    EXPECT_FALSE(look(before).front().queues) << "this kernel does not tell";
    tree.file(process + "/vram_4711", "1048576\n");
    tree.file(process + "/queues/0/gpuid", "4711\n");
    tree.file(process + "/queues/1/gpuid", "4711\n");
    tree.file(process + "/queues/2/gpuid", "99\n");
    tree.file("/sys/class/kfd/kfd/proc/200/queues/0/gpuid", "4711\n");
    GpuStates states(tree.root());
    auto const gpu = look(states).front();
    EXPECT_EQ(gpu.queues, 2);
    EXPECT_EQ(gpu.own_bytes, 1048576);
}

TEST(GpuStates, see_processes_of_others_at_work) {
    Tree tree;
    lay_out_gpu(tree);
    tree.file("/sys/class/kfd/kfd/proc/200/vram_4711", "2048\n");
    GpuStates silent(tree.root());
    EXPECT_FALSE(look(silent).front().others) << "this chip does not tell";
    tree.file("/sys/class/kfd/kfd/proc/200/stats_4711/cu_occupancy", "0\n");
    GpuStates resting(tree.root());
    EXPECT_EQ(look(resting).front().others, 0);
    tree.file("/sys/class/kfd/kfd/proc/200/stats_4711/cu_occupancy", "40\n");
    GpuStates working(tree.root());
    EXPECT_EQ(look(working).front().others, 1);
}

TEST(GpuStates, leave_a_gpu_that_sleeps_alone) {
    Tree tree;
    lay_out_gpu(tree);
    tree.file("/sys/class/kfd/kfd/proc/100/vram_4711", "0\n");
    tree.file(device + "/power/runtime_status", "suspended\n");
    GpuStates states(tree.root());
    EXPECT_TRUE(look(states).empty());
}

TEST(GpuStates, do_not_mix_up_processes_of_another_namespace) {
    Tree tree;
    lay_out_gpu(tree);
    std::filesystem::remove(tree.path() + "/proc/self/ns/pid");
    tree.link("/proc/self/ns/pid", "pid:[4026532000]");
    GpuStates states(tree.root());
    auto const gpus = look(states);
    ASSERT_EQ(gpus.size(), 1U);
    EXPECT_EQ(gpus.front().held, 0);
    EXPECT_FALSE(gpus.front().others);
}

TEST(Links, carry_what_their_speed_says) {
    EXPECT_THAT(link_bytes_per_second("8.0 GT/s PCIe", "16"), Optional(DoubleNear(31.5e9, 1e7)));
    EXPECT_THAT(link_bytes_per_second("2.5 GT/s PCIe", "1"), Optional(DoubleNear(0.5e9, 1e6)));
    EXPECT_FALSE(link_bytes_per_second("Unknown", "16"));
    EXPECT_FALSE(link_bytes_per_second("8.0 GT/s", "0"));
    EXPECT_EQ(pcie_bytes("1000 500 256\n"), 384'000);
    for (auto const* text : {"", "1 2", "1 2 0", "a b c"}) EXPECT_FALSE(pcie_bytes(text));
}

}  // namespace
}  // namespace rocmtune::test
