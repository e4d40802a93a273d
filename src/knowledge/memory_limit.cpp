// SPDX-License-Identifier: MIT
#include "knowledge/memory_limit.hpp"

#include <algorithm>
#include <array>

#include "knowledge/product_of.hpp"

namespace rocmtune {
namespace {

/// In the order of MemoryType. HBM2 and GDDR6 as in Mesa's ac_gpu_info.c,
/// ac_memory_ops_per_clock(). It has 2 for all HBM, which halves HBM3: there the driver tells half
/// of the data clock. Each row is that at which width x clock x transfers gives the published
/// bandwidth: HBM2 4096 bits x 1200 MHz x 2 = 1228.8 GB/s (MI100); HBM2e 4096 x 1600 x 2 = 1638.4
/// (MI210); HBM3 8192 x 1300 x 4 = 5325 for 5300 (MI300X); HBM3E 8192 x 2000 x 4 = 8192 for 8000
/// (MI355X); GDDR6 384 x 1250 x 16 = 960 (RX 7900 XTX), 256 x 1000 x 16 = 512 (RX 6900 XT).
/// LPDDR5X: Mesa has 4, two recorded hosts look like 8 (1000 MHz beside 8000 MT/s).
constexpr std::array<std::optional<unsigned>, memory_type_words.size()> transfers{
    2, 2, 4, 4, 16, std::nullopt};

}  // namespace

std::optional<unsigned> transfers_per_clock(MemoryType type) {
    return transfers[static_cast<std::size_t>(type)];
}

std::optional<double> highest_memory_clock_mhz(Gpu const& gpu) {
    std::optional<double> most;
    if (gpu.memory_clock_max_mhz) most = static_cast<double>(*gpu.memory_clock_max_mhz);
    if (!gpu.clocks) return most;
    for (auto const& domain : *gpu.clocks)
        if (domain.name == "mclk" || domain.name == "od_mclk")
            for (auto const level : domain.levels_mhz) most = std::max(most.value_or(level), level);
    return most;
}

double unseen_overclocking(Gpu const& gpu) {
    constexpr double room = 1.25;
    return gpu.memory_clock_max_mhz && gpu.memory_clock_max_mhz.source().reader == "hip" ? room : 1;
}

std::optional<double> memory_limit_of(ChipSet const& chips, Gpu const& gpu) {
    auto const* const product = product_of(chips, gpu);
    if (product == nullptr || !product->memory_type || product->virtual_function)
        return std::nullopt;
    auto const each = transfers_per_clock(*product->memory_type);
    auto const clock = highest_memory_clock_mhz(gpu);
    auto const width = gpu.memory_bus_width_bits.value_or(0);
    if (!each || !clock || *clock <= 0 || width == 0) return std::nullopt;
    constexpr double hz_per_mhz = 1e6;
    constexpr double bits_per_byte = 8;
    return static_cast<double>(width) / bits_per_byte * *clock * hz_per_mhz * *each;
}

}  // namespace rocmtune
