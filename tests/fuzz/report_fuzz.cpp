// SPDX-License-Identifier: MIT
// Reports come from other machines: any bytes are read or refused, and what was read equals itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "judge/compare/compare.hpp"
#include "rocmtune/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    try {
        auto const report = read_report({reinterpret_cast<char const*>(data), size}, "fuzzed.json");
        auto const comparison = compare_reports(report, report, 0.03);
        if (comparison.facts != comparison.equal) std::abort();
        for (auto const& difference : comparison.differences)
            if (difference.change == "changed") std::abort();
        (void)judge_comparison(comparison);
    } catch (Error const&) {
        // Refused, with a reason.
    }
    return 0;
}
