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

constexpr std::size_t rows = 4;  ///< of C in registers
constexpr std::size_t columns = 32;
constexpr std::size_t depth = 256;  ///< of B in the cache: 32 KiB a panel

/// C[4][32] += A[4][depth] * panel[depth][32].
ROCMTUNE_CLONES void multiply(float const* a, std::size_t stride_a, float const* panel, float* c,
                              std::size_t stride_c, std::size_t steps) {
    float sums[rows][columns];
    for (std::size_t i = 0; i < rows; ++i) std::memcpy(sums[i], c + i * stride_c, sizeof sums[i]);
    for (std::size_t k = 0; k < steps; ++k)
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                sums[i][j] += a[i * stride_a + k] * panel[k * columns + j];
    for (std::size_t i = 0; i < rows; ++i) std::memcpy(c + i * stride_c, sums[i], sizeof sums[i]);
}

/// n is a multiple of 128. Each part makes a band of rows.
void run_sgemm(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    auto const* const a = it.get<float const*>(0);
    auto const* const b = it.get<float const*>(1);
    auto* const c = it.get<float*>(2);
    std::size_t const n = it.get<std::uint32_t>(3);
    auto const band = part_of(n, part, parts, rows);
    std::vector<float> panel(depth * columns);
    for (auto i = band.begin; i < band.end; ++i) std::fill_n(c + i * n, n, 0.0F);
    for (std::size_t k = 0; k < n; k += depth) {
        auto const steps = std::min(depth, n - k);
        for (std::size_t j = 0; j < n; j += columns) {
            for (std::size_t s = 0; s < steps; ++s)
                std::memcpy(&panel[s * columns], b + (k + s) * n + j, columns * sizeof(float));
            for (auto i = band.begin; i < band.end; i += rows)
                multiply(a + i * n + k, n, panel.data(), c + i * n + j, n, steps);
        }
    }
}

constexpr CpuKernelRow kernels[] = {{"gemm", "rt_sgemm", run_sgemm}};

}  // namespace

std::span<CpuKernelRow const> cpu_gemm_kernels() {
    return kernels;
}

}  // namespace rocmtune::bench
