// SPDX-License-Identifier: MIT
#include "base/host.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

TEST(Subject, is_the_address_with_the_partition_where_there_are_some) {
    constexpr auto* address = "0000:03:00.0";
    EXPECT_EQ(subject_at(address, {}, {}), address);
    EXPECT_EQ(subject_at(address, 0, 1), address);
    EXPECT_EQ(subject_at(address, 0, 8), "0000:03:00.0/0");
    EXPECT_EQ(subject_at(address, {}, 8), "0000:03:00.0/0");
    EXPECT_EQ(subject_at(address, 3, {}), "0000:03:00.0/3") << "only this one is seen";
}

TEST(Subject, is_the_host_for_a_device_without_address) {
    Gpu gpu;
    EXPECT_EQ(subject_of(gpu), "host");
    EXPECT_FALSE(is_partition(gpu));
    gpu.partition_count.offer(4, {"kfd", "x"});
    EXPECT_EQ(subject_of(gpu), "host");
    EXPECT_TRUE(is_partition(gpu));
    gpu.pci_address.offer("0000:03:00.0", {"kfd", "x"});
    EXPECT_EQ(subject_of(gpu), "0000:03:00.0/0");
}

}  // namespace
}  // namespace rocmtune::test
