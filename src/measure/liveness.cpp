// SPDX-License-Identifier: MIT
#include "measure/liveness.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/host.hpp"
#include "base/text.hpp"
#include "bench/worker.hpp"
#include "codec/json_text.hpp"
#include "judge/checks/check.hpp"
#include "machine/held_signals.hpp"

namespace rocmtune {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Processes at a time. Each opens every GPU, as HIP does: with 64 partitions at once they would
/// wait for each other and look hung.
constexpr std::size_t most_at_once = 8;

// ---- what the end of a worker says of its GPU ---------------------------------------------------

Trial trial_of(Gpu const& gpu, TrialEnd end, std::string message) {
    return {.row = gpu.row.value_or(0), .end = end, .message = std::move(message)};
}

using nlohmann::json;

struct Reply {
    std::string step;     ///< the call that was begun last; empty: the runtime was not loaded
    bool copied = false;  ///< rightly
    json result;          ///< the last line that is no step: {"computed": ...}
};

Reply answer_in(WorkerOutcome const& outcome) {
    static constexpr std::array<char const*, 6> results{"copied",  "computed", "no_kernel",
                                                        "refused", "moved",    "wrong"};
    Reply answer;
    for (auto const& line : outcome.answer) {
        auto value = parse_bounded<json>(line);
        if (!value.is_object()) continue;
        if (auto const step = value.find("step"); step != value.end() && step->is_string())
            answer.step = printable(step->get<std::string>());
        bool const is_result = std::any_of(results.begin(), results.end(),
                                           [&](auto const* key) { return value.contains(key); });
        answer.copied = answer.copied || value.contains("copied");
        if (is_result) answer.result = std::move(value);
    }
    return answer;
}

std::string wrong_text(json const& wrong) {
    auto const number = [&](char const* key) {
        auto const found = wrong.find(key);
        bool const has = found != wrong.end() && found->is_number_unsigned();
        return has ? found->get<std::uint64_t>() : 0;
    };
    bool const computed = wrong.value("what", "") == "computed";
    return fmt::format("of {} bytes {} {} are wrong: at {} 0x{:02x} instead of 0x{:02x}",
                       number("of"),
                       computed ? "that a kernel was to write" : "copied there and back",
                       number("bytes"), number("offset"), number("got"), number("expected"));
}

constexpr std::string_view copied_text = "4 KiB were copied there and back";

Trial without_kernel(Gpu const& gpu, std::string_view reason) {
    return trial_of(gpu, TrialEnd::verified,
                    fmt::format("{}; no kernel was tried: {}", copied_text, reason));
}

/// The text of a line {"refused": TEXT}; empty if the answer ends with another.
std::string text_in(json const& result, char const* kind) {
    auto const found = result.find(kind);
    bool const has = found != result.end() && found->is_string();
    return has ? printable(found->get<std::string>()) : std::string();
}

/// Of a worker that came to its end by itself.
Trial complete(Gpu const& gpu, Reply const& answer) {
    auto const& result = answer.result;
    if (result.contains("computed"))
        return trial_of(gpu, TrialEnd::verified,
                        fmt::format("{}, and a kernel wrote 64 KiB", copied_text));
    if (result.contains("wrong") && result["wrong"].is_object())
        return trial_of(gpu, TrialEnd::wrong, wrong_text(result["wrong"]));
    if (auto const text = text_in(result, "refused"); !text.empty())
        return trial_of(gpu, TrialEnd::refused, text);
    if (auto const text = text_in(result, "no_kernel"); !text.empty())
        return without_kernel(gpu, text);
    if (result.contains("moved"))
        return trial_of(gpu, TrialEnd::not_known,
                        fmt::format("HIP device {} is another GPU now", gpu.hip_index.value_or(0)));
    return trial_of(gpu, TrialEnd::not_known, "the trial gave no result");
}

/// Then the GPU had copied rightly, and only the compiler or the loader of code was at work.
bool was_making_a_kernel(Reply const& answer) {
    return answer.copied && answer.step == bench::making_a_kernel;
}

/// Of one that ended in a call, or before any. Only what happened in a call accuses the GPU.
Trial incomplete(Gpu const& gpu, WorkerOutcome const& outcome, Reply const& answer) {
    if (was_making_a_kernel(answer))
        return without_kernel(gpu, fmt::format("{} while one was made", outcome.detail));
    auto const in = answer.step.empty() ? std::string("while HIP was loaded") : "in " + answer.step;
    auto const text = fmt::format("{}: {}", in, outcome.detail);
    bool const called = !answer.step.empty();
    switch (outcome.status) {
        case WorkerStatus::timeout: return trial_of(gpu, TrialEnd::late, "hung " + text);
        case WorkerStatus::unkillable: return trial_of(gpu, TrialEnd::unkillable, "stuck " + text);
        case WorkerStatus::signal:
            // The kernel kills what takes too much memory: no fault of the GPU.
            return trial_of(
                gpu, called && outcome.signal != SIGKILL ? TrialEnd::crashed : TrialEnd::not_known,
                "died " + text);
        case WorkerStatus::error:
            return trial_of(gpu, called ? TrialEnd::crashed : TrialEnd::not_known, "ended " + text);
        case WorkerStatus::absent:
        case WorkerStatus::ok: break;
    }
    return trial_of(gpu, TrialEnd::not_possible, outcome.detail);
}

/// Whether the GPU copied rightly, whatever became of the worker afterwards.
bool has_copied(WorkerOutcome const& outcome) {
    return answer_in(outcome).copied;
}

/// The trial as its worker ended it (bench/liveness.cpp). Only what happened in a call of the
/// runtime accuses the GPU.
Trial trial_from(Gpu const& gpu, WorkerOutcome const& outcome) {
    auto const answer = answer_in(outcome);
    auto trial = outcome.status == WorkerStatus::ok ? complete(gpu, answer)
                                                    : incomplete(gpu, outcome, answer);
    trial.evidence.push_back(
        {fmt::format("liveness: HIP device {}", gpu.hip_index.value_or(0)),
         fmt::format("{} after {} ms", worker_status_name(outcome.status), outcome.took.count())});
    if (trial.end != TrialEnd::verified && !outcome.evidence.empty())
        trial.evidence.push_back({"liveness: printed", printable(outcome.evidence)});
    return trial;
}

// ---- which GPUs may be tried --------------------------------------------------------------------

GpuProcess const* job_on(Host const& host, Gpu const& gpu) {
    if (!host.gpu_processes) return nullptr;
    for (auto const& process : *host.gpu_processes)
        if (is_job(process) && holds(process, gpu)) return &process;
    return nullptr;
}

/// "ROCR_VISIBLE_DEVICES=1": the mask that hides GPUs from this process, as Slurm's GRES sets it.
std::string mask_of(Host const& host) {
    if (!host.environment) return {};
    for (auto const name : mask_names)
        if (auto const found = host.environment->find(std::string(name));
            found != host.environment->end())
            return fmt::format("{}={}", name, printable(found->second));
    return {};
}

Trial unlisted(Host const& host, Gpu const& gpu) {
    auto const mask = mask_of(host);
    return trial_of(gpu, TrialEnd::not_possible,
                    mask.empty() ? "HIP does not list this GPU to this process"
                                 : fmt::format("hidden from this process by {}", mask));
}

/// Why HIP as a whole cannot be used; nothing if it answered.
std::optional<Trial> without_hip(Host const& host, Gpu const& gpu) {
    auto const* const hip = runtime_of(host, "hip");
    if (hip == nullptr) return trial_of(gpu, TrialEnd::not_possible, "HIP was not asked");
    auto const detail = hip->detail ? ": " + *hip->detail : std::string();
    if (hip->status == "ok") return std::nullopt;
    if (hip->status == "absent")
        return trial_of(gpu, TrialEnd::no_runtime, "there is no HIP runtime here to try it with");
    if (hip->status == "suspended" || hip->status == "skipped")
        return trial_of(gpu, TrialEnd::not_allowed, "HIP was not asked" + detail);
    return trial_of(gpu, TrialEnd::not_known,
                    fmt::format("HIP does not list its devices: {}{}", hip->status, detail));
}

/// Why no HIP could use a GPU of this host; null if one could.
char const* out_of_reach(Gpu const& gpu) {
    if (!gpu.sysfs_path) return nullptr;  // a library alone knows it, as in WSL
    if (gpu.driver.value() == "vfio-pci") return "it is given to virtual machines";
    if (gpu.driver && *gpu.driver != "amdgpu") return "amdgpu does not drive it";
    if (!gpu.driver && gpu.driver.reason() == Missing::absent) return "no driver is bound to it";
    if (!gpu.kfd_node && gpu.kfd_node.reason() == Missing::absent) return "KFD does not have it";
    return nullptr;
}

/// The trial of a GPU that is not tried, with the reason.
std::optional<Trial> refused(Host const& host, Gpu const& gpu, LivenessLimits const& limits) {
    // HIP opens all GPUs that it sees: whatever one of them is asked, a sleeping one wakes.
    auto const* const asleep = limits.wake ? nullptr : sleeping_gpu(host);
    if (asleep != nullptr)
        return trial_of(gpu, TrialEnd::not_allowed,
                        is_asleep(gpu)
                            ? "it sleeps; --wake tries it all the same"
                            : fmt::format("HIP would wake {}; --wake tries it all the same",
                                          asleep->pci_address.value_or("a sleeping GPU")));
    if (auto const* reason = out_of_reach(gpu))
        return trial_of(gpu, TrialEnd::not_possible, reason);
    if (auto trial = without_hip(host, gpu)) return trial;
    if (!gpu.hip_index) return unlisted(host, gpu);
    auto const* const job = limits.force ? nullptr : job_on(host, gpu);
    if (job == nullptr) return std::nullopt;
    return trial_of(gpu, TrialEnd::not_allowed,
                    fmt::format("busy: {} ({}) computes on it; --force tries it all the same",
                                printable(job->name.value_or("a process")), job->pid));
}

// ---- trials side by side ------------------------------------------------------------------------

/// Then no further trial begins, and what was cut off says nothing about its GPU.
bool is_ending() {
    return HeldSignals::waiting().has_value();
}

bool hung(WorkerOutcome const& outcome) {
    return outcome.status == WorkerStatus::timeout || outcome.status == WorkerStatus::unkillable;
}

class Trials {
  public:
    Trials(LivenessLimits const& limits, WorkerMachinery const& machinery)
        : limit_(limits.gpu), machinery_(machinery), end_(Clock::now() + limits.total) {
        machinery_.most_at_once = most_at_once;
        // Of a short time no more than a third is kept for ending what hangs.
        machinery_.grace = std::min(machinery_.grace, limits.total / 9);
        machinery_.patience = std::min(machinery_.patience, limits.total / 9);
        end_ -= 2 * machinery_.grace + machinery_.patience;
    }

    std::vector<Trial> run(std::vector<Gpu const*> const& gpus) {
        reasons_.assign(gpus.size(), {});
        std::vector<WorkerRequest> requests;
        for (std::size_t i = 0; i < gpus.size(); ++i) requests.push_back(request_for(*gpus[i], i));
        auto const outcomes = run_workers(requests, machinery_);
        std::vector<Trial> trials;
        for (std::size_t i = 0; i < gpus.size(); ++i)
            trials.push_back(trial_of_outcome(*gpus[i], outcomes[i], reasons_[i]));
        return trials;
    }

  private:
    WorkerRequest request_for(Gpu const& gpu, std::size_t i) {
        return {.name = "liveness",
                .arguments = {std::to_string(*gpu.hip_index), gpu.pci_address.value_or("")},
                .deadline = limit_,
                .before = [this, i](milliseconds& deadline) { return may_not(i, deadline); },
                .after = [this](WorkerOutcome const& outcome) { learn(outcome); }};
    }

    /// Why the next trial does not begin, and how long it may take if it does.
    std::string may_not(std::size_t i, milliseconds& deadline) {
        auto const left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
        auto& reason = reasons_[i];
        if (is_ending()) reason = "this program was asked to end";
        else if (hung_ > 0 && answered_ == 0) reason = "none of the GPUs before it answered";
        else if (left <= (i < most_at_once ? milliseconds(0) : least))
            reason = "the time for all GPUs was over";
        deadline = std::min(next_limit(), left);
        return reason;
    }

    /// Less than this would accuse a GPU of hanging that only waits for HIP to start.
    static constexpr milliseconds least{2000};

    milliseconds next_limit() const {
        constexpr int generous = 4;
        if (answered_ == 0) return limit_;
        return std::min(limit_, std::max(generous * slowest_, least));
    }

    void learn(WorkerOutcome const& outcome) {
        if (hung(outcome) && !has_copied(outcome)) return void(++hung_);
        ++answered_;
        slowest_ = std::max(slowest_, outcome.took);
    }

    static Trial trial_of_outcome(Gpu const& gpu, WorkerOutcome const& outcome,
                                  std::string const& reason) {
        if (!reason.empty()) return trial_of(gpu, TrialEnd::not_known, "not tried: " + reason);
        bool const cut_off = is_ending() && outcome.status == WorkerStatus::error;
        return cut_off ? trial_of(gpu, TrialEnd::not_known, outcome.detail)
                       : trial_from(gpu, outcome);
    }

    milliseconds limit_;
    WorkerMachinery machinery_;
    Clock::time_point end_;  ///< of the trials; ending what hangs comes behind
    std::size_t answered_ = 0;
    std::size_t hung_ = 0;
    milliseconds slowest_{0};           ///< of those that answered
    std::vector<std::string> reasons_;  ///< why a trial was not begun; empty if it was
};

}  // namespace

std::vector<Trial> try_gpus(Host const& host, LivenessLimits const& limits,
                            WorkerMachinery const& machinery) {
    std::vector<Trial> trials;
    std::vector<Gpu const*> due;
    for (auto const& gpu : host.gpus) {
        if (!is_among(limits.rows, gpu)) continue;
        if (auto trial = refused(host, gpu, limits)) trials.push_back(*std::move(trial));
        else due.push_back(&gpu);
    }
    auto results = Trials(limits, machinery).run(due);
    std::move(results.begin(), results.end(), std::back_inserter(trials));
    std::sort(trials.begin(), trials.end(),
              [](Trial const& a, Trial const& b) { return a.row < b.row; });
    return trials;
}

}  // namespace rocmtune
