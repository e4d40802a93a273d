// SPDX-License-Identifier: MIT
// The caller's side of the benchmarks: lists devices, runs workers, and makes measurements of
// whatever becomes of them. Loads no library.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/session.hpp"
#include "machine/worker.hpp"

namespace rocmtune::bench {

/// What a backend has, and what is wrong with it if it could not be asked.
struct DeviceList {
    std::vector<DeviceInfo> devices;
    std::string problem;  ///< empty: the list is complete
};

DeviceList list_devices(std::string_view backend, WorkerMachinery const& machinery = {});

/// What is going on, for a terminal.
using Progress =
    std::function<void(Measurement const& current, std::size_t index, std::size_t count)>;

/// What came of one worker.
struct BenchRun {
    std::vector<Measurement> measurements;
    std::vector<std::string> libraries;  ///< files that it had mapped at its end
};

/// Runs one benchmark on one device. One measurement for each planned step, whatever happens; or
/// one alone that says why there is no plan. `silence` is how long the worker may say nothing,
/// `lifetime` how long it may take in all (0: as long as it likes).
std::vector<Measurement> run_benchmark(Options const& options, std::chrono::milliseconds silence,
                                       Progress const& progress = {},
                                       WorkerMachinery machinery = {},
                                       std::chrono::milliseconds lifetime = {});

/// The same, with what the process had loaded; empty if it did not come to its end.
BenchRun watch_benchmark(Options const& options, std::chrono::milliseconds silence,
                         Progress const& progress = {}, WorkerMachinery machinery = {},
                         std::chrono::milliseconds lifetime = {});

}  // namespace rocmtune::bench
