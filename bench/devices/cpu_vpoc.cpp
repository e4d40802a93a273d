// SPDX-License-Identifier: MIT
// kernels/vpoc.hip for processors. Compiled with optimisation in every build type.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "bench/devices/cpu_kernels.hpp"
#include "bench/host_threads.hpp"

namespace rocmtune::bench {
namespace {

/// Ticks whose rows and volumes are computed at once, in vector registers.
constexpr std::size_t block_ticks = 512;
constexpr std::size_t line_ticks = 16;  ///< of a cache line
/// Histograms side by side, so that ticks of one row do not wait for each other's sum; as long as
/// all of them stay in the level-2 cache. Two, if few ticks share a row with the one before: with
/// the ticks and 1,000 rows they fill half of a level-1 cache, whose other half may be another
/// thread's.
constexpr std::size_t copies = 4;
constexpr std::size_t fewer_copies = 2;
constexpr std::uint32_t most_copied_bins = 8192;

struct Job {
    float const* prices;
    float const* volumes;
    std::size_t count;
    float inverse;
    float scale;
    std::uint32_t bins;
    bool nearest;
};

Job job_of(Arguments const& it, bool nearest) {
    return {it.get<float const*>(0),
            it.get<float const*>(1),
            it.get<std::uint64_t>(2),
            it.get<float>(3),
            it.get<float>(4),
            it.get<std::uint32_t>(5),
            nearest};
}

ROCMTUNE_CLONES void rows_nearest(Job const& job, std::size_t first, std::size_t count,
                                  std::uint32_t* rows) {
    auto const last = static_cast<float>(job.bins - 1);
    for (std::size_t k = 0; k < count; ++k) {
        float const x = std::rint(job.prices[first + k] * job.inverse);
        rows[k] = static_cast<std::uint32_t>(static_cast<std::int32_t>(x < last ? x : last));
    }
}

ROCMTUNE_CLONES void rows_of_interval(Job const& job, std::size_t first, std::size_t count,
                                      std::uint32_t* rows) {
    auto const last = static_cast<float>(job.bins - 1);
    for (std::size_t k = 0; k < count; ++k) {
        float const x = job.prices[first + k] * job.inverse;
        rows[k] = static_cast<std::uint32_t>(static_cast<std::int32_t>(x < last ? x : last));
    }
}

/// Integer volumes have at most 28 bits (VolumeScale).
ROCMTUNE_CLONES void convert_volumes(Job const& job, std::size_t first, std::size_t count,
                                     std::uint32_t* volumes) {
    for (std::size_t k = 0; k < count; ++k)
        volumes[k] = static_cast<std::uint32_t>(
            static_cast<std::int32_t>(std::rint(job.volumes[first + k] * job.scale)));
}

/// Asks for ticks of the next block while those of this one are added: the memory is never idle.
void prefetch(Job const& job, std::size_t tick) {
    tick = std::min(tick, job.count);
    __builtin_prefetch(job.prices + tick);
    __builtin_prefetch(job.volumes + tick);
}

ROCMTUNE_CLONES bool often_repeats(std::uint32_t const* rows, std::size_t count) {
    std::uint32_t repeats = 0;
    for (std::size_t k = 1; k < count; ++k) repeats += rows[k] == rows[k - 1];
    return repeats > count / 8;
}

/// Adds a block that begins with tick `first`.
template <std::size_t side_by_side>
void add_block(Job const& job, std::size_t first, std::size_t count, std::uint32_t const* rows,
               std::uint32_t const* volumes, std::uint64_t* sums, std::size_t stride) {
    std::size_t k = 0;
    for (; k + line_ticks <= count; k += line_ticks) {
        prefetch(job, first + block_ticks + k);
        for (std::size_t t = k; t < k + line_ticks; ++t)
            sums[t % side_by_side * stride + rows[t]] += volumes[t];
    }
    for (; k < count; ++k) sums[rows[k]] += volumes[k];
}

template <bool nearest>
void add_range(Job const& job, Range range, std::uint64_t* sums, std::size_t stride) {
    std::uint32_t rows[block_ticks];
    std::uint32_t volumes[block_ticks];
    for (auto i = range.begin; i < range.end; i += block_ticks) {
        auto const count = std::min(block_ticks, range.end - i);
        if constexpr (nearest) rows_nearest(job, i, count, rows);
        else rows_of_interval(job, i, count, rows);
        convert_volumes(job, i, count, volumes);
        if (often_repeats(rows, count))
            add_block<copies>(job, i, count, rows, volumes, sums, stride);
        else add_block<fewer_copies>(job, i, count, rows, volumes, sums, stride);
    }
}

void run_exact(Arguments const& it, bool nearest, unsigned part, unsigned parts) {
    auto const job = job_of(it, nearest);
    std::size_t const stride = job.bins <= most_copied_bins ? job.bins : 0;
    std::vector<std::uint64_t> sums(stride == 0 ? job.bins : copies * stride);
    auto const range = part_of(job.count, part, parts, block_ticks);
    if (nearest) add_range<true>(job, range, sums.data(), stride);
    else add_range<false>(job, range, sums.data(), stride);
    auto* const out = it.get<std::uint64_t*>(6);
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i] != 0)
            std::atomic_ref(out[i % job.bins]).fetch_add(sums[i], std::memory_order_relaxed);
}

void run_nearest(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    run_exact(it, true, part, parts);
}
void run_interval(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    run_exact(it, false, part, parts);
}

/// Sums in fp32, tick by tick on one processor, as simple code has them.
void run_float(Arguments const& it, Shape const&, unsigned part, unsigned) {
    if (part != 0) return;
    auto const job = job_of(it, true);
    auto* const out = it.get<float*>(6);
    for (std::size_t i = 0; i < job.count; ++i) {
        auto const row = static_cast<std::uint32_t>(std::rint(job.prices[i] * job.inverse));
        out[std::min(row, job.bins - 1)] += job.volumes[i];
    }
}

/// The vectorised baseline: all rows first, as a whole array, then a sum in fp64 (what
/// numpy.bincount does with an index computed before).
void run_bincount(Arguments const& it, Shape const&, unsigned part, unsigned) {
    if (part != 0) return;
    auto const job = job_of(it, true);
    std::vector<std::int64_t> rows(job.count);
    for (std::size_t i = 0; i < job.count; ++i)
        rows[i] = std::min<std::int64_t>(
            static_cast<std::int64_t>(std::rint(job.prices[i] * job.inverse)), job.bins - 1);
    std::vector<double> sums(job.bins);
    for (std::size_t i = 0; i < job.count; ++i)
        sums[static_cast<std::size_t>(rows[i])] += static_cast<double>(job.volumes[i]);
    std::copy(sums.begin(), sums.end(), it.get<double*>(6));
}

/// The per-tick baseline: minimum, maximum and edges are found anew for every tick, which is then
/// sorted in by bisection.
void run_per_tick(Arguments const& it, Shape const&, unsigned part, unsigned) {
    if (part != 0) return;
    auto const job = job_of(it, true);
    auto* const out = it.get<double*>(6);
    std::vector<float> edges(job.bins);
    for (std::size_t i = 0; i < job.count; ++i) {
        auto const [low, high] = std::minmax_element(job.prices, job.prices + job.count);
        for (std::size_t k = 0; k < edges.size(); ++k)
            edges[k] = *low + (*high - *low) * (static_cast<float>(k) - 0.5F) /
                                  static_cast<float>(std::max<std::size_t>(edges.size() - 1, 1));
        auto const place =
            std::upper_bound(edges.begin(), edges.end(), job.prices[i]) - edges.begin();
        out[std::max<std::ptrdiff_t>(place - 1, 0)] += static_cast<double>(job.volumes[i]);
    }
}

constexpr CpuKernelRow nearest_kernels[] = {
    {"vpoc", "rt_vpoc_global", run_nearest},
    {"vpoc", "rt_vpoc_float", run_float},
    {"vpoc", "bincount", run_bincount},
    {"vpoc", "per-tick", run_per_tick},
};
constexpr CpuKernelRow interval_kernels[] = {{"vpoc", "rt_vpoc_global", run_interval}};

}  // namespace

std::span<CpuKernelRow const> cpu_vpoc_kernels(bool nearest) {
    if (nearest) return nearest_kernels;
    return interval_kernels;
}

}  // namespace rocmtune::bench
