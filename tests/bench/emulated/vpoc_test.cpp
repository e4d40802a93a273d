// SPDX-License-Identifier: MIT
// Price histograms in all forms, their sums compared bit by bit with those of the processor.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/emulated/device.hpp"
#include "bench/vpoc_launch.hpp"

namespace rocmtune::test {
namespace {

using namespace bench;
using emulator::Schedule;

struct Case {
    VpocVariant variant;
    std::uint32_t bins;
    std::uint64_t lds_bytes;  ///< of the device: so little that not all rows fit
};
constexpr Case cases[] = {
    {{"pairs", "rt_vpoc_pairs", VpocLayout::all_rows, 1}, 101, 65536},
    {{"pairs", "rt_vpoc_pairs", VpocLayout::all_rows, 2}, 101, 65536},
    {{"longs", "rt_vpoc_longs", VpocLayout::all_rows, 1}, 101, 65536},
    {{"window", "rt_vpoc_window", VpocLayout::window, 1}, 1009, 4096},
    {{"window", "rt_vpoc_window", VpocLayout::window, 2}, 2003, 4096},
    {{"split", "rt_vpoc_split", VpocLayout::split, 1}, 1009, 4096},
    {{"split", "rt_vpoc_split", VpocLayout::split, 2}, 2003, 4096},
    {{"global", "rt_vpoc_global", VpocLayout::none, 1}, 1009, 4096},
};

template <class T>
std::vector<T> sums_of(EmulatedDevice& device, VpocInput const& input, VpocVariant const& variant) {
    Options const options;
    Session session{device, options};
    auto const launch = launch_of(session, input, variant);
    if (!launch) throw DeviceError("this variant cannot be launched");
    queue_of(device, input, *launch)();
    std::vector<T> sums(input.ticks.grid.bins);
    device.download(sums.data(), input.out.address(), sums.size() * sizeof(T));
    return sums;
}

class EmulatedVpoc : public testing::TestWithParam<char const*> {};

TEST_P(EmulatedVpoc, every_kernel_finds_the_exact_sums) {
    EmulatedDevice device(GetParam());
    for (auto const& it : cases)
        for (auto const distribution : distributions) {
            device.changed_info().lds_bytes = it.lds_bytes;
            auto ticks = make_ticks(distribution, 10'007, it.bins);
            ticks.grid.nearest = it.variant.vectors != 2;
            VpocInput const input(device, std::move(ticks));
            for (auto const schedule : schedules) {
                device.options.schedule = schedule;
                EXPECT_EQ(sums_of<std::uint64_t>(device, input, it.variant), input.expected)
                    << it.variant.name << "-" << it.variant.vectors << ", " << distribution;
            }
        }
}

TEST_P(EmulatedVpoc, sums_in_fp32_are_near) {
    EmulatedDevice device(GetParam());
    VpocInput const input(device, make_ticks("uniform", 10'007, 101));
    for (auto const schedule : schedules) {
        device.options.schedule = schedule;
        auto const sums =
            sums_of<float>(device, input, {"float", "rt_vpoc_float", VpocLayout::floats});
        for (std::size_t row = 0; row < sums.size(); ++row) {
            auto const exact =
                static_cast<double>(input.expected[row]) * input.ticks.scale.resolution();
            EXPECT_NEAR(static_cast<double>(sums[row]), exact, 1e-5 * exact) << row;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, EmulatedVpoc, testing::ValuesIn(targets),
                         [](auto const& it) { return std::string(it.param); });

}  // namespace
}  // namespace rocmtune::test
