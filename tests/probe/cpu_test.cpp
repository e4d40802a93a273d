// SPDX-License-Identifier: MIT
// The cpu reader: processors, memory, NUMA nodes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

/// /proc/cpuinfo of an x86 host, as TAB lines: CPU i is on socket i % sockets, core i / sockets of
/// its package, counted modulo cores.
std::string cpuinfo(unsigned threads, unsigned sockets, unsigned cores_per_socket) {
    std::string text = "/proc/cpuinfo =\n";
    for (unsigned i = 0; i < threads; ++i)
        text += fmt::format(
            "\tprocessor\t: {}\n\tmodel name\t: AMD EPYC 9654 96-Core Processor   \n"
            "\tphysical id\t: {}\n\tcore id\t\t: {}\n\tflags\t\t: fpu vme\n\t\n",
            i, i % sockets, (i / sockets) % cores_per_socket);
    return text;
}

TEST(Cpu, cpuinfo_tells_sockets_cores_and_threads) {
    auto const host =
        read(read_cpu, recorded(cpuinfo(384, 2, 96) + "/sys/devices/system/cpu/online = 0-383\n"
                                                      "/sys/devices/system/cpu/smt/active = 1\n"));
    EXPECT_EQ(*host.cpu_model, "AMD EPYC 9654 96-Core Processor");
    EXPECT_EQ(*host.cpu_sockets, 2U);
    EXPECT_EQ(*host.cpu_cores, 192U);
    EXPECT_EQ(*host.cpu_threads, 384U);
    EXPECT_EQ(host.cpu_threads.source().where, "/sys/devices/system/cpu/online");
    EXPECT_TRUE(*host.smt_active);
}

TEST(Cpu, threads_are_counted_in_cpuinfo_where_sys_is_missing) {
    auto const host = read(read_cpu, recorded(cpuinfo(8, 1, 8)));
    EXPECT_EQ(*host.cpu_threads, 8U);
    EXPECT_EQ(host.cpu_threads.source().where, "/proc/cpuinfo");
    EXPECT_EQ(host.smt_active.reason(), Missing::absent);
}

TEST(Cpu, a_partial_cpuinfo_counts_nothing) {
    auto const host =
        read(read_cpu, recorded(cpuinfo(4, 1, 4) + "/sys/devices/system/cpu/online = 0-63\n"));
    EXPECT_EQ(*host.cpu_threads, 64U);
    EXPECT_EQ(host.cpu_sockets.reason(), Missing::invalid);
    EXPECT_EQ(host.cpu_cores.reason(), Missing::invalid);
}

TEST(Cpu, topology_files_count_where_cpuinfo_has_no_ids) {
    std::string text =
        "/proc/cpuinfo =\n\tprocessor\t: 0\n\tBogoMIPS\t: 50.00\n\t\n\tprocessor\t: 1\n"
        "\tprocessor\t: 2\n\tprocessor\t: 3\n"
        "/sys/devices/system/cpu/online = 0-3\n";
    for (unsigned cpu = 0; cpu < 4; ++cpu)
        text += fmt::format(
            "/sys/devices/system/cpu/cpu{0}/topology/core_siblings_list = 0-3\n"
            "/sys/devices/system/cpu/cpu{0}/topology/thread_siblings_list = {1},{2}\n",
            cpu, cpu % 2, cpu % 2 + 2);
    auto const host = read(read_cpu, recorded(text));
    EXPECT_EQ(*host.cpu_sockets, 1U);
    EXPECT_EQ(*host.cpu_cores, 2U);
    EXPECT_EQ(host.cpu_model.reason(), Missing::absent);
}

TEST(Cpu, topology_files_that_contradict_themselves_are_invalid) {
    auto const host = read(
        read_cpu, recorded("/sys/devices/system/cpu/online = 0-1\n"
                           "/sys/devices/system/cpu/cpu0/topology/core_siblings_list = 1\n"
                           "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list = words\n"));
    EXPECT_EQ(host.cpu_sockets.reason(), Missing::invalid);
    EXPECT_EQ(host.cpu_cores.reason(), Missing::invalid);
}

TEST(Cpu, nothing_recorded_stays_not_recorded) {
    auto const host = read(read_cpu, fragment("/etc/hostname = a\n"));
    for (auto const* fact : {&host.cpu_sockets, &host.cpu_cores, &host.cpu_threads,
                             &host.memory_bytes, &host.huge_pages_total})
        EXPECT_EQ(fact->reason(), Missing::not_recorded);
    EXPECT_EQ(host.cpu_model.reason(), Missing::not_recorded);
    EXPECT_EQ(host.numa_nodes.reason(), Missing::not_recorded);
}

TEST(Cpu, an_unnamed_processor_has_no_model) {
    EXPECT_FALSE(parse_cpuinfo("processor : 0\nmodel name : unknown\n").model);
    EXPECT_FALSE(parse_cpuinfo("model name : EPYC\n").model);  // belongs to no CPU
}

TEST(Cpu, odd_cpuinfo_counts_nothing) {
    EXPECT_EQ(parse_cpuinfo("").threads, 0U);
    EXPECT_EQ(parse_cpuinfo("processor 0: version = FF\n").threads, 0U);
    auto const half = parse_cpuinfo("processor : 0\nphysical id : 0\ncore id : 0\nprocessor : 1\n");
    EXPECT_EQ(half.threads, 2U);
    EXPECT_FALSE(half.cores);
    EXPECT_FALSE(parse_cpuinfo("processor : 0\nphysical id : -1\ncore id : 0\n").sockets);
}

TEST(Cpu, memory_is_in_bytes) {
    auto const host = read(read_cpu, recorded("/proc/meminfo =\n"
                                              "\tMemTotal:       65779364 kB\n"
                                              "\tMemAvailable:   60000000 kB\n"
                                              "\tHugePages_Total:      16\n"
                                              "\tHugepagesize:       2048 kB\n"));
    EXPECT_EQ(*host.memory_bytes, 65779364ULL * 1024);
    EXPECT_EQ(*host.memory_available_bytes, 60000000ULL * 1024);
    EXPECT_EQ(*host.huge_pages_total, 16U);
    EXPECT_EQ(host.memory_bytes.source().where, "/proc/meminfo:MemTotal");
}

TEST(Cpu, memory_lines_that_make_no_sense_are_invalid) {
    auto const value = [](std::string_view line) { return meminfo_value(line, "MemTotal"); };
    EXPECT_EQ(value("MemTotal: 1 kB"), 1024U);
    EXPECT_EQ(value("Node 3 MemTotal: 2 kB"), 2048U);
    for (auto const* odd :
         {"MemTotal: -1 kB", "MemTotal: 18446744073709551615 kB", "MemTotal: 1 MB",
          "MemTotal:", "MemTotal: kB", "MemTotal: 1 kB kB", "MemTotalX: 1 kB", "MemTotal 1 kB",
          "MemTotal: 99999999999999999999 kB", ""})
        EXPECT_FALSE(value(odd)) << odd;
    auto const host = read(read_cpu, recorded("/proc/meminfo = MemTotal: much\n"));
    EXPECT_EQ(host.memory_bytes.reason(), Missing::invalid);
    EXPECT_EQ(host.memory_available_bytes.reason(), Missing::absent);
}

TEST(Cpu, numa_nodes_carry_cpus_and_memory) {
    auto const host = read(read_cpu, recorded("/sys/devices/system/node/online = 0-10\n"
                                              "/sys/devices/system/node/node0/cpulist = 0-7\n"
                                              "/sys/devices/system/node/node0/meminfo =\n"
                                              "\tNode 0 MemTotal:       1024 kB\n"
                                              "/sys/devices/system/node/node10/cpulist =\n\t\n"
                                              "/sys/devices/system/node/node10/meminfo error EIO\n"
                                              "/sys/devices/system/node/node2/cpulist =\n"));
    ASSERT_EQ(host.numa_nodes->size(), 3U);
    auto const& nodes = *host.numa_nodes;
    EXPECT_EQ(nodes[0].cpus, "0-7");
    EXPECT_EQ(nodes[0].memory_bytes, 1048576U);
    EXPECT_EQ(nodes[1].node, 2U);
    EXPECT_FALSE(nodes[1].cpus) << "an empty file tells nothing";
    EXPECT_EQ(nodes[2].node, 10U);
    EXPECT_EQ(nodes[2].cpus, "") << "a node of memory only";
    EXPECT_FALSE(nodes[2].memory_bytes);
}

TEST(Cpu, a_kernel_without_numa_has_no_nodes) {
    EXPECT_EQ(read(read_cpu, recorded("")).numa_nodes.reason(), Missing::absent);
    EXPECT_EQ(read(read_cpu, recorded("/sys/devices/system/node/power = x\n")).numa_nodes.reason(),
              Missing::absent);
}

TEST(Cpu, smt_and_governor_are_words_of_the_kernel) {
    auto const host = read(
        read_cpu, recorded("/sys/devices/system/cpu/smt/active = 2\n"
                           "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor = powersave\n"));
    EXPECT_EQ(host.smt_active.reason(), Missing::invalid);
    EXPECT_EQ(*host.cpu_governor, "powersave");
}

}  // namespace
}  // namespace rocmtune::test
