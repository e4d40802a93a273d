// SPDX-License-Identifier: MIT
// kernels/gemm.hip for processors: the floor where OpenBLAS is not installed. Compiled with
// optimisation in every build type.
#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/devices/cpu_kernels.hpp"
#include "bench/host_threads.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t depth = 512;  ///< of A and B that is packed at a time: 64 KiB of B at most

/// A cache line: packed rows of B begin with one, so that no load needs two.
struct alignas(64) Line {
    float floats[16];
};

/// The part of C that an instruction set's registers hold, and what adds a product to it:
/// c[rows][columns] += a[rows][steps] * b[steps][columns]. a and b are packed, with rows of `depth`
/// and of `columns`. Only the first `used` rows of c are there.
struct Tile {
    std::size_t rows;
    std::size_t columns;
    void (*multiply)(float const* a, float const* b, float* c, std::size_t stride_c,
                     std::size_t steps, std::size_t used);
};

/// Every loop but that over k is unrolled: only then do the sums stay in registers.
template <std::size_t rows, std::size_t vectors, class Vector>
[[gnu::always_inline]] inline void multiply(float const* a, float const* b, float* c,
                                            std::size_t stride_c, std::size_t steps,
                                            std::size_t used) {
    constexpr auto lanes = sizeof(Vector) / sizeof(float);
    Vector sums[rows][vectors] = {};
    for (std::size_t k = 0; k < steps; ++k) {
        Vector row[vectors];
#pragma GCC unroll 16
        for (std::size_t j = 0; j < vectors; ++j)
            std::memcpy(&row[j], b + (k * vectors + j) * lanes, sizeof row[j]);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i)
#pragma GCC unroll 16
            for (std::size_t j = 0; j < vectors; ++j) sums[i][j] += a[i * depth + k] * row[j];
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < rows; ++i)
#pragma GCC unroll 16
        for (std::size_t j = 0; j < vectors; ++j) {
            if (i >= used) return;
            auto* const to = c + i * stride_c + j * lanes;
            Vector sum;
            std::memcpy(&sum, to, sizeof sum);
            sum += sums[i][j];
            std::memcpy(to, &sum, sizeof sum);
        }
}

// By hand, not by ROCMTUNE_CLONES: each instruction set has registers of its own size and number.
using Floats4 [[gnu::vector_size(16)]] = float;
void multiply_plain(float const* a, float const* b, float* c, std::size_t stride_c,
                    std::size_t steps, std::size_t used) {
    multiply<4, 2, Floats4>(a, b, c, stride_c, steps, used);
}
constexpr Tile plain{4, 8, multiply_plain};

#if defined(__x86_64__)
using Floats8 [[gnu::vector_size(32)]] = float;
[[gnu::target("arch=x86-64-v3")]] void multiply_v3(float const* a, float const* b, float* c,
                                                   std::size_t stride_c, std::size_t steps,
                                                   std::size_t used) {
    multiply<6, 2, Floats8>(a, b, c, stride_c, steps, used);
}
constexpr Tile v3{6, 16, multiply_v3};

using Floats16 [[gnu::vector_size(64)]] = float;
[[gnu::target("arch=x86-64-v4")]] void multiply_v4(float const* a, float const* b, float* c,
                                                   std::size_t stride_c, std::size_t steps,
                                                   std::size_t used) {
    multiply<12, 2, Floats16>(a, b, c, stride_c, steps, used);
}
constexpr Tile v4{12, 32, multiply_v4};
#endif

/// The quickest that this processor can run.
Tile const& best_tile() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) return v4;
    if (__builtin_cpu_supports("x86-64-v3")) return v3;
#endif
    return plain;
}

/// Copies a part of a matrix.
void pack(float const* from, std::size_t stride, std::size_t rows, std::size_t columns, float* to,
          std::size_t to_stride) {
    for (std::size_t i = 0; i < rows; ++i)
        std::memcpy(to + i * to_stride, from + i * stride, columns * sizeof *to);
}

/// How many parts lie side by side in C: each should be about as wide as high, since it packs what
/// it needs by itself.
unsigned parts_across(unsigned parts) {
    unsigned across = 1;
    for (unsigned i = 1; i * i <= parts; ++i)
        if (parts % i == 0) across = i;
    return across;
}

/// n is a multiple of 128. Each part makes a rectangle of C.
void multiply_part(Arguments const& it, Tile const& tile, unsigned part, unsigned parts) {
    auto const* const a = it.get<float const*>(0);
    auto const* const b = it.get<float const*>(1);
    auto* const c = it.get<float*>(2);
    std::size_t const n = it.get<std::uint32_t>(3);
    auto const across = parts_across(parts);
    auto const wide = part_of(n, part % across, across, tile.columns);
    auto const high = part_of(n, part / across, parts / across, tile.rows);
    auto const height = high.end - high.begin;
    std::vector<float> packed_a((height + tile.rows) * depth);
    std::vector<Line> lines(depth * tile.columns / 16);
    auto* const packed_b = lines.front().floats;
    for (auto i = high.begin; i < high.end; ++i)
        std::fill(c + i * n + wide.begin, c + i * n + wide.end, 0.0F);
    for (std::size_t k = 0; k < n; k += depth) {
        auto const steps = std::min(depth, n - k);
        pack(a + high.begin * n + k, n, height, steps, packed_a.data(), depth);
        for (auto j = wide.begin; j < wide.end; j += tile.columns) {
            pack(b + k * n + j, n, steps, tile.columns, packed_b, tile.columns);
            for (std::size_t i = 0; i < height; i += tile.rows)
                tile.multiply(&packed_a[i * depth], packed_b, c + (high.begin + i) * n + j, n,
                              steps, height - i);
        }
    }
}

void run_sgemm(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    multiply_part(it, best_tile(), part, parts);
}

template <Tile const& tile>
void run_with(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    multiply_part(it, tile, part, parts);
}

/// Those with a tile in their name are for tests, on processors that have its instructions.
constexpr CpuKernelRow kernels[] = {
    {"gemm", "rt_sgemm", run_sgemm},
    {"gemm", "plain", run_with<plain>},
#if defined(__x86_64__)
    {"gemm", "v3", run_with<v3>},
    {"gemm", "v4", run_with<v4>},
#endif
};

}  // namespace

std::span<CpuKernelRow const> cpu_gemm_kernels() {
    return kernels;
}

}  // namespace rocmtune::bench
