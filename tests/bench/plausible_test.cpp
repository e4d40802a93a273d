// SPDX-License-Identifier: MIT
#include "bench/plausible.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rocmtune::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

/// As CUDA describes an H200.
DeviceInfo h200() {
    DeviceInfo info;
    info.compute_units = 132;
    info.lds_bytes = 232448;
    info.cache_bytes = 62914560;
    info.memory_bytes = 141 * gib;
    info.peak_bytes_per_second = memory_peak(3'201'000, 6016, 2, info);
    return info;
}

TEST(Plausible, what_a_real_gpu_says_stays) {
    auto info = h200();
    keep_plausible(info);
    EXPECT_THAT(info.notes, IsEmpty());
    EXPECT_EQ(info.compute_units, 132U);
    EXPECT_EQ(info.lds_bytes, 232448U);
    EXPECT_EQ(info.cache_bytes, 62914560U);
    EXPECT_NEAR(info.peak_bytes_per_second, 4814e9, 1e9);
}

TEST(Plausible, what_nobody_told_needs_no_note) {
    DeviceInfo info;
    keep_plausible(info);
    EXPECT_EQ(memory_peak(0, 6016, 2, info), 0);
    EXPECT_EQ(memory_peak(3'201'000, 0, 2, info), 0);
    EXPECT_THAT(info.notes, IsEmpty());
}

TEST(Plausible, clocks_in_another_unit_make_no_peak) {
    for (std::uint64_t const clock : {1'313ULL, 1'313'000'000ULL, 99'999ULL}) {
        DeviceInfo info;
        EXPECT_EQ(memory_peak(clock, 8192, 2, info), 0) << clock;
        EXPECT_THAT(info.notes, ElementsAre(HasSubstr("memory clock of the runtime: "))) << clock;
    }
    EXPECT_FALSE(plausible::engine_clock_mhz.hold(2'100'000));
    EXPECT_FALSE(plausible::engine_clock_mhz.hold(2'100'000'000));
    EXPECT_TRUE(plausible::engine_clock_mhz.hold(2'100));
}

TEST(Plausible, a_bus_that_cannot_be_makes_no_peak) {
    for (std::uint64_t const bits : {1ULL, 16ULL, 8'388'608ULL}) {
        DeviceInfo info;
        EXPECT_EQ(memory_peak(1'600'000, bits, 2, info), 0) << bits;
        EXPECT_THAT(info.notes, ElementsAre(HasSubstr("memory bus of the runtime: "))) << bits;
    }
}

TEST(Plausible, no_number_is_within_bounds) {
    Bounds const bounds{0, std::numeric_limits<double>::max()};
    EXPECT_FALSE(bounds.hold(std::nan("")));
    EXPECT_FALSE(bounds.hold(std::numeric_limits<double>::infinity()));
    DeviceInfo info;
    info.peak_bytes_per_second = std::nan("");
    keep_plausible(info);
    EXPECT_EQ(info.peak_bytes_per_second, 0);
}

TEST(Plausible, what_drivers_and_profiles_say_is_judged_too) {
    Options options;
    options.peak_bytes_per_second = 0;
    options.last_level_cache_bytes = 16 * gib;
    options.gemm_peaks = {{"fp16", 1307e12, 639e12}, {"fp8", 2.6e18, std::nan("")}};
    keep_plausible(options, h200());
    EXPECT_FALSE(options.peak_bytes_per_second);
    EXPECT_FALSE(options.last_level_cache_bytes);
    EXPECT_TRUE(options.gemm_peaks[0].peak_per_second && options.gemm_peaks[0].expected_per_second);
    EXPECT_FALSE(options.gemm_peaks[1].peak_per_second ||
                 options.gemm_peaks[1].expected_per_second);
    EXPECT_THAT(
        options.notes,
        ElementsAre(HasSubstr("peak of the memory by the profile: 0 bytes/s cannot be"),
                    HasSubstr("last-level cache of the driver or the profile: "),
                    HasSubstr("peak of fp8: 2.6e+18"), HasSubstr("expectation of fp8: nan")));
}

TEST(Plausible, a_cache_is_smaller_than_the_memory_that_it_is_of) {
    auto info = h200();
    info.memory_bytes = gib;
    Options options;
    options.last_level_cache_bytes = 2 * gib;
    keep_plausible(options, info);
    EXPECT_FALSE(options.last_level_cache_bytes);
    EXPECT_THAT(options.notes, ElementsAre(HasSubstr("2 GiB cannot be beside 1 GiB of memory")));
}

}  // namespace
}  // namespace rocmtune::bench
