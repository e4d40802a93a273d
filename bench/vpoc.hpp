// SPDX-License-Identifier: MIT
// How the kernels of vpoc are launched (vpoc_launch.cpp): which rows lie in LDS, and which kernel
// is the quickest.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/session.hpp"
#include "bench/ticks.hpp"

namespace rocmtune::bench {

inline constexpr unsigned vpoc_block = 1024;

/// How a kernel uses LDS, which decides what it can be launched with.
enum class VpocLayout { none, all_rows, window, split, floats };

struct VpocVariant {
    std::string_view name;  ///< as the figures call it
    std::string_view function;
    VpocLayout layout;
    int vectors = 1;  ///< of ticks that a thread has at a time
};

/// Ticks on the device.
struct VpocInput {
    VpocInput(Device& device, Ticks made)
        : ticks(std::move(made)),
          prices(device, 4 * ticks.size()),
          volumes(device, 4 * ticks.size()),
          out(device, std::size_t{8} * ticks.grid.bins),
          expected(ticks.sums()) {
        device.upload(prices.address(), ticks.offsets.data(), 4 * ticks.size());
        device.upload(volumes.address(), ticks.volumes.data(), 4 * ticks.size());
        device.synchronize();
    }

    Ticks ticks;
    Buffer prices, volumes, out;
    std::vector<std::uint64_t> expected;
};

struct VpocLaunch {
    Kernel kernel;
    Shape shape;
    std::uint32_t start = 0;
    std::uint32_t rows = 0;
    std::uint32_t hot = 0;  ///< rows whose high words are in LDS, too
    std::uint32_t hot_rows = 0;
};

/// How to launch a variant; nothing if this device or this number of rows does not allow it.
std::optional<VpocLaunch> launch_of(Session& session, VpocInput const& input,
                                    VpocVariant const& variant);

/// Clears the sums and adds all ticks.
std::function<void()> queue_of(Device& device, VpocInput const& input, VpocLaunch const& launch);

/// The quickest launch of all that this device allows.
std::pair<VpocVariant const*, VpocLaunch> best_launch(Session& session, VpocInput const& input);

}  // namespace rocmtune::bench
