// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parser of pp_dpm_* tables.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    auto const clock = parse_clock_table("sclk", {reinterpret_cast<char const*>(data), size});
    if (!clock) return 0;
    if (clock->levels_mhz.empty() && !clock->deep_sleep_mhz) __builtin_trap();
    for (auto const level : clock->levels_mhz)
        if (!std::isfinite(level) || level < 0) __builtin_trap();
    if (clock->current_mhz && !std::isfinite(*clock->current_mhz)) __builtin_trap();
    return 0;
}
