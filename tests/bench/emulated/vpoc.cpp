// SPDX-License-Identifier: MIT
// Price histograms in all forms, their sums compared bit by bit with those of the processor.
#include <cmath>

#include <fmt/format.h>

#include "bench/emulated/checks.hpp"
#include "bench/vpoc.hpp"

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
    {{"window", "rt_vpoc_window", VpocLayout::window, 4}, 2003, 4096},
    {{"split", "rt_vpoc_split", VpocLayout::split, 4}, 2003, 4096},
    {{"window", "rt_vpoc_window", VpocLayout::window, 4}, 2003, 4096},
    {{"split", "rt_vpoc_split", VpocLayout::split, 4}, 2003, 4096},
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

std::string wrong_sums(EmulatedDevice& device, VpocInput const& input, VpocVariant const& variant) {
    auto const sums = sums_of<std::uint64_t>(device, input, variant);
    for (std::size_t row = 0; row < sums.size(); ++row)
        if (sums[row] != input.expected[row])
            return fmt::format("{}-{}: row {} of {} holds {}, not {}", variant.name,
                               variant.vectors, row, sums.size(), sums[row], input.expected[row]);
    return {};
}

std::string wrong_floats(EmulatedDevice& device, VpocInput const& input) {
    auto const sums = sums_of<float>(device, input, {"float", "rt_vpoc_float", VpocLayout::floats});
    for (std::size_t row = 0; row < sums.size(); ++row) {
        auto const exact =
            static_cast<double>(input.expected[row]) * input.ticks.scale.resolution();
        if (!(std::abs(static_cast<double>(sums[row]) - exact) <= 1e-5 * exact))
            return fmt::format("float: row {} holds {}, not {}", row, sums[row], exact);
    }
    return {};
}

/// Distributions of the benchmark, and two that its short cuts could take for another: every four
/// ticks are of one row, and the first of every four is.
constexpr std::string_view fours = "fours", firsts = "firsts";

Ticks ticks_of(std::string_view distribution, std::uint32_t bins) {
    constexpr std::uint64_t count = 10'007;
    if (distribution != fours && distribution != firsts)
        return make_ticks(distribution, count, bins);
    auto ticks = make_ticks("uniform", count, bins);
    for (std::size_t i = 0; i < count; ++i) {
        if (distribution == fours) ticks.offsets[i] = ticks.offsets[i / 4 * 4];
        else if (i % 4 == 0) ticks.offsets[i] = ticks.offsets[0];
    }
    return ticks;
}

std::string wrong_case(EmulatedDevice& device, Case const& it, std::string_view distribution) {
    device.changed_info().lds_bytes = it.lds_bytes;
    auto ticks = ticks_of(distribution, it.bins);
    ticks.grid.nearest = it.variant.vectors != 2;
    VpocInput const input(device, std::move(ticks));
    return wrong_under_any_schedule(device, [&] { return wrong_sums(device, input, it.variant); });
}

}  // namespace

std::string wrong_in_vpoc(EmulatedDevice& device) {
    std::vector<std::string_view> all(std::begin(distributions), std::end(distributions));
    all.insert(all.end(), {fours, firsts});
    for (auto const& it : cases)
        for (auto const distribution : all)
            if (auto text = wrong_case(device, it, distribution); !text.empty())
                return fmt::format("{}, {}", text, distribution);
    VpocInput const input(device, make_ticks("uniform", 10'007, 101));
    return wrong_under_any_schedule(device, [&] { return wrong_floats(device, input); });
}

}  // namespace rocmtune::test
