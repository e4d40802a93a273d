// SPDX-License-Identifier: MIT
#include "cli/liveness.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/text.hpp"
#include "checks/jobs.hpp"
#include "cli/liveness_answer.hpp"
#include "system/held_signals.hpp"

namespace rocmtune {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Processes at a time. Each opens every GPU, as HIP does: with 64 partitions at once they would
/// wait for each other and look hung.
constexpr std::size_t most_at_once = 8;

// ---- which GPUs may be tried --------------------------------------------------------------------

bool sleeps(Gpu const& gpu) {
    return gpu.runtime_status && gpu.runtime_status->starts_with("suspend");
}

/// HIP opens all GPUs that it sees: whatever one of them is asked, a sleeping one wakes.
Gpu const* sleeping_gpu(Host const& host) {
    auto const found = std::find_if(host.gpus.begin(), host.gpus.end(), sleeps);
    return found == host.gpus.end() ? nullptr : &*found;
}

GpuProcess const* job_on(Host const& host, Gpu const& gpu) {
    if (!host.gpu_processes || !gpu.pci_address) return nullptr;
    for (auto const& process : *host.gpu_processes)
        if (is_job(process) && std::find(process.gpus.begin(), process.gpus.end(),
                                         *gpu.pci_address) != process.gpus.end())
            return &process;
    return nullptr;
}

/// "ROCR_VISIBLE_DEVICES=1": the mask that hides GPUs from this process, as Slurm's GRES sets it.
std::string mask_of(Host const& host) {
    static constexpr std::array<char const*, 4> masks{"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                                      "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"};
    if (!host.environment) return {};
    for (auto const* const name : masks)
        if (auto const found = host.environment->find(name); found != host.environment->end())
            return fmt::format("{}={}", name, printable(found->second));
    return {};
}

Trial unlisted(Host const& host, Gpu const& gpu) {
    auto const mask = mask_of(host);
    return trial_of(gpu, TrialEnd::not_possible,
                    mask.empty() ? "HIP does not list this GPU to this process"
                                 : fmt::format("hidden from this process by {}", mask));
}

Runtime const* hip_of(Host const& host) {
    if (!host.runtimes) return nullptr;
    for (auto const& runtime : *host.runtimes)
        if (runtime.name == "hip") return &runtime;
    return nullptr;
}

/// Why HIP as a whole cannot be used; nothing if it answered.
std::optional<Trial> without_hip(Host const& host, Gpu const& gpu) {
    auto const* const hip = hip_of(host);
    if (hip == nullptr) return trial_of(gpu, TrialEnd::not_possible, "HIP was not asked");
    auto const detail = hip->detail ? ": " + *hip->detail : std::string();
    if (hip->status == "ok") return std::nullopt;
    if (hip->status == "absent")
        return trial_of(gpu, TrialEnd::not_possible, "there is no HIP runtime here to try it with");
    if (hip->status == "suspended" || hip->status == "skipped")
        return trial_of(gpu, TrialEnd::not_allowed, "HIP was not asked" + detail);
    return trial_of(gpu, TrialEnd::not_known,
                    fmt::format("HIP does not list its devices: {}{}", hip->status, detail));
}

/// The trial of a GPU that is not tried, with the reason.
std::optional<Trial> refused(Host const& host, Gpu const& gpu, LivenessLimits const& limits) {
    auto const* const asleep = limits.wake ? nullptr : sleeping_gpu(host);
    if (asleep != nullptr)
        return trial_of(gpu, TrialEnd::not_allowed,
                        sleeps(gpu) ? "it sleeps; --wake tries it all the same"
                                    : fmt::format("HIP would wake {}; --wake tries it all the same",
                                                  asleep->pci_address.value_or("a sleeping GPU")));
    if (auto trial = without_hip(host, gpu)) return trial;
    if (!gpu.hip_index) return unlisted(host, gpu);
    auto const* const job = limits.force ? nullptr : job_on(host, gpu);
    if (job == nullptr) return std::nullopt;
    return trial_of(gpu, TrialEnd::not_allowed,
                    fmt::format("busy: {} ({}) computes on it; --force tries it all the same",
                                printable(job->name.value_or("a process")), job->pid));
}

// ---- rounds -------------------------------------------------------------------------------------

WorkerRequest request_for(Gpu const& gpu, milliseconds deadline) {
    return {.name = "liveness",
            .arguments = {std::to_string(*gpu.hip_index), gpu.pci_address.value_or("")},
            .deadline = deadline};
}

/// Then no further round begins, and what was cut off says nothing about its GPU.
bool is_ending() {
    return HeldSignals::waiting().has_value();
}

class Rounds {
  public:
    Rounds(LivenessLimits const& limits, WorkerMachinery const& machinery)
        : limit_(limits.gpu), machinery_(machinery), end_(Clock::now() + limits.total) {}

    std::vector<Trial> run(std::span<Gpu const* const> gpus) {
        auto const left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
        if (is_ending()) return unrun(gpus, "this program was asked to end");
        if (none_answered_) return unrun(gpus, "none of the GPUs before it answered");
        if (left <= milliseconds(0)) return unrun(gpus, "the time for all GPUs was over");
        std::vector<WorkerRequest> requests;
        for (auto const* const gpu : gpus)
            requests.push_back(request_for(*gpu, std::min(limit_, left)));
        auto const outcomes = run_workers(requests, machinery_);
        std::vector<Trial> trials;
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            bool const cut_off = is_ending() && outcomes[i].status == WorkerStatus::error;
            trials.push_back(cut_off ? trial_of(*gpus[i], TrialEnd::not_known, outcomes[i].detail)
                                     : trial_from(*gpus[i], outcomes[i]));
        }
        learn(trials, outcomes);
        return trials;
    }

  private:
    static bool hung(Trial const& trial) {
        return trial.end == TrialEnd::late || trial.end == TrialEnd::unkillable;
    }

    /// What this round says of the next ones.
    void learn(std::vector<Trial> const& trials, std::vector<WorkerOutcome> const& outcomes) {
        constexpr int generous = 4;
        constexpr milliseconds least{2000};
        none_answered_ = std::all_of(trials.begin(), trials.end(), hung);
        if (none_answered_ || std::none_of(trials.begin(), trials.end(), hung)) return;
        milliseconds slowest{0};
        for (std::size_t i = 0; i < trials.size(); ++i)
            if (!hung(trials[i])) slowest = std::max(slowest, outcomes[i].took);
        limit_ = std::clamp(generous * slowest, least, limit_);
    }

    static std::vector<Trial> unrun(std::span<Gpu const* const> gpus, std::string const& reason) {
        std::vector<Trial> trials;
        for (auto const* const gpu : gpus)
            trials.push_back(trial_of(*gpu, TrialEnd::not_known, "not tried: " + reason));
        return trials;
    }

    milliseconds limit_;
    WorkerMachinery const& machinery_;
    Clock::time_point end_;
    bool none_answered_ = false;
};

bool is_asked(LivenessLimits const& limits, Gpu const& gpu) {
    auto const& rows = limits.rows;
    return rows.empty() || std::find(rows.begin(), rows.end(), gpu.row.value_or(0)) != rows.end();
}

}  // namespace

std::vector<Trial> try_gpus(Host const& host, LivenessLimits const& limits,
                            WorkerMachinery const& machinery) {
    std::vector<Trial> trials;
    std::vector<Gpu const*> due;
    for (auto const& gpu : host.gpus) {
        if (!is_asked(limits, gpu)) continue;
        if (auto trial = refused(host, gpu, limits)) trials.push_back(*std::move(trial));
        else due.push_back(&gpu);
    }
    Rounds rounds(limits, machinery);
    for (std::size_t i = 0; i < due.size(); i += most_at_once) {
        auto const count = std::min(most_at_once, due.size() - i);
        auto results = rounds.run(std::span(due).subspan(i, count));
        std::move(results.begin(), results.end(), std::back_inserter(trials));
    }
    std::sort(trials.begin(), trials.end(),
              [](Trial const& a, Trial const& b) { return a.row < b.row; });
    return trials;
}

}  // namespace rocmtune
