// SPDX-License-Identifier: MIT
#include "knowledge/card_share.hpp"

#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Modes that say the number themselves (Linux amdgpu_xcp.c); CPX has one for each compute die.
constexpr std::pair<std::string_view, std::uint64_t> modes[] = {
    {"SPX", 1}, {"DPX", 2}, {"TPX", 3}, {"QPX", 4}};

}  // namespace

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

}  // namespace rocmtune
