// SPDX-License-Identifier: MIT
#include "cli/bench_peaks.hpp"

#include <algorithm>

#include "bench/gemm_data.hpp"
#include "knowledge/expected_of.hpp"
#include "knowledge/product_of.hpp"

namespace rocmtune {
namespace {

bool is_whole(Gpu const& gpu) {
    return gpu.partition_count.value_or(1) == 1;
}

/// The clock that the vendor states; else the highest that the driver knows.
std::optional<std::uint64_t> clock_of(Gpu const& gpu, Product const* product) {
    if (product != nullptr && product->boost_clock_mhz) return *product->boost_clock_mhz;
    if (gpu.max_engine_clock_mhz) return static_cast<std::uint64_t>(*gpu.max_engine_clock_mhz);
    return std::nullopt;
}

std::optional<double> peak_of(Chip const& chip, Gpu const& gpu, Product const* product,
                              std::string_view type) {
    auto const clock = clock_of(gpu, product);
    if (!clock || !gpu.compute_units) return std::nullopt;
    std::optional<double> best;
    for (auto const* const unit : {"vector", "dot", "matrix"})
        if (auto const peak =
                peak_per_second(chip, profile_type(type), unit,
                                static_cast<std::uint64_t>(*gpu.compute_units), *clock))
            best = std::max(best.value_or(0), *peak);
    return best;
}

}  // namespace

std::optional<double> memory_peak_of(ChipSet const& chips, Gpu const* gpu) {
    if (gpu == nullptr || !is_whole(*gpu)) return std::nullopt;
    auto const* const product = product_of(chips, *gpu);
    if (product == nullptr || !product->memory_bandwidth_bytes_per_s) return std::nullopt;
    return static_cast<double>(*product->memory_bandwidth_bytes_per_s);
}

std::optional<std::uint64_t> last_level_cache_of(ChipSet const& chips, Gpu const* gpu) {
    if (gpu == nullptr) return std::nullopt;
    auto const* const product = product_of(chips, *gpu);
    std::uint64_t most = 0;
    if (gpu->last_level_cache_bytes)
        most = static_cast<std::uint64_t>(*gpu->last_level_cache_bytes);
    if (product != nullptr) most = std::max(most, product->last_level_cache_bytes.value_or(0));
    return most > 0 ? std::optional(most) : std::nullopt;
}

std::uint64_t compute_dies_of(Gpu const* gpu) {
    return gpu == nullptr ? 1 : static_cast<std::uint64_t>(gpu->xcc_count.value_or(1));
}

std::vector<bench::GemmPeak> gemm_peaks_of(ChipSet const& chips, Gpu const* gpu) {
    std::vector<bench::GemmPeak> peaks;
    if (gpu == nullptr || !gpu->gfx_target) return peaks;
    auto const* const chip = chips.find_chip(*gpu->gfx_target);
    if (chip == nullptr) return peaks;
    auto const* const product = product_of(chips, *gpu);
    for (auto const& type : bench::gemm_types()) {
        bench::GemmPeak it{.dtype = std::string(type.name)};
        it.peak_per_second = peak_of(*chip, *gpu, product, type.name);
        if (product != nullptr && is_whole(*gpu))
            it.expected_per_second = expected_of(*chip, *product, "gemm", type.name);
        if (it.peak_per_second || it.expected_per_second) peaks.push_back(std::move(it));
    }
    return peaks;
}

}  // namespace rocmtune
