// SPDX-License-Identifier: MIT
#include "base/host.hpp"

#include <gtest/gtest.h>

#include "rocmtune/fact.hpp"

namespace rocmtune::test {
namespace {

constexpr auto* address = "0000:03:00.0";

Gpu gpu_at(char const* where) {
    Gpu gpu;
    gpu.pci_address.offer(where, {"pci", "x"});
    return gpu;
}

TEST(Holds, means_the_card) {
    GpuProcess const process{.pid = 7, .through = "kfd", .gpus = {address}};
    auto partition = gpu_at(address);
    partition.partition_index.offer(5, {"kfd", "x"});
    EXPECT_TRUE(holds(process, gpu_at(address)));
    EXPECT_TRUE(holds(process, partition));
    EXPECT_FALSE(holds(process, gpu_at("0000:03:00.1")));
}

TEST(Holds, nobody_holds_a_device_without_address_or_where_no_list_was_read) {
    EXPECT_FALSE(holds({.pid = 7, .gpus = {""}}, Gpu{}));
    Host host;
    EXPECT_FALSE(is_held(host, gpu_at(address)));
    host.gpu_processes.offer({{.pid = 7, .gpus = {address}}}, {"processes", "x"});
    EXPECT_TRUE(is_held(host, gpu_at(address)));
}

TEST(Asleep, is_what_the_kernel_calls_suspended) {
    for (auto const& [status, asleep] :
         {std::pair("suspended", true), std::pair("suspending", true), std::pair("active", false),
          std::pair("resuming", false), std::pair("error", false),
          std::pair("unsupported", false)}) {
        Gpu gpu;
        gpu.runtime_status.offer(status, {"pci", "x"});
        EXPECT_EQ(is_asleep(gpu), asleep) << status;
    }
    EXPECT_FALSE(is_asleep(Gpu{}));
}

TEST(Unlimited, is_told_from_a_limit_that_is_not_known) {
    Number limit;
    EXPECT_FALSE(is_unlimited(limit));
    miss_as_unlimited(limit);
    EXPECT_TRUE(is_unlimited(limit));
    limit.offer(7, {"surroundings", "x"});
    EXPECT_FALSE(is_unlimited(limit));
}

TEST(Among, no_rows_asked_for_means_all) {
    Gpu gpu;
    EXPECT_TRUE(is_among({}, gpu));
    EXPECT_FALSE(is_among({0}, gpu)) << "a device without a row is none of them";
    gpu.row.offer(3, {"pci", "x"});
    EXPECT_TRUE(is_among({1, 3}, gpu));
    EXPECT_FALSE(is_among({1}, gpu));
}

}  // namespace
}  // namespace rocmtune::test
