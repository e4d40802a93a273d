// SPDX-License-Identifier: MIT
// The worker side: every benchmark runs in a process of its own (system/worker.hpp).
//   bench-devices BACKEND  answers {"device": DeviceInfo} for each
//   bench OPTIONS          answers {"plan": [Measurement, ...]}, then for each of them
//                          {"begin": INDEX} and {"measurement": Measurement}, at the end
//                          {"libraries": [FILE, ...]}; or {"refused": ...}
//   liveness INDEX ADDRESS (liveness.cpp)
#pragma once

#include <string_view>

#include "machine/worker.hpp"

namespace rocmtune::bench {

/// The worker of this name, or null.
Worker const* find_worker(std::string_view name);

}  // namespace rocmtune::bench
