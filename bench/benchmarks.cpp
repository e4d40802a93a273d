// SPDX-License-Identifier: MIT
#include "bench/benchmarks.hpp"

#include <algorithm>

namespace rocmtune::bench {
namespace {

constexpr Benchmark benchmarks[] = {
    {"bandwidth", plan_bandwidth},
    {"gemm", plan_gemm},
    {"vpoc", plan_vpoc},
    {"collectives", plan_collectives, true},
};

}  // namespace

std::span<Benchmark const> all_benchmarks() {
    return benchmarks;
}

Benchmark const* find_benchmark(std::string_view name) {
    auto const found = std::find_if(std::begin(benchmarks), std::end(benchmarks),
                                    [&](Benchmark const& row) { return row.name == name; });
    return found == std::end(benchmarks) ? nullptr : &*found;
}

}  // namespace rocmtune::bench
