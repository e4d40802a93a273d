// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "bench/vpoc.hpp"

namespace rocmtune::bench {
namespace {

/// The exact ones. Which is best depends on rows, data and device: it is found by trying.
constexpr VpocVariant variants[] = {
    {"pairs", "rt_vpoc_pairs", VpocLayout::all_rows, 1},
    {"pairs", "rt_vpoc_pairs", VpocLayout::all_rows, 2},
    {"longs", "rt_vpoc_longs", VpocLayout::all_rows, 1},
    {"window", "rt_vpoc_window", VpocLayout::window, 1},
    {"window", "rt_vpoc_window", VpocLayout::window, 2},
    {"window", "rt_vpoc_window", VpocLayout::window, 4},
    {"split", "rt_vpoc_split", VpocLayout::split, 1},
    {"split", "rt_vpoc_split", VpocLayout::split, 2},
    {"split", "rt_vpoc_split", VpocLayout::split, 4},
    {"global", "rt_vpoc_global", VpocLayout::none, 1},
};

/// The first of `rows` rows that hold the most ticks of a sample.
std::uint32_t best_window(Ticks const& ticks, std::uint32_t rows) {
    constexpr std::size_t sampled = 65536;
    std::vector<std::uint32_t> counts(ticks.grid.bins + 1);
    auto const step = std::max<std::size_t>(ticks.size() / sampled, 1);
    for (std::size_t i = 0; i < ticks.size(); i += step)
        ++counts[ticks.grid.row_of(ticks.offsets[i]) + 1];
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    std::uint32_t best = 0;
    std::uint32_t first_full = 0;
    for (std::uint32_t start = 0; start + rows <= ticks.grid.bins; ++start) {
        auto const inside = counts[start + rows] - counts[start];
        if (inside > counts[best + rows] - counts[best]) best = first_full = start;
        // Of equals the middle one: the data may reach further than the sample.
        else if (inside == counts[best + rows] - counts[best]) first_full = start;
    }
    return std::midpoint(best, first_full);
}

/// Which rows' words share LDS; false if too many parts would have to.
bool place_window(Ticks const& ticks, VpocLayout layout, std::uint32_t words, VpocLaunch& launch) {
    constexpr std::uint32_t hot_share = 16;
    constexpr std::uint32_t most_parts = 8;  // every part reads all ticks
    auto const bins = ticks.grid.bins;
    launch.hot_rows = std::min(words / hot_share, bins);
    launch.hot = best_window(ticks, launch.hot_rows);
    auto const room = words - launch.hot_rows;
    launch.rows = std::min(room, bins);
    if (layout == VpocLayout::window) {
        launch.start = best_window(ticks, launch.rows);
        return true;
    }
    launch.start = std::max((bins + room - 1) / room, std::uint32_t{2});
    launch.rows = (bins + launch.start - 1) / launch.start;
    return launch.start <= most_parts;
}

}  // namespace

std::optional<VpocLaunch> launch_of(Session& session, VpocInput const& input,
                                    VpocVariant const& variant) {
    auto& device = session.device;
    auto const& info = device.info();
    auto const bins = input.ticks.grid.bins;
    // A little LDS stays free: compilers and drivers take some for themselves.
    auto const lds = static_cast<std::uint32_t>(
                         std::min<std::uint64_t>(info.lds_bytes, std::uint64_t{1} << 30)) /
                     1024 * 1024;
    VpocLaunch launch;
    std::uint64_t bytes = 0;
    if (variant.layout == VpocLayout::all_rows) bytes = std::uint64_t{8} * bins;
    if (variant.layout == VpocLayout::floats) bytes = std::uint64_t{4} * bins;
    if (variant.layout == VpocLayout::window || variant.layout == VpocLayout::split) {
        if (std::uint64_t{8} * bins <= lds / 2) return std::nullopt;  // all rows fit: no need
        if (!place_window(input.ticks, variant.layout, lds / 4, launch)) return std::nullopt;
        bytes = std::uint64_t{4} * (launch.rows + launch.hot_rows);
    }
    if (bytes > lds) return std::nullopt;
    KernelRequest request{"vpoc", variant.function};
    if (input.ticks.grid.nearest) request.definitions.emplace_back("RT_NEAREST");
    if (variant.vectors > 1)
        request.definitions.push_back(fmt::format("RT_VECTORS={}", variant.vectors));
    if (session.options.compute_dies > 1 && variant.layout == VpocLayout::split)
        request.definitions.push_back(fmt::format("RT_DIES={}", session.options.compute_dies));
    launch.kernel = device.load(request);
    auto const held = device.occupancy(launch.kernel, vpoc_block, static_cast<unsigned>(bytes));
    auto const split = variant.layout == VpocLayout::split ? launch.start : 1;
    auto const blocks =
        std::max<std::uint64_t>(info.compute_units, 1) * std::max(held, 1U) / split * split;
    launch.shape = {std::max<std::uint64_t>(blocks, split), vpoc_block,
                    static_cast<std::uint32_t>(bytes)};
    return launch;
}

std::function<void()> queue_of(Device& device, VpocInput const& input, VpocLaunch const& launch) {
    auto const& grid = input.ticks.grid;
    auto const arguments = Arguments()
                               .add(input.prices.address())
                               .add(input.volumes.address())
                               .add<std::uint64_t>(input.ticks.size())
                               .add(grid.inverse)
                               .add(input.ticks.scale.factor())
                               .add(grid.bins)
                               .add(input.out.address())
                               .add(launch.start)
                               .add(launch.rows)
                               .add(launch.hot)
                               .add(launch.hot_rows);
    return [&device, &out = input.out, launch, arguments] {
        device.fill(out.address(), 0, out.bytes());
        device.launch(launch.kernel, launch.shape, arguments);
    };
}

std::pair<VpocVariant const*, VpocLaunch> best_launch(Session& session, VpocInput const& input) {
    std::pair<VpocVariant const*, VpocLaunch> best{nullptr, {}};
    double best_time = 0;
    for (auto const& variant : variants) {
        bool const on_cpu = session.device.info().backend == "cpu";
        if (on_cpu && variant.layout != VpocLayout::none) continue;
        auto const launch = launch_of(session, input, variant);
        if (!launch) continue;
        // 1024 threads leave 64 registers each on GCN, 128 and more on CDNA2 and RDNA: four vectors
        // fit or not. On NVIDIA time alone decides.
        if (session.device.info().backend == "hip" &&
            session.device.spilled_bytes(launch->kernel) > 0)
            continue;
        auto const time =
            on_cpu ? 0 : quick_time(session.device, queue_of(session.device, input, *launch));
        if (best.first != nullptr && time >= best_time) continue;
        best = {&variant, *launch};
        best_time = time;
    }
    if (best.first == nullptr) throw DeviceError("no kernel can hold so many rows", "unsupported");
    return best;
}

}  // namespace rocmtune::bench
