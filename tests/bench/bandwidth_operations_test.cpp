// SPDX-License-Identifier: MIT
// No access takes longer than one that moves the same bytes and more: on made-up figures, among
// them those with which a benchmark of ours was once wrong by three times.
#include "bench/bandwidth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocmtune::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Measurement figure(std::string metric, double value, double spread = 0.01) {
    Measurement it;
    it.benchmark = "bandwidth";
    it.metric = std::move(metric);
    it.backend = "cpu";
    it.parameters.bytes = std::uint64_t{1} << 28;
    it.status = "ok";
    it.value = value;
    it.low = value * (1 - spread);
    it.high = value * (1 + spread);
    return it;
}

/// GB/s of the two processors on which `write` was wrong.
std::vector<Measurement> run_with_write(double write) {
    return {figure("copy", 38.2),        figure("mul", 38.0),         figure("add", 39.4),
            figure("triad", 39.1),       figure("dot", 42.6),         figure("read", 43.1),
            figure("write", write),      figure("device-copy", 36.9), figure("device-fill", 40.3),
            figure("host-to-device", 9), figure("peer-copy", 7)};
}

std::vector<std::string> labels_of_write(std::vector<Measurement> run) {
    label_slower_than_others(run);
    for (auto const& it : run)
        if (it.metric != "write") {
            EXPECT_THAT(it.labels, IsEmpty()) << it.metric;
        }
    return run[6].labels;
}

TEST(BandwidthOperations, a_write_of_a_third_of_what_memset_writes_is_labelled) {
    EXPECT_THAT(labels_of_write(run_with_write(14.1)), ElementsAre("slower-than-device-fill"));
}

TEST(BandwidthOperations, a_write_that_takes_longer_than_a_copy_is_labelled_without_a_memset) {
    auto run = run_with_write(14.1);
    run[8].status = "unsupported";
    EXPECT_THAT(labels_of_write(run), ElementsAre("slower-than-copy"));
}

TEST(BandwidthOperations, a_right_write_is_not) {
    EXPECT_THAT(labels_of_write(run_with_write(40.1)), IsEmpty());
    EXPECT_THAT(labels_of_write(run_with_write(48)), IsEmpty());
}

TEST(BandwidthOperations, a_difference_within_a_quarter_or_within_the_noise_is_none) {
    EXPECT_THAT(labels_of_write(run_with_write(33.5)), IsEmpty());
    auto run = run_with_write(14.1);
    run[6].high = 41;
    EXPECT_THAT(labels_of_write(run), IsEmpty());
}

TEST(BandwidthOperations, of_other_sizes_devices_or_out_of_a_cache_prove_nothing) {
    auto const changed = [](auto const& change) {
        auto run = run_with_write(14.1);
        change(run[6]);
        return labels_of_write(run);
    };
    EXPECT_THAT(changed([](auto& it) { it.parameters.bytes = 1 << 20; }), IsEmpty());
    EXPECT_THAT(changed([](auto& it) { it.parameters.index = 1; }), IsEmpty());
    EXPECT_THAT(changed([](auto& it) { it.backend = "cuda"; }), IsEmpty());
    EXPECT_THAT(changed([](auto& it) { it.status = "timeout"; }), IsEmpty());
    EXPECT_THAT(changed([](auto& it) { it.low = it.high = std::nullopt; }), IsEmpty());
    auto run = run_with_write(14.1);
    for (auto& it : run) it.labels = {"in-cache"};
    label_slower_than_others(run);
    for (auto const& it : run) EXPECT_THAT(it.labels, ElementsAre("in-cache"));
}

/// Of an H200 (bench/self/README.md).
TEST(BandwidthOperations, of_a_healthy_gpu_have_no_label) {
    std::vector<Measurement> run{figure("copy", 4293),        figure("mul", 4280),
                                 figure("add", 4397),         figure("triad", 4397),
                                 figure("dot", 4614),         figure("read", 4609),
                                 figure("write", 4699),       figure("device-copy", 4306),
                                 figure("device-fill", 4500), figure("peer-copy", 394)};
    label_slower_than_others(run);
    for (auto const& it : run) EXPECT_THAT(it.labels, IsEmpty()) << it.metric;
}

TEST(BandwidthOperations, each_stands_beside_another_of_the_same_traffic_or_more) {
    for (auto const& one : bandwidth_operations()) {
        int others = 0;
        for (auto const& other : bandwidth_operations())
            others += one.name != other.name && one.is_part_of(other);
        EXPECT_GE(others, 1) << one.name;
    }
}

TEST(BandwidthOperations, say_what_they_count) {
    EXPECT_EQ(bandwidth_operations()[0].counting(), "reads N and writes N bytes");
    EXPECT_EQ(bandwidth_operations()[3].counting(), "reads 2 N and writes N bytes");
    EXPECT_EQ(bandwidth_operations()[4].counting(), "reads 2 N bytes");
    EXPECT_EQ(bandwidth_operations()[6].counting(), "writes N bytes");
}

}  // namespace
}  // namespace rocmtune::bench
