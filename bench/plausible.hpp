// SPDX-License-Identifier: MIT
// What devices, drivers and profiles say is not believed blindly: of a clock in another unit or a
// cache larger than the memory nothing may be made, least of all a percentage.
#pragma once

#include <string>
#include <string_view>

#include "base/statistics.hpp"
#include "bench/session.hpp"

namespace rocmtune::bench {

namespace plausible {
using rocmtune::plausible::memory_bus_bits;
using rocmtune::plausible::memory_clock_khz;
/// MHz of the highest engine clock. Those of GPUs that compute are 800 to 3500: a good part of it
/// and three times as much. In kHz or Hz they are a thousand times as much and more.
inline constexpr Bounds engine_clock_mhz{100, 10'000};
/// Bytes a second of device memory. One channel of DDR3-800 has 6.4e9; boards of 2026 have 2e13.
inline constexpr Bounds memory_bytes_per_second{1e9, 1e14};
/// Operations a second of one type. Two compute units of an APU do some 1e10 in fp64; all of a
/// board of 2026 do some 1e16 in fp8.
inline constexpr Bounds operations_per_second{1e9, 1e17};
/// Bytes of a last-level cache. 64 KiB on the smallest GCN, 256 MiB of Infinity Cache.
inline constexpr Bounds cache_bytes{16.0 * (1 << 10), 8.0 * (1 << 30)};
/// Bytes of LDS that a block can have. 16 KiB on the first GPUs that computed, 228 KiB today.
inline constexpr Bounds lds_bytes{16.0 * (1 << 10), 1.0 * (1 << 20)};
/// 304 on the largest board so far.
inline constexpr Bounds compute_units{1, 8192};
}  // namespace plausible

/// Takes out of what a GPU says of itself what cannot be: it becomes 0, not known, and its notes
/// say so. What nobody told (0) needs no note.
void keep_plausible(DeviceInfo& info);

/// Bytes a second by clock, width and transfers a clock; 0 if one of them is not known or cannot
/// be, which is added to the notes.
double memory_peak(std::uint64_t clock_khz, std::uint64_t bus_bits, double transfers,
                   DeviceInfo& info);

/// The same of what drivers and profiles say of this GPU.
void keep_plausible(Options& options, DeviceInfo const& info);

}  // namespace rocmtune::bench
