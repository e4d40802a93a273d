// SPDX-License-Identifier: MIT
// What our data claims of a card against what a host says and measures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/claims.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

constexpr double peak = 800e9;  // of the cards of this host: 20 Gbit/s on 320 bits

template <class T>
auto stated(T value) {
    using Value = std::conditional_t<std::is_integral_v<T>, std::uint64_t, std::string>;
    Fact<Value> fact;
    fact.offer(static_cast<Value>(value), {});
    return fact;
}

std::optional<double> known_peak(ChipSet const&, Gpu const*) {
    return peak;
}

std::optional<double> unknown_peak(ChipSet const&, Gpu const*) {
    return std::nullopt;
}

Measurement figure(std::string metric, double value, std::vector<std::string> labels = {}) {
    Measurement one;
    one.benchmark = "bandwidth";
    one.metric = std::move(metric);
    one.backend = "hip";
    one.gpu = 0;
    one.value = value;
    one.verified = true;
    one.status = "ok";
    one.labels = std::move(labels);
    return one;
}

/// The claim of this name about the first of two RX 7900 XT.
CardClaim claim(std::string_view what, CardRuns const& runs = {}, void (*change)(Gpu&) = nullptr,
                std::optional<double> (*known)(ChipSet const&, Gpu const*) = known_peak) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    if (change != nullptr) change(host.gpus.front());
    for (auto& one : judge_claims(host, embedded_chips(), runs, known))
        if (one.what == what) return std::move(one);
    return {};
}

TEST(Claims, of_a_card_that_is_as_its_profile_says_hold) {
    for (auto const* const what : {"gfx target", "compute units", "memory", "last-level cache"}) {
        auto const it = claim(what);
        EXPECT_EQ(it.end, ClaimEnd::held) << what << ": " << it.claimed << " / " << it.found;
        EXPECT_FALSE(it.claimed.empty()) << what;
    }
}

TEST(Claims, fail_where_the_card_differs) {
    EXPECT_EQ(claim("compute units", {}, [](Gpu& gpu) { gpu.compute_units = stated(80); }).end,
              ClaimEnd::failed);
    EXPECT_EQ(claim("memory", {}, [](Gpu& gpu) { gpu.vram_bytes = stated(16ULL << 30); }).end,
              ClaimEnd::failed);
    EXPECT_EQ(claim("gfx target", {}, [](Gpu& gpu) { gpu.gfx_target = stated("gfx1101"); }).end,
              ClaimEnd::failed);
}

TEST(Claims, about_a_partition_or_an_unknown_number_are_not_reached) {
    auto const part = claim("compute units", {}, [](Gpu& gpu) { gpu.partition_count = stated(4); });
    EXPECT_EQ(part.end, ClaimEnd::not_reached);
    EXPECT_EQ(claim("memory", {}, [](Gpu& gpu) { gpu.vram_bytes = Fact<std::uint64_t>(); }).end,
              ClaimEnd::not_reached);
}

TEST(Claims, about_memory_fail_above_the_peak_and_far_below_it) {
    struct Case {
        double gb_per_s;
        ClaimEnd end;
    };
    for (auto const& [value, end] :
         {Case{700, ClaimEnd::held}, Case{815, ClaimEnd::held}, Case{830, ClaimEnd::failed},
          Case{1600, ClaimEnd::failed}, Case{330, ClaimEnd::held}, Case{100, ClaimEnd::failed}})
        EXPECT_EQ(claim("memory bandwidth", {.bench = {figure("copy", value)}}).end, end) << value;
}

TEST(Claims, about_memory_are_judged_by_the_memory_of_the_card_alone) {
    CardRuns const runs{.bench = {figure("copy", 700), figure("read", 3000, {"in-cache"}),
                                  figure("host-to-device", 2000), figure("peer-copy", 2000)}};
    EXPECT_EQ(claim("memory bandwidth", runs).end, ClaimEnd::held);
    EXPECT_EQ(claim("memory bandwidth", runs, nullptr, unknown_peak).end, ClaimEnd::not_reached);
    EXPECT_EQ(claim("memory bandwidth").end, ClaimEnd::not_reached);
}

TEST(Claims, about_kernels_name_the_first_that_was_not_right) {
    auto wrong = figure("triad", 1);
    wrong.status = "wrong-result";
    wrong.verified = false;
    wrong.value.reset();
    auto missing = wrong;
    missing.status = "unsupported";
    auto const failed = claim("kernels", {.bench = {figure("copy", 700), wrong, missing}});
    EXPECT_EQ(failed.end, ClaimEnd::failed);
    EXPECT_EQ(failed.found, "1 of 2 right; bandwidth triad: wrong-result");
    EXPECT_EQ(claim("kernels", {.bench = {figure("copy", 700), missing}}).end, ClaimEnd::held);
    EXPECT_EQ(claim("kernels", {.bench = {missing}}).end, ClaimEnd::not_reached);
}

TEST(Claims, about_hip_and_settings_are_those_of_the_checks) {
    auto const alive = [](Verdict verdict) {
        return claim("HIP",
                     {.check = {{.id = "RT3801", .verdict = verdict, .subject = "0000:03:00.0"}}});
    };
    EXPECT_EQ(alive(Verdict::pass).end, ClaimEnd::held);
    EXPECT_EQ(alive(Verdict::fail).end, ClaimEnd::failed);
    EXPECT_EQ(alive(Verdict::timeout).end, ClaimEnd::not_reached);
    EXPECT_EQ(claim("HIP").end, ClaimEnd::not_reached);
    EXPECT_EQ(claim("settings", {.verification = {{.id = "RT6006"}}}).end, ClaimEnd::held);
    EXPECT_EQ(claim("settings", {.verification = {{.id = "RT6007"}}}).end, ClaimEnd::failed);
    EXPECT_EQ(claim("settings", {.verification = {{.id = "RT6003"}}}).end, ClaimEnd::not_reached);
}

TEST(Claims, of_a_host_without_gpu_are_none) {
    EXPECT_TRUE(
        judge_claims(FaultyHost("no-gpu").probed(), embedded_chips(), {}, known_peak).empty());
}

}  // namespace
}  // namespace rocmtune::test
