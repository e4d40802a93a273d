// SPDX-License-Identifier: MIT
#include "measure/gpu_measurements.hpp"

#include <algorithm>
#include <set>

#include "bench/runner.hpp"
#include "machine/held_signals.hpp"
#include "measure/bench_peaks.hpp"

namespace rocmtune {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// What a level may take (2 and 15 minutes) without what comes before and after.
constexpr milliseconds medium_time{100'000};
constexpr milliseconds long_time{840'000};
/// Compiling kernels and loading a matrix library say nothing for a while.
constexpr milliseconds silence{45'000};

bool went_well(std::vector<Trial> const& trials, Gpu const& gpu) {
    return gpu.hip_index && std::any_of(trials.begin(), trials.end(), [&](Trial const& trial) {
               return trial.row == gpu.row.value_or(0) && trial.end == TrialEnd::verified;
           });
}

bool is_idle(Gpu const& gpu) {
    constexpr std::uint64_t idle_percent = 5;
    return gpu.busy_percent.value_or(0) <= idle_percent;
}

struct Plan {
    std::string_view benchmark;
    std::string_view dtype;
};
/// One type of matrix products tells whether the matrix cores work; all of them take minutes.
constexpr Plan plans[] = {{"bandwidth", "fp32"}, {"gemm", "fp16"}};

bench::Options options_for(Plan const& plan, ChipSet const& chips, Gpu const& gpu,
                           CheckLevel level) {
    bench::Options options;
    options.benchmarks = {std::string(plan.benchmark)};
    options.backend = "hip";
    options.device = *gpu.hip_index;
    options.dtype = plan.dtype;
    options.quick = level == CheckLevel::medium;
    options.seconds = options.quick ? 0.1 : 0.5;
    set_memory_bounds(chips, &gpu, options);
    options.compute_dies = compute_dies_of(&gpu);
    options.notes = doubts_of(&gpu);
    return options;
}

/// The GPUs to copy to: all others of a usual host. Of more, which are partitions, the next few
/// rows, so that every one is reached: all pairs of 64 would take hours.
std::vector<bench::OtherDevice> peers_of(std::vector<Gpu const*> const& gpus, std::size_t own) {
    constexpr std::size_t most = 7;
    std::vector<bench::OtherDevice> peers;
    for (std::size_t i = 1; i < gpus.size() && i <= most; ++i) {
        auto const& peer = *gpus[(own + i) % gpus.size()];
        peers.push_back({*peer.hip_index, peer.pci_address.value_or("")});
    }
    return peers;
}

Measurement unfinished(Plan const& plan, Gpu const& gpu, std::string reason) {
    Measurement one;
    one.benchmark = plan.benchmark;
    one.metric = "run";
    one.backend = "hip";
    one.status = std::string(unfinished_status);
    one.detail = std::move(reason);
    one.gpu = gpu.row.value_or(0);
    return one;
}

bool is_lost(std::vector<Measurement> const& all) {
    return std::any_of(all.begin(), all.end(), [](Measurement const& one) {
        return one.status == "timeout" || one.status == "lost";
    });
}

/// The run of a level: one benchmark on one GPU after the other until the time is over.
class Run {
  public:
    Run(ChipSet const& chips, CheckLevel level, milliseconds total)
        : chips_(chips), level_(level), end_(Clock::now() + total) {}

    void measure(Plan const& plan, std::vector<Gpu const*> const& gpus, std::size_t index) {
        auto const& gpu = *gpus[index];
        if (lost_.contains(*gpu.hip_index)) return;  // it would hang once more
        if (auto const reason = ending(); !reason.empty())
            return all_.push_back(unfinished(plan, gpu, "not run: " + reason));
        auto options = options_for(plan, chips_, gpu, level_);
        if (level_ == CheckLevel::long_ && plan.benchmark == "bandwidth")
            options.others = peers_of(gpus, index);
        auto const left = this->left();
        auto results = bench::run_benchmark(options, std::min(silence, left), {}, {}, left);
        if (auto const reason = ending(); !reason.empty()) excuse(results, reason);
        if (is_lost(results)) lost_.insert(*gpu.hip_index);
        for (auto& one : results) {
            one.gpu = gpu.row.value_or(0);
            all_.push_back(std::move(one));
        }
    }

    std::vector<Measurement> all() { return std::move(all_); }

  private:
    milliseconds left() const {
        return std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
    }

    /// Why no more is run; empty if it goes on.
    std::string ending() const {
        if (HeldSignals::waiting()) return "this program was asked to end";
        return left() <= milliseconds(0) ? "the time for all GPUs was over" : "";
    }

    /// What the end of the run cut off is not the GPU's fault, nor is it in its favour.
    static void excuse(std::vector<Measurement>& results, std::string const& reason) {
        for (auto& one : results)
            if (one.status == "timeout" || one.status == "error") {
                one.status = std::string(unfinished_status);
                one.detail = reason;
            }
    }

    ChipSet const& chips_;
    CheckLevel level_;
    Clock::time_point end_;
    std::set<std::uint64_t> lost_;
    std::vector<Measurement> all_;
};

}  // namespace

milliseconds measuring_time(CheckLevel level) {
    if (level == CheckLevel::quick) return milliseconds(0);
    return level == CheckLevel::medium ? medium_time : long_time;
}

std::vector<Measurement> measure_gpus(Host const& host, ChipSet const& chips,
                                      std::vector<Trial> const& trials, CheckLevel level,
                                      milliseconds total, bool force) {
    std::vector<Gpu const*> gpus;
    for (auto const& gpu : host.gpus)
        if (went_well(trials, gpu) && (force || is_idle(gpu))) gpus.push_back(&gpu);
    Run run(chips, level, total);
    for (auto const& plan : plans)
        for (std::size_t i = 0; i < gpus.size(); ++i) run.measure(plan, gpus, i);
    return run.all();
}

}  // namespace rocmtune
