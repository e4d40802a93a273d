// SPDX-License-Identifier: MIT
// The table of benchmarks: each is a file with the functions of its row.
#include <iterator>

#include "bench/session.hpp"

namespace rocmtune::bench {

Benchmark::Plan plan_bandwidth, plan_host_copies, plan_peer_copies;
Benchmark::Plan plan_gemm, plan_gemm_scaling;
Benchmark::Plan plan_vpoc;
Benchmark::Plan plan_collectives;

namespace {

constexpr Benchmark benchmarks[] = {
    {"bandwidth", "triad", {plan_bandwidth, plan_host_copies, plan_peer_copies}},
    {"gemm", "", {plan_gemm, plan_gemm_scaling}},
    {"vpoc", "1000-bins-uniform", {plan_vpoc}},
    {"collectives", "all-reduce-bus", {plan_collectives}, true},
};

}  // namespace

std::vector<Step> Benchmark::plan(Session& session) const {
    std::vector<Step> steps;
    for (auto* const part : plans)
        if (part != nullptr) std::ranges::move(part(session), std::back_inserter(steps));
    return steps;
}

std::span<Benchmark const> all_benchmarks() {
    return benchmarks;
}

Benchmark const* find_benchmark(std::string_view name) {
    auto const* const found = std::ranges::find(benchmarks, name, &Benchmark::name);
    return found == std::end(benchmarks) ? nullptr : found;
}

}  // namespace rocmtune::bench
