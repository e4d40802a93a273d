// SPDX-License-Identifier: MIT
// Kernels with one mistake: each must be noticed, else nobody would notice it in the real ones.
#include <gtest/gtest.h>

#include "bench/emulated/checks.hpp"

namespace rocmtune::test {
namespace {

struct Mutant {
    char const* name;
    char const* target;
    char const* file;
    char const* right;  ///< stands in the file exactly once
    char const* wrong;
};

void PrintTo(Mutant const& it, std::ostream* out) {
    *out << it.name;
}

constexpr Mutant mutants[] = {
    {"copy_reaches_too_far", "gfx90a", "bandwidth", "if (i < n) c[i] = a[i];",
     "if (i <= n) c[i] = a[i];"},
    {"triad_has_another_factor", "gfx908", "bandwidth", "(element)0.5 * y.v[k]",
     "(element)0.25 * y.v[k]"},
    {"read_misses_a_barrier", "gfx1100", "bandwidth",
     "^= tree[threadIdx.x + half];\n        __syncthreads();", "^= tree[threadIdx.x + half];"},
    {"read_forgets_one_of_four", "gfx90a", "bandwidth", "^ r.v[k] ^ s.v[k];", "^ r.v[k];"},
    {"dot_takes_another_vector", "gfx90a", "bandwidth", "q[h] = b[i + h * step]", "q[h] = b[i]"},
    {"write_begins_at_1", "gfx1200", "bandwidth", "(u32)(i * 4 + k) &", "(u32)(i * 4 + k + 1) &"},

    {"clearing_misses_a_barrier", "gfx90a", "vpoc", "words[i] = 0;\n    __syncthreads();",
     "words[i] = 0;"},
    {"window_misses_a_barrier", "gfx90a", "vpoc",
     "put_out(Window<rest> const& window, u32 bins) {\n    __syncthreads();",
     "put_out(Window<rest> const& window, u32 bins) {"},
    {"pairs_lose_the_carry", "gfx1030", "vpoc",
     "u32 const before = atomicAdd(low + row, low_part);\n        u32 const up = high_part + "
     "(before > ~low_part);",
     "u32 const before = atomicAdd(low + row, low_part);\n        u32 const up = high_part + "
     "(before > ~high_part);"},
    {"window_loses_the_carry", "gfx90a", "vpoc", "atomicAdd(high + (row - hot), up)",
     "atomicAdd(high + (row - hot), high_part)"},
    {"last_row_is_one_too_low", "gfx942", "vpoc", "return row < last ? row : last;",
     "return row < last ? row : last - 1;"},
    {"last_tick_is_forgotten", "gfx90a", "vpoc", "i < n; i += groups * blockDim.x)",
     "i + 1 < n; i += groups * blockDim.x)"},
    {"lanes_decide_alone", "gfx90a", "vpoc", "if (wave_all(same)) {", "if (same) {"},
    {"lanes_do_not_look_at_the_first", "gfx1200", "vpoc",
     "bool same = rows[0] == wave_first(rows[0]);", "bool same = true;"},
    {"lanes_look_at_their_first_tick_only", "gfx906", "vpoc", "same = same && rows[k] == rows[0];",
     ";"},
    {"half_of_a_wave_is_summed", "gfx1100", "vpoc", "int mask = warpSize / 2;",
     "int mask = warpSize / 4;"},
    {"split_is_shifted_by_one", "gfx90a", "vpoc", "number / start, gridDim.x / start)",
     "number / start, gridDim.x / start + 1)"},

    {"sgemm_misses_a_barrier", "gfx90a", "gemm",
     "put(slices, next, half);\n        __syncthreads();", "put(slices, next, half);"},
    {"sgemm_forgets_the_last_slice", "gfx90a", "gemm", "k < n; k += RT_DEPTH)",
     "k + RT_DEPTH < n; k += RT_DEPTH)"},
    {"sgemm_transposes_its_tile", "gfx1030", "gemm",
     "c[i][j] += a[i / 4].v[i % 4] * b[j / 4].v[j % 4];",
     "c[j][i] += a[i / 4].v[i % 4] * b[j / 4].v[j % 4];"},

    {"matrix_gemm_misses_a_barrier", "gfx90a", "gemm_matrix", "        __syncthreads();\n    }\n",
     "    }\n"},
    {"matrix_gemm_transposes_its_tile", "gfx1100", "gemm_matrix",
     "multiply(left[i], right[j], out[i][j])", "multiply(right[j], left[i], out[i][j])"},
    {"matrix_gemm_stays_at_its_slice", "gfx908", "gemm_matrix",
     "k + RT_DEPTH < n ? k + RT_DEPTH : k;", "k;"},
    {"matrix_rows_are_another_order", "gfx942", "gemm_matrix", "i / 4 * 8 + lane / 32 * 4 + i % 4",
     "lane / 32 * 16 + i"},
};

using Check = std::string (*)(EmulatedDevice&);
Check check_of(std::string_view file) {
    if (file == "bandwidth") return wrong_in_bandwidth;
    if (file == "vpoc") return wrong_in_vpoc;
    return file == "gemm" ? wrong_in_gemm : wrong_in_gemm_matrix;
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, are_noticed) {
    EmulatedDevice device(GetParam().target);
    auto const& it = GetParam();
    device.replaced_files[it.file] = mutated(it.name, it.file, it.right, it.wrong);
    EXPECT_NE(check_of(GetParam().file)(device), "");
}

INSTANTIATE_TEST_SUITE_P(, Mutants, testing::ValuesIn(mutants),
                         [](auto const& it) { return std::string(it.param.name); });

}  // namespace
}  // namespace rocmtune::test
