// SPDX-License-Identifier: MIT
// The workers: each asks one GPU library, in a process of its own or, where libraries load one
// another anyway, behind another one (machine/worker.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "machine/worker.hpp"

namespace rocmtune {

void run_hip_worker(WorkerChannel&, std::span<std::string const>);
void run_hiprtc_worker(WorkerChannel&, std::span<std::string const>);
void run_hsa_worker(WorkerChannel&, std::span<std::string const>);
/// Why ROCr would answer otherwise where another library is loaded; empty if it would not.
std::string why_not_hsa_here();
void run_rocm_smi_worker(WorkerChannel&, std::span<std::string const>);
void run_amd_smi_worker(WorkerChannel&, std::span<std::string const>);

/// All workers that probing asks. The SMI libraries come last: AMD SMI is the least stable of them.
std::span<Worker const> all_workers();

/// The worker of this name, or null.
Worker const* find_worker(std::string_view name);

/// Whether a worker may not run beside others of its kind: SMI libraries share locks.
bool runs_alone(std::string_view name);

/// The worker in whose process this one is asked, as it loads the same libraries; empty: none.
/// HIP comes first: its answer is then that of a process of its own.
std::string_view host_of_worker(std::string_view name);

/// The call (HostRoot::call) whose answer is that of a worker: "worker.hip".
std::string worker_key(std::string_view name);
bool is_worker_key(std::string_view key);

/// An outcome as the answer to that call: one JSON object with status, signal, detail, took_ms,
/// evidence and answer. A complete answer that is no JSON becomes the status `error`.
std::string worker_reply(WorkerOutcome const& outcome);

/// The answer where a worker was not run: status is `suspended` or `skipped`.
std::string unasked_reply(std::string_view status, std::string_view detail);

}  // namespace rocmtune
