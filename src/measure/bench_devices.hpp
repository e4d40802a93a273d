// SPDX-License-Identifier: MIT
// The devices that benchmarks run on: --backend and --gpu of bench and verify.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/session.hpp"
#include "measure/arguments.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Bytes, rows or ticks of --size: more than any device holds.
inline constexpr std::uint64_t most_bench_size = std::uint64_t{1} << 50;

struct ChosenDevice {
    bench::DeviceInfo info;
    Gpu const* gpu = nullptr;  ///< its row of the host, if it has one
};

/// The devices of --backend, or those of --gpu among them. With `auto`, of the first backend that
/// has some. The host must outlive the result.
/// @throws Error if there are none, or none that was named.
std::vector<ChosenDevice> choose_devices(Arguments const& arguments, Host const& host);

/// The chosen devices beside this one. One that was named twice is no other.
std::vector<bench::OtherDevice> others_of(std::vector<ChosenDevice> const& all,
                                          ChosenDevice const& one);

/// The host as far as the devices need it: for processors the kernel's view will do.
Host host_for_bench(Arguments const& arguments);

}  // namespace rocmtune
