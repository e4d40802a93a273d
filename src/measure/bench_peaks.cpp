// SPDX-License-Identifier: MIT
#include "measure/bench_peaks.hpp"

#include <algorithm>
#include <cmath>

#include "bench/gemm.hpp"
#include "bench/plausible.hpp"
#include "knowledge/products.hpp"

namespace rocmtune {
namespace {

/// Published figures are rounded: 8000 GB/s of the 8192 that the clocks of an MI355X give.
constexpr double most_rounding = 0.05;
/// A clock that gives half or twice what is published is of another unit or another kind of memory.
constexpr double most_doubt = 2;

bool close(double limit, double published) {
    return std::abs(limit / published - 1) <= most_rounding;
}

/// Overclocked memory is some tens of percent quicker; what is off by a factor is no limit.
std::optional<double> believable(std::optional<double> limit, std::optional<double> published) {
    if (!limit || !published) return limit;
    auto const ratio = *limit / *published;
    return ratio > 1 / most_doubt && ratio < most_doubt ? limit : std::nullopt;
}

std::optional<double> published_of(Product const* product) {
    if (product == nullptr || !product->memory_bandwidth_bytes_per_s) return std::nullopt;
    return static_cast<double>(*product->memory_bandwidth_bytes_per_s);
}

/// Whether a cache that nobody tells of may be behind the last one that is known: an Infinity
/// Cache, which kernels before 6.5 do not list. It came with RDNA 2 (llvm/docs/AMDGPUUsage.rst,
/// memory model of gfx10: the MALL of gfx10.3) and CDNA 3 (rocm.docs.amd.com, reference/gpu-specs:
/// column "L3 Cache", which MI250X and before have empty, as have all with HBM2 and HBM2e). What is
/// not known may have one.
bool may_hide_a_cache(ChipSet const& chips, Gpu const& gpu, Product const* product) {
    auto const l2 = gpu.l2_cache_bytes.value_or(0);
    if (l2 > 0 && gpu.last_level_cache_bytes.value_or(0) > l2) return false;
    if (product != nullptr && product->last_level_cache_bytes) return false;
    if (product != nullptr &&
        (product->memory_type == MemoryType::hbm2 || product->memory_type == MemoryType::hbm2e))
        return false;
    constexpr std::string_view without[] = {"GCN5", "RDNA1", "CDNA1", "CDNA2"};
    auto const* const chip = chips.find_chip(gpu.gfx_target.value_or(""));
    return chip == nullptr || std::ranges::find(without, chip->family) == std::end(without);
}

/// Where nothing is published and the clocks give nothing.
std::string_view why_no_peak(Product const* product) {
    bool const only_clock = product != nullptr && product->memory_type &&
                            transfers_per_clock(*product->memory_type) &&
                            !product->virtual_function;
    return only_clock ? memory_clock_unknown_label : peak_unknown_label;
}

/// The clock that the vendor states; else the highest that the driver knows.
std::optional<std::uint64_t> clock_of(Gpu const& gpu, Product const* product) {
    if (product != nullptr && product->boost_clock_mhz) return *product->boost_clock_mhz;
    auto const told = gpu.max_engine_clock_mhz.value_or(0);
    bool const can_be = bench::plausible::engine_clock_mhz.hold(static_cast<double>(told));
    return can_be ? std::optional(static_cast<std::uint64_t>(told)) : std::nullopt;
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

MemoryBounds memory_bounds_of(ChipSet const& chips, Gpu const* gpu) {
    if (gpu == nullptr) return {.no_peak = peak_unknown_label};
    auto const* const product = product_of(chips, *gpu);
    auto const published = published_of(product);
    auto const share = memory_share_of(*gpu, product);
    auto const limit = believable(memory_limit_of(chips, *gpu), published);
    MemoryBounds bounds;
    if (limit && !may_hide_a_cache(chips, *gpu, product))
        bounds.limit = *limit * share.most * unseen_overclocking(*gpu);
    bool const same_clock = published && (!limit || close(*limit, *published));
    auto const whole = same_clock ? published : limit;
    if (!whole) bounds.no_peak = why_no_peak(product);
    else if (!share.own) bounds.no_peak = memory_shared_label;
    else bounds.peak = *whole * *share.own;
    return bounds;
}

std::optional<double> memory_peak_of(ChipSet const& chips, Gpu const* gpu) {
    return memory_bounds_of(chips, gpu).peak;
}

std::optional<std::uint64_t> last_level_cache_of(ChipSet const& chips, Gpu const* gpu) {
    if (gpu == nullptr) return std::nullopt;
    auto const* const product = product_of(chips, *gpu);
    if (may_hide_a_cache(chips, *gpu, product)) return std::nullopt;
    double most = 0;
    if (gpu->last_level_cache_bytes) most = static_cast<double>(*gpu->last_level_cache_bytes);
    if (product != nullptr)
        most = std::max(most, static_cast<double>(product->last_level_cache_bytes.value_or(0)) *
                                  memory_share_of(*gpu, product).most);
    return most > 0 ? std::optional(static_cast<std::uint64_t>(most)) : std::nullopt;
}

void set_memory_bounds(ChipSet const& chips, Gpu const* gpu, bench::Options& options) {
    auto const bounds = memory_bounds_of(chips, gpu);
    options.peak_bytes_per_second = bounds.peak;
    options.memory_limit_bytes_per_second = bounds.limit;
    options.no_peak = options.backend == "hip" ? bounds.no_peak : std::string_view();
    options.last_level_cache_bytes = last_level_cache_of(chips, gpu);
}

std::vector<std::string> doubts_of(Gpu const* gpu) {
    constexpr auto bounds = bench::plausible::engine_clock_mhz;
    std::vector<std::string> doubts;
    if (gpu == nullptr) return doubts;
    auto const told = static_cast<double>(gpu->max_engine_clock_mhz.value_or(0));
    if (gpu->max_engine_clock_mhz && !bounds.hold(told))
        doubts.push_back(not_plausible("highest engine clock of the driver", told, "MHz", bounds));
    // Of these the reader has taken out what cannot be.
    for (auto const* fact : {&gpu->memory_clock_max_mhz, &gpu->memory_bus_width_bits})
        if (!*fact && fact->reason() == Missing::invalid) doubts.push_back(fact->detail());
    return doubts;
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
        if (product != nullptr && compute_partitions_of(*gpu, product) == 1U)
            it.expected_per_second = expected_of(*chip, *product, "gemm", type.name);
        if (it.peak_per_second || it.expected_per_second) peaks.push_back(std::move(it));
    }
    return peaks;
}

}  // namespace rocmtune
