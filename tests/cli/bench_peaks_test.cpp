// SPDX-License-Identifier: MIT
// The yardsticks of matrix products. Those of the MI300X are AMD's, dense: table of peaks in "AMD
// Instinct MI300 series microarchitecture" (docs/conceptual/gpu-arch/mi300.md in ROCm/ROCm,
// e396b48).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/gemm.hpp"
#include "measure/bench_peaks.hpp"

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
            EXPECT_EQ(bench::has_own_kernel(
                          bench::matrix_units_of(embedded_chips(), chip.gfx_target), type),
                      known)
                << chip.gfx_target << ' ' << type;
            kernels += known;
        }
    EXPECT_GT(kernels, 40U);
}

TEST(GemmPeaks, of_fp8_are_of_the_format_of_the_profile) {
    for (auto const& chip : embedded_chips().all_chips()) {
        if (chip.facts.fp8_format.empty()) continue;
        EXPECT_EQ(bench::matrix_units_of(embedded_chips(), chip.gfx_target).fp8_is_fnuz(),
                  chip.facts.fp8_format == "FNUZ")
            << chip.gfx_target;
    }
}

TEST(GemmPeaks, of_a_partition_are_its_part_and_nothing_is_expected_of_it) {
    EXPECT_NEAR(peak_of(mi300x(8), "fp16").peak_per_second.value_or(0), 1307.4e12 / 8, 0.1e12);
    EXPECT_FALSE(peak_of(mi300x(8), "fp16").expected_per_second);
}

/// A container may see one partition of several, which looks like a card of its own.
TEST(GemmPeaks, expect_nothing_of_a_lone_partition_that_its_dies_tell) {
    auto lone = mi300x();
    lone.xcc_count.offer(1, Source{"test", ""});
    EXPECT_FALSE(peak_of(lone, "fp16").expected_per_second);
    auto whole = mi300x();
    whole.xcc_count.offer(8, Source{"test", ""});
    EXPECT_TRUE(peak_of(whole, "fp16").expected_per_second);
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

// ---- memory -------------------------------------------------------------------------------------

template <class T>
void set(Fact<T>& fact, T value) {
    fact = {};
    fact.offer(std::move(value), Source{"test", ""});
}

/// The memory as KFD tells it.
Gpu with_clock(Gpu gpu, std::uint64_t bits, std::uint64_t mhz) {
    set(gpu.memory_bus_width_bits, bits);
    set(gpu.memory_clock_max_mhz, mhz);
    return gpu;
}

Gpu card(std::string device, std::string revision) {
    Gpu gpu;
    set(gpu.pci_device_id, std::move(device));
    set(gpu.pci_revision, std::move(revision));
    set(gpu.partition_count, std::uint64_t{1});
    return gpu;
}

/// One of the partitions of an MI300X, of so many dies.
Gpu partition(std::uint64_t dies, std::string memory) {
    auto gpu = with_clock(mi300x(8 / dies), 8192, 1300);
    set(gpu.xcc_count, dies);
    if (!memory.empty()) set(gpu.memory_partition, std::move(memory));
    return gpu;
}

MemoryBounds bounds_of(Gpu const& gpu) {
    return memory_bounds_of(embedded_chips(), &gpu);
}

TEST(MemoryBounds, peak_is_what_is_published_where_the_clocks_agree) {
    auto const known = bounds_of(with_clock(mi300x(), 8192, 1300));
    EXPECT_EQ(known.peak, 5300e9);
    EXPECT_NEAR(known.limit.value_or(0), 5324.8e9, 1e6);
    EXPECT_EQ(known.no_peak, "");
    // Nobody told a clock: what is published is all that is known, and nothing is refused.
    EXPECT_EQ(bounds_of(mi300x()).peak, 5300e9);
    EXPECT_FALSE(bounds_of(mi300x()).limit);
}

TEST(MemoryBounds, peak_is_what_the_clocks_give_where_they_differ_or_nothing_is_published) {
    auto overclocked = with_clock(card("0x744c", "0xc8"), 384, 1249);
    overclocked.clocks.offer({{.name = "od_mclk", .levels_mhz = {97, 1400}}}, Source{"test", ""});
    EXPECT_NEAR(bounds_of(overclocked).peak.value_or(0), 1075.2e9, 1e6);
    EXPECT_NEAR(bounds_of(overclocked).limit.value_or(0), 1075.2e9, 1e6);
    auto const slower = bounds_of(with_clock(card("0x731f", "0xca"), 192, 600));
    EXPECT_NEAR(slower.peak.value_or(0), 230.4e9, 1e6) << "RX 5600 XT, published 288";
    auto const unpublished = bounds_of(with_clock(card("0x687f", "0xc1"), 2048, 945));
    EXPECT_NEAR(unpublished.peak.value_or(0), 483.8e9, 0.1e9) << "RX Vega 64";
}

TEST(MemoryBounds, believe_no_clock_that_is_off_by_a_factor) {
    for (std::uint64_t const mhz : {10U, 625U, 2500U, 1250000U}) {
        auto const wrong = bounds_of(with_clock(card("0x744c", "0xc8"), 384, mhz));
        EXPECT_EQ(wrong.peak, 960e9) << mhz;
        EXPECT_FALSE(wrong.limit) << mhz;
    }
}

/// Under WSL no PCI id is known, and HIP tells clock and width.
TEST(MemoryBounds, follow_the_name_and_the_clock_of_the_runtime_where_no_kernel_tells) {
    Source const hip{"hip", "test"};
    Gpu gpu;
    gpu.gfx_target.offer("gfx1100", hip);
    gpu.marketing_name.offer("AMD Radeon RX 7900 XTX", hip);
    EXPECT_EQ(bounds_of(gpu).peak, 960e9);
    EXPECT_FALSE(bounds_of(gpu).limit);
    gpu.memory_bus_width_bits.offer(384, hip);
    gpu.memory_clock_max_mhz.offer(1249, hip);
    EXPECT_EQ(bounds_of(gpu).peak, 960e9);
    // Overclocking by Windows is not to be seen: a quarter more is possible.
    EXPECT_NEAR(bounds_of(gpu).limit.value_or(0), 384 / 8 * 1249e6 * 16 * 1.25, 1e6);
    auto other = gpu;
    set(other.marketing_name, std::string("AMD Radeon RX 7900"));
    EXPECT_EQ(bounds_of(other).no_peak, peak_unknown_label);
    auto foreign = gpu;
    set(foreign.gfx_target, std::string("gfx1101"));
    EXPECT_FALSE(bounds_of(foreign).limit) << "the name of another chip's product";
    auto known = gpu;
    set(known.pci_device_id, std::string("0xffff"));
    EXPECT_FALSE(bounds_of(known).limit) << "the id counts where there is one";
}

TEST(MemoryBounds, say_why_there_is_no_peak) {
    EXPECT_EQ(bounds_of(card("0x74a2", "0x00")).no_peak, peak_unknown_label) << "MI308X";
    EXPECT_EQ(bounds_of(with_clock(card("0x74b5", "0x00"), 8192, 900)).no_peak, peak_unknown_label)
        << "a virtual function: nobody knows its share, and the clock is not its highest";
    EXPECT_EQ(bounds_of(card("0x687f", "0xc1")).no_peak, memory_clock_unknown_label);
    EXPECT_EQ(bounds_of(Gpu{}).no_peak, peak_unknown_label);
    EXPECT_EQ(memory_bounds_of(embedded_chips(), nullptr).no_peak, peak_unknown_label);
}

TEST(MemoryBounds, have_no_limit_where_a_cache_may_be_unknown) {
    auto unknown = with_clock(card("0x7480", "0xc0"), 128, 1125);
    EXPECT_TRUE(bounds_of(unknown).peak) << "RX 7600 XT";
    EXPECT_FALSE(bounds_of(unknown).limit);
    set(unknown.l2_cache_bytes, std::uint64_t{2} << 20);
    set(unknown.last_level_cache_bytes, std::uint64_t{2} << 20);
    EXPECT_FALSE(bounds_of(unknown).limit) << "a kernel that lists no Infinity Cache";
    set(unknown.last_level_cache_bytes, std::uint64_t{32} << 20);
    EXPECT_TRUE(bounds_of(unknown).limit);
}

TEST(MemoryBounds, of_a_partition_are_its_part_where_it_has_one) {
    auto const half = bounds_of(partition(4, "NPS2"));
    EXPECT_EQ(half.peak, 2650e9) << "DPX";
    EXPECT_NEAR(half.limit.value_or(0), 2662.4e9, 1e6);
    EXPECT_EQ(bounds_of(partition(2, "NPS4")).peak, 1325e9) << "QPX";
    EXPECT_EQ(bounds_of(partition(8, "NPS1")).peak, 5300e9) << "SPX";
}

TEST(MemoryBounds, of_a_partition_that_shares_memory_have_no_peak_but_a_limit) {
    for (auto const& [memory, limit] :
         {std::pair{"NPS1", 5324.8e9}, std::pair{"NPS4", 1331.2e9}, std::pair{"", 5324.8e9}}) {
        auto const shared = bounds_of(partition(1, memory));
        EXPECT_FALSE(shared.peak) << memory;
        EXPECT_EQ(shared.no_peak, memory_shared_label) << memory;
        EXPECT_NEAR(shared.limit.value_or(0), limit, 1e6) << memory;
    }
    // One that a container sees alone: its dies tell that it is none of the whole card.
    auto lone = partition(1, "NPS1");
    set(lone.partition_count, std::uint64_t{1});
    EXPECT_EQ(bounds_of(lone).no_peak, memory_shared_label);
}

TEST(MemoryBounds, the_cache_of_a_partition_is_that_before_its_memory) {
    auto const cache = [](Gpu const& gpu) { return last_level_cache_of(embedded_chips(), &gpu); };
    EXPECT_EQ(cache(partition(8, "NPS1")), std::uint64_t{256} << 20);
    EXPECT_EQ(cache(partition(1, "NPS1")), std::uint64_t{256} << 20) << "it may use all of it";
    EXPECT_EQ(cache(partition(1, "NPS4")), std::uint64_t{64} << 20);
    EXPECT_EQ(cache(partition(1, "")), std::uint64_t{256} << 20);
    auto told = partition(1, "NPS4");
    set(told.last_level_cache_bytes, std::uint64_t{256} << 20);
    EXPECT_EQ(cache(told), std::uint64_t{256} << 20) << "what the driver tells, if it is more";
}

TEST(MemoryBounds, reach_the_benchmarks_with_the_label_on_hip_alone) {
    bench::Options options;
    options.backend = "hip";
    auto const gpu = partition(1, "NPS4");
    set_memory_bounds(embedded_chips(), &gpu, options);
    EXPECT_EQ(options.no_peak, memory_shared_label);
    EXPECT_FALSE(options.peak_bytes_per_second);
    EXPECT_NEAR(options.memory_limit_bytes_per_second.value_or(0), 1331.2e9, 1e6);
    EXPECT_EQ(options.last_level_cache_bytes, std::uint64_t{64} << 20);
    options.backend = "cuda";  // its own runtime knows the peak
    set_memory_bounds(embedded_chips(), nullptr, options);
    EXPECT_EQ(options.no_peak, "");
}

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

std::optional<std::uint64_t> cache_of(std::string const& target, std::uint64_t l2,
                                      std::uint64_t last) {
    Gpu gpu;
    Source const from{"test", ""};
    gpu.gfx_target.offer(target, from);
    gpu.l2_cache_bytes.offer(l2, from);
    gpu.last_level_cache_bytes.offer(last, from);
    return last_level_cache_of(embedded_chips(), &gpu);
}

/// Older kernels list no Infinity Cache: their last level is the L2.
TEST(BenchPeaks, an_l2_is_the_last_cache_only_where_no_infinity_cache_can_be) {
    EXPECT_EQ(cache_of("gfx90a", 8 * mib, 8 * mib), 8 * mib);
    EXPECT_EQ(cache_of("gfx1012", 2 * mib, 2 * mib), 2 * mib);
    EXPECT_EQ(cache_of("gfx1100", 6 * mib, 6 * mib), std::nullopt);
    EXPECT_EQ(cache_of("gfx942", 4 * mib, 4 * mib), std::nullopt);
    EXPECT_EQ(cache_of("gfx9999", 4 * mib, 4 * mib), std::nullopt);
    EXPECT_EQ(cache_of("gfx1100", 6 * mib, 96 * mib), 96 * mib);
    // The profile knows that of the product.
    auto gpu = mi300x();
    gpu.l2_cache_bytes.offer(4 * mib, Source{"test", ""});
    gpu.last_level_cache_bytes.offer(4 * mib, Source{"test", ""});
    EXPECT_EQ(last_level_cache_of(embedded_chips(), &gpu), 256 * mib);
}

TEST(BenchPeaks, an_engine_clock_in_another_unit_makes_no_peak_and_a_note) {
    auto gpu = mi300x();
    // Of an unknown product only the driver tells the clock.
    gpu.pci_device_id = {};
    gpu.pci_device_id.offer("0xffff", Source{"test", ""});
    gpu.max_engine_clock_mhz.offer(2'100'000, Source{"test", ""});
    EXPECT_FALSE(peak_of(gpu, "fp16").peak_per_second);
    EXPECT_THAT(
        doubts_of(&gpu),
        testing::ElementsAre(testing::HasSubstr("2100000 MHz cannot be (100 to 10000 MHz)")));
    auto right = mi300x();
    right.max_engine_clock_mhz.offer(2'100, Source{"test", ""});
    EXPECT_THAT(doubts_of(&right), testing::IsEmpty());
    EXPECT_THAT(doubts_of(nullptr), testing::IsEmpty());
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
