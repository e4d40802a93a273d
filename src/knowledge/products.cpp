// SPDX-License-Identifier: MIT
#include "knowledge/products.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace rocmtune {
namespace {

Product const* product_named(ChipSet const& chips, Gpu const& gpu) {
    auto const* const chip = chips.find_chip(gpu.gfx_target.value_or(""));
    if (chip == nullptr || !gpu.marketing_name) return nullptr;
    Product const* found = nullptr;
    for (auto const& product : chip->products) {
        if (product.name != *gpu.marketing_name) continue;
        if (found != nullptr) return nullptr;
        found = &product;
    }
    return found;
}

/// Modes that say the number themselves (Linux amdgpu_xcp.c); CPX has one for each compute die.
constexpr std::pair<std::string_view, std::uint64_t> modes[] = {
    {"SPX", 1}, {"DPX", 2}, {"TPX", 3}, {"QPX", 4}};

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

Product const* product_of(ChipSet const& chips, Gpu const& gpu) {
    if (!gpu.pci_device_id) return product_named(chips, gpu);
    auto const device = static_cast<std::uint16_t>(to_unsigned(*gpu.pci_device_id).value_or(0));
    if (!gpu.pci_revision) return chips.only_product(device);
    return chips.find_product(
        device, static_cast<std::uint8_t>(to_unsigned(*gpu.pci_revision).value_or(0)));
}

std::optional<std::uint64_t> compute_partitions_of(Gpu const& gpu, Product const* product) {
    auto const dies = gpu.xcc_count.value_or(0);
    // A container may see one partition only: the dies tell it from a whole card.
    if (product != nullptr && product->xcc_count && dies > 0 && *product->xcc_count % dies == 0)
        return *product->xcc_count / dies;
    for (auto const& [mode, count] : modes)
        if (gpu.compute_partition && *gpu.compute_partition == mode) return count;
    auto const seen = gpu.partition_count.value_or(1);
    if (seen > 1) return seen;
    bool const part = gpu.partition_index.value_or(0) != 0 || gpu.compute_partition;
    return part ? std::nullopt : std::optional(seen);
}

std::optional<std::uint64_t> memory_partitions_of(Gpu const& gpu) {
    constexpr std::string_view prefix = "NPS";
    if (!gpu.memory_partition || !gpu.memory_partition->starts_with(prefix)) return std::nullopt;
    auto const count = to_unsigned(gpu.memory_partition->substr(prefix.size()), 10);
    return count && *count > 0 ? count : std::nullopt;
}

MemoryShare memory_share_of(Gpu const& gpu, Product const* product) {
    auto const compute = compute_partitions_of(gpu, product);
    auto const memory = memory_partitions_of(gpu);
    if (compute == 1U) return {.most = 1, .own = 1};
    if (!memory) return {};
    auto const part = 1 / static_cast<double>(*memory);
    return {.most = part, .own = compute == memory ? std::optional(part) : std::nullopt};
}

std::string_view profile_type(std::string_view type) {
    return type == "tf32" ? "xf32" : type;
}

bool is_of(Expectation const& expectation, Product const& product) {
    auto name = product.name;
    if (name == expectation.product) return true;
    if (!name.ends_with(expectation.product)) return false;
    name.remove_suffix(expectation.product.size());
    return name.ends_with(' ');
}

std::optional<double> expected_of(Chip const& chip, Product const& product,
                                  std::string_view benchmark, std::string_view type) {
    constexpr double giga = 1e9;
    std::optional<double> least;
    for (auto const& one : chip.facts.expectations) {
        if (one.benchmark != benchmark || one.data_type != profile_type(type)) continue;
        if (!is_of(one, product)) continue;
        auto const value = static_cast<double>(one.value) * giga;
        least = std::min(least.value_or(value), value);
    }
    return least;
}

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
