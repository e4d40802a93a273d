// SPDX-License-Identifier: MIT
// A figure above what memory can do at its highest clock is refused, from what a runtime or a
// driver tells of the memory to the exit code. The fake HIP makes its fills in the host's memory,
// at tens of GB/s: for a card whose memory is told to do 1.6 GB/s that is impossibly quick.
#include "bench/runner.hpp"

#include <cstdlib>
#include <regex>

#include "measure/bench_peaks.hpp"
#include "support/bench_run.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

/// HBM2, two transfers a clock; without an Infinity Cache, and without a published bandwidth.
constexpr auto vega = "0000:83:00.0 gfx900 64 1073741824 0 AMD Radeon RX Vega";
/// hipDeviceAttributeMemoryBusWidth and hipDeviceAttributeMemoryClockRate.
constexpr auto slow_memory = "59=64 60=100000";  // 1.6 GB/s

BenchRun bench_told(std::string const& attributes) {
    return BenchRun(
        {"bandwidth", "--size", "67108864"},
        {{"ROCM_PATH", release("7")}, {"FAKE_GPUS", vega}, {"FAKE_ATTRIBUTES", attributes}});
}

json fill_of(BenchRun const& run) {
    for (auto const& one : run.measurements())
        if (one.at("metric") == "device-fill") return one;
    ADD_FAILURE() << "no device-fill: " << run.outcome.err;
    return {};
}

TEST(BenchMemoryLimit, of_what_hip_tells_refuses_a_fill_that_is_too_quick) {
    auto const run = bench_told(slow_memory);
    EXPECT_EQ(run.outcome.code, 1) << run.outcome.err;
    auto const fill = fill_of(run);
    expect_honest(fill);
    EXPECT_EQ(fill.at("status"), "wrong-result");
    auto const detail = fill.at("detail").get<std::string>();
    // Both figures: what was seen, and what the memory does (a quarter is left to overclocking).
    EXPECT_TRUE(std::regex_match(
        detail, std::regex("a sample moved [0-9]+ GB/s, at least [0-9]+ of it in memory, which "
                           "does 2 at the highest clock that was read: .*")))
        << detail;
    EXPECT_TRUE(fill.at("efficiency").is_null());
}

TEST(BenchMemoryLimit, of_what_hip_tells_lets_a_possible_fill_be) {
    auto const fill = fill_of(bench_told("59=2048 60=945000"));  // 483.8 GB/s
    EXPECT_EQ(fill.at("status"), "ok") << fill;
    EXPECT_EQ(fill.at("notes"), json::array());
}

TEST(BenchMemoryLimit, is_never_made_of_what_cannot_be_and_that_is_noted) {
    for (auto const& [attributes, note] :
         {std::pair{"59=64 60=0", "memory clock by HIP: 0 kHz cannot be"},
          std::pair{"59=64 60=100000000", "memory clock by HIP: 100000000 kHz cannot be"},  // Hz
          std::pair{"59=64 60=100", "memory clock by HIP: 100 kHz cannot be"},              // MHz
          std::pair{"59=64 60=-100000", "memory clock by HIP: -100000 kHz cannot be"},
          std::pair{"59=8 60=100000", "memory bus by HIP: 8 bits cannot be"},  // bytes
          std::pair{"59=-64 60=100000", "memory bus by HIP: -64 bits cannot be"}}) {
        auto const fill = fill_of(bench_told(attributes));
        EXPECT_EQ(fill.at("status"), "ok") << fill;
        EXPECT_TRUE(fill.at("efficiency").is_null()) << fill;
        EXPECT_THAT(fill.at("notes"), testing::Contains(HasSubstr(note))) << fill;
    }
}

// ---- a card of which the driver tells
// ------------------------------------------------------------

template <class T>
void set(Fact<T>& fact, T value) {
    fact.offer(std::move(value), Source{"kfd", "test"});
}

/// The fake HIP with the card, for workers that are started meanwhile.
class FakeCard {
  public:
    FakeCard() {
        ::setenv("ROCM_PATH", release("7").c_str(), 1);
        ::setenv("FAKE_GPUS", vega, 1);
    }
    ~FakeCard() {
        ::unsetenv("ROCM_PATH");
        ::unsetenv("FAKE_GPUS");
    }
    FakeCard(FakeCard const&) = delete;
    FakeCard& operator=(FakeCard const&) = delete;
};

/// The fill of the real worker on the fake HIP under the bounds of a card; `overclocked` is the
/// highest clock in MHz that the driver's table of overclocking has.
Measurement fill_of_card(std::uint64_t bus_bits, std::vector<double> overclocked) {
    Gpu gpu;
    set(gpu.pci_device_id, std::string("0x687f"));
    set(gpu.pci_revision, std::string("0xc1"));
    set(gpu.gfx_target, std::string("gfx900"));
    set(gpu.memory_bus_width_bits, bus_bits);
    set(gpu.memory_clock_max_mhz, std::uint64_t{100});
    if (!overclocked.empty())
        gpu.clocks.offer({{.name = "od_mclk", .levels_mhz = std::move(overclocked)}},
                         Source{"sysfs", "test"});
    bench::Options options;
    options.benchmarks = {"bandwidth"};
    options.metric = "device-fill";
    options.backend = "hip";
    options.quick = true;
    options.seconds = 0.001;
    options.size = std::uint64_t{64} << 20;
    set_memory_bounds(embedded_chips(), &gpu, options);
    FakeCard const card;
    WorkerMachinery machinery;
    machinery.program = ROCMTUNE_BINARY;
    auto all = bench::run_benchmark(options, std::chrono::seconds(60), {}, machinery);
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? Measurement{} : all.front();
}

TEST(BenchMemoryLimit, of_what_the_driver_tells_refuses_a_fill_that_is_too_quick) {
    auto const fill = fill_of_card(64, {});
    EXPECT_EQ(fill.status, "wrong-result");
    EXPECT_THAT(fill.detail.value_or(""), HasSubstr("which does 2 at the highest clock"));
    EXPECT_FALSE(fill.value);
}

TEST(BenchMemoryLimit, follows_memory_that_is_overclocked) {
    // The same card, whose table of overclocking was read: 1600 GB/s are possible.
    auto const fill = fill_of_card(64, {100, 100'000});
    EXPECT_EQ(fill.status, "ok") << fill.detail.value_or("");
    EXPECT_GT(fill.value.value_or(0), 0);
}

}  // namespace
}  // namespace rocmtune::test
