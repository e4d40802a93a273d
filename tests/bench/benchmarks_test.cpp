// SPDX-License-Identifier: MIT
// The benchmarks on processors: right results are figures, and one wrong element is none.
#include "bench/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/gemm.hpp"
#include "knowledge/chips.hpp"
#include "support/bench_device.hpp"

namespace rocmtune::bench {
namespace {

using testing::HasSubstr;

Options small_options(std::uint64_t size) {
    Options options;
    options.size = size;
    options.seconds = 0.001;
    options.quick = true;
    return options;
}

std::vector<Measurement> run_all(Device& device, std::string_view benchmark,
                                 Options const& options) {
    Session session{device, options};
    std::vector<Measurement> results;
    for (auto const& step : find_benchmark(benchmark)->plan(session)) {
        results.push_back(step.draft);
        try {
            step.run(results.back());
        } catch (DeviceError const& error) {
            results.back().status = error.status();
            results.back().detail = error.what();
        }
    }
    return results;
}

/// Everything that processors have, in small.
struct Case {
    char const* benchmark;
    std::uint64_t size;
    char const* dtype;
};

constexpr Case cases[] = {
    {"bandwidth", 1 << 16, "fp32"},
    {"bandwidth", 4096 * 3, "fp64"},
    {"gemm", 256, "fp32"},
    {"gemm", 200, "fp64"},
    {"vpoc", 20001, ""},
};

class OnCpu : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Benchmarks, OnCpu, testing::ValuesIn(cases), [](auto const& one) {
    return std::string(one.param.benchmark) + one.param.dtype + std::to_string(one.param.size);
});

TEST_P(OnCpu, every_result_is_verified) {
    auto const device = open_cpu(0);
    auto options = small_options(GetParam().size);
    options.dtype = GetParam().dtype;
    auto const results = run_all(*device, GetParam().benchmark, options);
    ASSERT_FALSE(results.empty());
    for (auto const& result : results) {
        if (result.status == "unsupported") continue;  // OpenBLAS is not installed
        EXPECT_EQ(result.status, "ok") << result.metric << ": " << result.detail.value_or("");
        EXPECT_TRUE(result.verified) << result.metric;
        EXPECT_TRUE(result.value && *result.value > 0) << result.metric;
        EXPECT_FALSE(result.samples.empty()) << result.metric;
        EXPECT_LE(result.low.value_or(0), *result.value) << result.metric;
    }
}

/// Two bits of what is read back are others: no benchmark may call that right.
TEST_P(OnCpu, one_wrong_element_is_caught) {
    test::FaultyDevice device(open_cpu(0));
    device.corrupt_downloads = true;
    auto options = small_options(GetParam().size);
    options.dtype = GetParam().dtype;
    for (auto const& result : run_all(device, GetParam().benchmark, options)) {
        if (result.status == "unsupported" || result.metric == "float-error") continue;
        EXPECT_EQ(result.status, "wrong-result") << result.metric;
        EXPECT_FALSE(result.verified) << result.metric;
        EXPECT_FALSE(result.value.has_value()) << result.metric;
        EXPECT_TRUE(result.samples.empty()) << result.metric;
        EXPECT_THAT(result.detail.value_or(""), testing::Not(testing::IsEmpty())) << result.metric;
    }
}

/// A device that runs no kernel leaves what was there before: never a right result.
TEST_P(OnCpu, kernels_that_do_not_run_are_caught) {
    test::FaultyDevice device(open_cpu(0));
    device.skip_launches = true;
    auto options = small_options(GetParam().size);
    options.dtype = GetParam().dtype;
    for (auto const& result : run_all(device, GetParam().benchmark, options)) {
        bool const by_kernel =
            !result.metric.starts_with("device-") && !result.metric.ends_with("openblas");
        EXPECT_TRUE(!by_kernel || result.status != "ok") << result.metric;
    }
}

/// Launches that get lost now and then leave the right result of an earlier one.
TEST_P(OnCpu, launches_that_get_lost_now_and_then_are_caught) {
    auto options = small_options(GetParam().size);
    options.dtype = GetParam().dtype;
    for (long const every : {2, 3, 5, 7, 16}) {
        test::FaultyDevice device(open_cpu(0));
        device.drop_launch = every;
        for (auto const& result : run_all(device, GetParam().benchmark, options)) {
            bool const by_kernel = !result.metric.starts_with("device-") &&
                                   !result.metric.ends_with("openblas") &&
                                   result.metric != "float-error";  // one launch, no time
            EXPECT_TRUE(!by_kernel || result.status != "ok") << result.metric << ' ' << every;
            EXPECT_EQ(result.samples.empty(), result.status != "ok") << result.metric;
        }
    }
}

/// Clearing, copying and looking get lost as well.
TEST_P(OnCpu, work_of_any_kind_that_gets_lost_is_caught) {
    auto options = small_options(GetParam().size);
    options.dtype = GetParam().dtype;
    for (long const every : {3, 5, 7, 16}) {
        test::FaultyDevice device(open_cpu(0));
        device.drop_work = every;
        for (auto const& result : run_all(device, GetParam().benchmark, options))
            EXPECT_TRUE(result.status != "ok" || result.metric.ends_with("openblas") ||
                        result.metric == "float-error")
                << result.metric << ' ' << every;
    }
}

/// A hundredth of the ticks is missing from every sum in fp32, as where a barrier was ignored:
/// 20,000 roundings explain a thousandth.
TEST(Benchmarks, float_sums_that_lack_more_than_rounding_are_wrong) {
    for (auto const& [part, status] : {std::pair(0.9995F, "ok"), std::pair(0.99F, "wrong-result"),
                                       std::pair(NAN, "wrong-result")}) {
        test::FaultyDevice device(open_cpu(0));
        device.downloaded = [factor = part](void* host, std::size_t bytes) {
            if (bytes != 1000 * sizeof(float)) return;
            auto* const sums = static_cast<float*>(host);
            std::for_each(sums, sums + 1000, [&](float& sum) { sum *= factor; });
        };
        for (auto const& result : run_all(device, "vpoc", small_options(20000))) {
            if (result.metric != "float-error") continue;
            EXPECT_EQ(result.status, status) << part << ' ' << result.detail.value_or("");
        }
    }
}

TEST(Benchmarks, without_memory_every_step_says_so) {
    test::FaultyDevice device(open_cpu(0));
    for (auto const* const benchmark : {"bandwidth", "gemm", "vpoc"}) {
        device.allocations_left = 1;
        for (auto const& result : run_all(device, benchmark, small_options(512))) {
            if (result.status == "unsupported") continue;
            EXPECT_EQ(result.status, "no-memory") << benchmark << ' ' << result.metric;
            device.allocations_left = 1;
        }
    }
}

TEST(Benchmarks, larger_than_half_the_memory_are_refused_before_allocating) {
    auto const device = open_cpu(0);
    auto const free = device->free_bytes();
    for (auto const& result : run_all(*device, "bandwidth", small_options(free / 4))) {
        EXPECT_EQ(result.status, "no-memory") << result.metric;
        EXPECT_THAT(result.detail.value_or(""), HasSubstr("more than half"));
    }
}

TEST(Benchmarks, give_all_device_memory_back) {
    test::FaultyDevice device(open_cpu(0));
    for (auto const* const benchmark : {"bandwidth", "gemm", "vpoc"}) {
        (void)run_all(device, benchmark, small_options(512));
        EXPECT_EQ(device.allocated, 0) << benchmark;
    }
}

TEST(Benchmarks, a_lost_device_is_its_own_status) {
    test::FaultyDevice device(open_cpu(0));
    device.launches_left = 0;
    for (auto const& result : run_all(device, "bandwidth", small_options(4096))) {
        EXPECT_EQ(result.status, "lost") << result.metric;
        break;
    }
}

TEST(Benchmarks, in_a_cache_are_labelled_and_have_no_efficiency) {
    auto const device = open_cpu(0);
    // In a container without /sys nobody knows the size of the cache.
    auto const* const label = device->info().cache_bytes > 0 ? "in-cache" : "cache-unknown";
    for (auto const& result : run_all(*device, "bandwidth", small_options(4096))) {
        EXPECT_THAT(result.labels, testing::Contains(label)) << result.metric;
        EXPECT_FALSE(result.efficiency.has_value());
    }
}

/// Runtimes know the level-2 cache only.
TEST(Benchmarks, a_cache_that_only_the_driver_knows_counts) {
    auto const device = open_cpu(0);
    auto options = small_options(4096);
    options.last_level_cache_bytes = std::uint64_t{1} << 40;
    options.peak_bytes_per_second = 1;
    for (auto const& result : run_all(*device, "vpoc", options)) {
        if (result.status != "ok" || result.metric == "float-error" ||
            result.metric.starts_with("baseline"))
            continue;
        EXPECT_THAT(result.labels, testing::Contains("in-cache")) << result.metric;
        EXPECT_FALSE(result.efficiency.has_value());
    }
}

// ---- what memory can do -------------------------------------------------------------------------

/// Processors with so small a cache that everything comes from memory.
class SmallCache : public test::FaultyDevice {
  public:
    SmallCache() : FaultyDevice(open_cpu(0)), info_(FaultyDevice::info()) {
        info_.cache_bytes = 1024;
    }
    DeviceInfo const& info() const override { return info_; }

  private:
    DeviceInfo info_;
};

bool moves_device_memory(Measurement const& result) {
    return result.status != "unsupported" && !result.metric.starts_with("host") &&
           !result.metric.ends_with("host") && result.metric != "float-error" &&
           !result.metric.starts_with("baseline");
}

TEST(MemoryLimit, a_figure_above_it_is_refused_with_both_figures) {
    SmallCache device;
    auto options = small_options(1 << 16);
    options.last_level_cache_bytes = 1024;
    options.memory_limit_bytes_per_second = 1e6;
    for (auto const* const benchmark : {"bandwidth", "vpoc"}) {
        std::size_t judged = 0;
        for (auto const& result : run_all(device, benchmark, options)) {
            if (!moves_device_memory(result)) continue;
            EXPECT_EQ(result.status, "wrong-result") << result.metric;
            EXPECT_THAT(result.detail.value_or(""), HasSubstr("which does 0 at the highest clock"));
            EXPECT_THAT(result.samples, testing::IsEmpty());
            EXPECT_FALSE(result.value || result.efficiency || result.verified);
            ++judged;
        }
        EXPECT_GT(judged, 3U) << benchmark;
    }
    options.memory_limit_bytes_per_second = 1e15;
    for (auto const& result : run_all(device, "bandwidth", options))
        EXPECT_NE(result.status, "wrong-result") << result.metric;
}

/// A figure of so many GB/s, each sample.
Measurement measured(std::vector<double> samples) {
    Measurement result;
    result.samples = std::move(samples);
    result.status = "ok";
    summarize_into(result);
    return result;
}

std::string status_of(double limit, std::uint64_t cache, double touched,
                      std::vector<double> samples) {
    SmallCache device;
    Options options;
    options.memory_limit_bytes_per_second = limit;
    options.last_level_cache_bytes = cache;
    auto result = measured(std::move(samples));
    judge_memory_limit({device, options}, touched, result);
    return result.status;
}

TEST(MemoryLimit, leaves_room_for_the_cache_and_for_the_clock_of_events) {
    EXPECT_EQ(status_of(960e9, 96 << 20, 1e12, {900, 1000}), "ok");
    EXPECT_EQ(status_of(960e9, 96 << 20, 1e12, {900, 1010}), "wrong-result");
    // Half of the data may come from the cache.
    EXPECT_EQ(status_of(960e9, 1'000'000'000, 2e9, {1900}), "ok");
    EXPECT_EQ(status_of(960e9, 1'000'000'000, 2e9, {2100}), "wrong-result");
    EXPECT_EQ(status_of(960e9, 1'000'000'000, 1e9, {9000}), "ok") << "all of them";
    EXPECT_EQ(status_of(0, 1'000'000'000, 2e9, {9000}), "ok") << "no clock, no judgement";
}

TEST(MemoryLimit, without_a_peak_a_label_says_why) {
    SmallCache device;
    auto options = small_options(1 << 16);
    options.last_level_cache_bytes = 1024;
    options.no_peak = memory_clock_unknown_label;
    for (auto const& result : run_all(device, "bandwidth", options)) {
        if (!moves_device_memory(result)) continue;
        EXPECT_THAT(result.labels, testing::Contains(memory_clock_unknown_label)) << result.metric;
        EXPECT_FALSE(result.efficiency);
    }
    options.peak_bytes_per_second = 1e15;
    for (auto const& result : run_all(device, "bandwidth", options))
        EXPECT_THAT(result.labels, testing::Not(testing::Contains(memory_clock_unknown_label)));
}

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// A GPU that HIP says this of: the L2 is all that it tells.
std::unique_ptr<test::FaultyDevice> gpu_with(std::uint64_t l2, std::uint64_t free) {
    auto device = std::make_unique<test::FaultyDevice>(open_cpu(0));
    device->said = DeviceInfo{.backend = "hip", .compute_units = 304, .cache_bytes = l2};
    device->free_of_it = free;
    return device;
}

std::uint64_t ticks_of(Device& device, Options const& options) {
    Session session{device, options};
    return find_benchmark("vpoc")->plan(session).front().draft.parameters.ticks.value_or(0);
}

TEST(Benchmarks, vpoc_has_four_times_the_last_level_cache_of_ticks) {
    auto const device = gpu_with(4 * mib, 192 * 1024 * mib);
    Options options;
    EXPECT_EQ(ticks_of(*device, options), 100'000'000U);
    options.last_level_cache_bytes = 256 * mib;
    EXPECT_EQ(ticks_of(*device, options), 4 * 256 * mib / 8);
    device->free_of_it = 1024 * mib;
    EXPECT_EQ(ticks_of(*device, options), 100'000'000U) << "an eighth of the memory has no room";
    options.quick = true;
    EXPECT_EQ(ticks_of(*device, options), 10'000'000U);
    options.size = 77;
    EXPECT_EQ(ticks_of(*device, options), 77U);
}

/// Labels and efficiency of a figure of 100 GB/s over so many bytes.
Measurement judged(Device& device, Options options, double bytes) {
    options.peak_bytes_per_second = 200e9;
    Measurement result;
    result.value = 100;
    Session const session{device, options};
    set_memory_efficiency(session, bytes, result);
    return result;
}

TEST(Benchmarks, over_a_cache_that_hip_does_not_tell_of_have_no_efficiency) {
    auto const device = gpu_with(4 * mib, 192 * 1024 * mib);
    auto const only_l2 = judged(*device, {}, 1e9);
    EXPECT_THAT(only_l2.labels, testing::ElementsAre("cache-unknown"));
    EXPECT_FALSE(only_l2.efficiency);
    EXPECT_THAT(judged(*device, {}, 1e6).labels, testing::ElementsAre("in-cache"));
    Options options;
    options.last_level_cache_bytes = 256 * mib;
    EXPECT_THAT(judged(*device, options, 1e9).labels, testing::ElementsAre("in-cache"));
    EXPECT_EQ(judged(*device, options, 2e9).efficiency, 0.5);
    device->said->backend = "cuda";  // which tells of the last
    EXPECT_EQ(judged(*device, {}, 1e9).efficiency, 0.5);
}

TEST(Benchmarks, more_than_the_peak_is_labelled) {
    Measurement result;
    result.value = 110;
    set_efficiency(result, 100);
    EXPECT_THAT(result.labels, testing::Contains("above-peak"));
}

// ---- the check of products ----------------------------------------------------------------------

template <class T>
std::vector<std::uint8_t> product_bytes(Matrix const& a, Matrix const& b, std::size_t n,
                                        bool b_transposed) {
    std::vector<std::uint8_t> bytes(n * n * sizeof(T));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k)
                sum += a.at(i * n + k) * b.at(b_transposed ? j * n + k : k * n + j);
            auto const value = static_cast<T>(sum);
            std::memcpy(&bytes[(i * n + j) * sizeof(T)], &value, sizeof value);
        }
    return bytes;
}

TEST(Products, are_right_within_rounding_in_every_type) {
    constexpr std::size_t n = 96;
    for (auto const& type : gemm_types()) {
        auto const a = random_matrix(type, n, 1), b = random_matrix(type, n, 2);
        for (bool const transposed : {false, true}) {
            std::vector<std::uint8_t> c;
            if (type.name == "int8") c = product_bytes<std::int32_t>(a, b, n, transposed);
            else if (type.output_bytes == 8) c = product_bytes<double>(a, b, n, transposed);
            else if (type.output_bytes == 4) c = product_bytes<float>(a, b, n, transposed);
            else if (type.name == "fp16") c = product_bytes<_Float16>(a, b, n, transposed);
            else continue;  // bf16 results have no type here
            EXPECT_EQ(check_product(type, n, a, b, transposed, c), "") << type.name;
            EXPECT_NE(check_product(type, n, a, b, !transposed, c), "")
                << type.name << ": a transposed operand";
            c[(n * n / 2 + 5) * type.output_bytes + type.output_bytes - 1] ^=
                0x40;  // in the exponent, or 2^30
            EXPECT_THAT(check_product(type, n, a, b, transposed, c), HasSubstr("row 48"))
                << type.name;
        }
    }
}

TEST(Products, with_a_result_that_is_no_number_are_wrong) {
    auto const& type = *find_gemm_type("fp32");
    auto const a = random_matrix(type, 16, 1), b = random_matrix(type, 16, 2);
    auto c = product_bytes<float>(a, b, 16, false);
    std::memset(&c[40], 0xFF, 4);
    EXPECT_NE(check_product(type, 16, a, b, false, c), "");
}

TEST(Products, have_inputs_that_differ_and_are_never_zero) {
    for (auto const& type : gemm_types()) {
        auto const a = random_matrix(type, 64, 9);
        std::set<double> values;
        for (std::size_t i = 0; i < std::size_t{64} * 64; ++i) values.insert(a.at(i));
        EXPECT_GE(values.size(), 96U) << type.name;
        EXPECT_TRUE(type.name == "int8" || values.count(0.0) == 0) << type.name;
    }
}

/// Numbers with fewer bits than their type has take less power: 63 instead of 56 TFLOP/s in fp64.
TEST(Products, have_inputs_that_use_all_bits_of_their_type) {
    for (auto const& [name, bits] : {std::pair("fp64", 53), std::pair("fp32", 24),
                                     std::pair("tf32", 24), std::pair("fp8", 4)}) {
        auto const a = random_matrix(*find_gemm_type(name), 64, 9);
        int odd = 0, above_half = 0;
        for (std::size_t i = 0; i < std::size_t{64} * 64; ++i) {
            auto const scaled = std::ldexp(std::abs(a.at(i)), bits);
            above_half += std::abs(a.at(i)) >= 0.5;
            odd += std::abs(a.at(i)) >= 0.5 && std::fmod(scaled, 2) == 1;
        }
        EXPECT_GT(odd, above_half / 3) << name;
    }
}

TEST(Products, fp8_is_encoded_for_the_architecture) {
    auto const is_fnuz = [](std::string_view target) {
        return matrix_units_of(embedded_chips(), target).fp8_is_fnuz();
    };
    EXPECT_TRUE(is_fnuz("gfx942:sramecc+:xnack-"));
    EXPECT_FALSE(is_fnuz("gfx950"));
    EXPECT_FALSE(is_fnuz("gfx1201"));
    auto const& type = *find_gemm_type("fp8");
    auto const ocp = random_matrix(type, 16, 3, false), fnuz = random_matrix(type, 16, 3, true);
    EXPECT_EQ(ocp.values, fnuz.values);
    for (std::size_t i = 0; i < ocp.bytes.size(); ++i)
        if (ocp.values[i] == 1.0F) {
            EXPECT_EQ(ocp.bytes[i], 0x38);   // exponent field 7
            EXPECT_EQ(fnuz.bytes[i], 0x40);  // exponent field 8
        }
}

}  // namespace
}  // namespace rocmtune::bench
