// SPDX-License-Identifier: MIT
// The worker side: every benchmark runs in a process of its own (machine/worker.hpp).
//   bench-devices BACKEND  answers {"device": DeviceInfo} for each
//   bench OPTIONS          answers {"plan": [Measurement, ...]}, then for each of them
//                          {"begin": INDEX} and {"measurement": Measurement}, at the end
//                          {"libraries": [FILE, ...]}; or {"refused": ...}
//   liveness INDEX ADDRESS (liveness.cpp)
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "machine/worker.hpp"

namespace rocmtune::bench {

/// The worker of this name, or null.
Worker const* find_worker(std::string_view name);

/// The worker of the check liveness; what it answers stands in liveness.cpp.
void run_liveness_worker(WorkerChannel& channel, std::span<std::string const> arguments);

/// Its step in which a kernel is compiled, or taken from the cache, and loaded. Whatever happens in
/// it, the GPU has copied rightly before.
inline constexpr char const* making_a_kernel = "making a kernel";

}  // namespace rocmtune::bench
