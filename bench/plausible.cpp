// SPDX-License-Identifier: MIT
#include "bench/plausible.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune::bench {
namespace {

using Notes = std::vector<std::string>;

template <class Number>
void keep(Number& value, std::string_view what, std::string_view unit, Bounds const& bounds,
          Notes& notes) {
    auto const number = static_cast<double>(value);
    if (value == Number{} || bounds.hold(number)) return;
    notes.push_back(not_plausible(what, number, unit, bounds));
    value = {};
}

template <class Number>
void keep(std::optional<Number>& value, std::string_view what, std::string_view unit,
          Bounds const& bounds, Notes& notes) {
    if (!value || bounds.hold(static_cast<double>(*value))) return;
    notes.push_back(not_plausible(what, static_cast<double>(*value), unit, bounds));
    value.reset();
}

/// A cache holds a part of the memory.
bool is_too_large(std::uint64_t cache, DeviceInfo const& info, std::string_view whose,
                  Notes& notes) {
    if (info.memory_bytes == 0 || cache < info.memory_bytes) return false;
    notes.push_back(fmt::format("{}: {} cannot be beside {} of memory, so nothing is made of it",
                                whose, human_bytes(cache), human_bytes(info.memory_bytes)));
    return true;
}

}  // namespace

void keep_plausible(DeviceInfo& info) {
    auto& notes = info.notes;
    keep(info.compute_units, "compute units of the runtime", "", plausible::compute_units, notes);
    keep(info.lds_bytes, "LDS of a block by the runtime", "bytes", plausible::lds_bytes, notes);
    keep(info.cache_bytes, "cache of the runtime", "bytes", plausible::cache_bytes, notes);
    if (is_too_large(info.cache_bytes, info, "cache of the runtime", notes)) info.cache_bytes = 0;
    keep(info.peak_bytes_per_second, "peak of the memory by the runtime", "bytes/s",
         plausible::memory_bytes_per_second, notes);
}

void keep_plausible(Options& options, DeviceInfo const& info) {
    auto& notes = options.notes;
    keep(options.peak_bytes_per_second, "peak of the memory by the profile", "bytes/s",
         plausible::memory_bytes_per_second, notes);
    auto& cache = options.last_level_cache_bytes;
    constexpr auto whose = "last-level cache of the driver or the profile";
    keep(cache, whose, "bytes", plausible::cache_bytes, notes);
    if (cache && is_too_large(*cache, info, whose, notes)) cache.reset();
    for (auto& one : options.gemm_peaks) {
        keep(one.peak_per_second, "peak of " + one.dtype, "operations/s",
             plausible::operations_per_second, notes);
        keep(one.expected_per_second, "expectation of " + one.dtype, "operations/s",
             plausible::operations_per_second, notes);
    }
}

double memory_peak(std::uint64_t clock_khz, std::uint64_t bus_bits, double transfers,
                   DeviceInfo& info) {
    keep(clock_khz, "memory clock of the runtime", "kHz", plausible::memory_clock_khz, info.notes);
    keep(bus_bits, "memory bus of the runtime", "bits", plausible::memory_bus_bits, info.notes);
    return transfers * 1e3 * static_cast<double>(clock_khz) * static_cast<double>(bus_bits) / 8;
}

}  // namespace rocmtune::bench
