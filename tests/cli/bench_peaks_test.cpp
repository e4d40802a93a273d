// SPDX-License-Identifier: MIT
// The yardsticks of matrix products. Those of the MI300X are AMD's, dense: table of peaks in "AMD
// Instinct MI300 series microarchitecture" (docs/conceptual/gpu-arch/mi300.md in ROCm/ROCm,
// e396b48).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/gemm_product.hpp"
#include "cli/bench_peaks.hpp"

namespace rocmtune::test {
namespace {

Gpu mi300x(std::uint64_t partitions = 1) {
    Gpu gpu;
    Source const from{"test", ""};
    gpu.gfx_target.offer("gfx942", from);
    gpu.pci_device_id.offer("0x74a1", from);
    gpu.pci_revision.offer("0x00", from);
    gpu.compute_units.offer(304 / partitions, from);
    gpu.partition_count.offer(partitions, from);
    return gpu;
}

bench::GemmPeak peak_of(Gpu const& gpu, std::string_view type) {
    auto const all = gemm_peaks_of(embedded_chips(), &gpu);
    auto const found = std::find_if(all.begin(), all.end(),
                                    [&](bench::GemmPeak const& one) { return one.dtype == type; });
    return found == all.end() ? bench::GemmPeak{} : *found;
}

TEST(GemmPeaks, are_those_of_the_vendor) {
    EXPECT_NEAR(peak_of(mi300x(), "fp64").peak_per_second.value_or(0), 163.4e12, 0.1e12);
    EXPECT_NEAR(peak_of(mi300x(), "fp32").peak_per_second.value_or(0), 163.4e12, 0.1e12);
    EXPECT_NEAR(peak_of(mi300x(), "tf32").peak_per_second.value_or(0), 653.7e12, 0.1e12);
    EXPECT_NEAR(peak_of(mi300x(), "fp16").peak_per_second.value_or(0), 1307.4e12, 0.1e12);
    EXPECT_NEAR(peak_of(mi300x(), "bf16").peak_per_second.value_or(0), 1307.4e12, 0.1e12);
    EXPECT_NEAR(peak_of(mi300x(), "fp8").peak_per_second.value_or(0), 2614.9e12, 0.1e12);
    EXPECT_NEAR(peak_of(mi300x(), "int8").peak_per_second.value_or(0), 2614.9e12, 0.1e12);
}

/// Our matrix kernels are of exactly the targets and types that the profiles give a rate of matrix
/// instructions for.
TEST(GemmPeaks, are_of_matrix_instructions_where_we_have_a_kernel) {
    std::size_t kernels = 0;
    for (auto const& chip : embedded_chips().all_chips())
        for (auto const* const type : {"fp64", "fp16", "bf16", "fp8", "int8"}) {
            auto const& rates = chip.facts.rates;
            bool const known = std::any_of(rates.begin(), rates.end(), [&](Rate const& rate) {
                return rate.data_type == type && rate.unit == "matrix" && rate.per_clock_per_cu;
            });
            EXPECT_EQ(bench::has_own_kernel(chip.gfx_target, type), known)
                << chip.gfx_target << ' ' << type;
            kernels += known;
        }
    EXPECT_GT(kernels, 40U);
}

TEST(GemmPeaks, of_fp8_are_of_the_format_of_the_profile) {
    for (auto const& chip : embedded_chips().all_chips()) {
        if (chip.facts.fp8_format.empty()) continue;
        EXPECT_EQ(bench::is_fnuz(chip.gfx_target), chip.facts.fp8_format == "FNUZ")
            << chip.gfx_target;
    }
}

TEST(GemmPeaks, of_a_partition_are_its_part_and_nothing_is_expected_of_it) {
    EXPECT_NEAR(peak_of(mi300x(8), "fp16").peak_per_second.value_or(0), 1307.4e12 / 8, 0.1e12);
    EXPECT_FALSE(peak_of(mi300x(8), "fp16").expected_per_second);
    auto const partition = mi300x(8);
    EXPECT_FALSE(memory_peak_of(embedded_chips(), &partition));
}

TEST(GemmPeaks, stand_beside_what_the_profile_expects_of_the_product) {
    EXPECT_EQ(peak_of(mi300x(), "fp16").expected_per_second, 639e12);
    EXPECT_EQ(peak_of(mi300x(), "int8").expected_per_second, std::nullopt);
}

TEST(GemmPeaks, are_not_known_of_an_unknown_target_or_no_gpu) {
    Gpu gpu;
    EXPECT_THAT(gemm_peaks_of(embedded_chips(), &gpu), testing::IsEmpty());
    EXPECT_THAT(gemm_peaks_of(embedded_chips(), nullptr), testing::IsEmpty());
}

TEST(BenchPeaks, dies_are_those_of_the_row_and_one_where_nobody_knows) {
    Gpu gpu;
    EXPECT_EQ(compute_dies_of(nullptr), 1U);
    EXPECT_EQ(compute_dies_of(&gpu), 1U);
    gpu.xcc_count.offer(8, Source{"test", ""});
    EXPECT_EQ(compute_dies_of(&gpu), 8U);
}

}  // namespace
}  // namespace rocmtune::test
