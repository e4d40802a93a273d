// SPDX-License-Identifier: MIT
#include "measure/check_host.hpp"

#include <algorithm>
#include <set>

#include "bench/gemm.hpp"
#include "bench/runner.hpp"
#include "judge/checks/checks.hpp"
#include "machine/held_signals.hpp"
#include "measure/bench_peaks.hpp"
#include "measure/liveness.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// ---- the short benchmarks of the longer levels --------------------------------------------------

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

struct ShortBenchmark {
    std::string_view benchmark;
    std::string_view dtype;
};
/// One type of matrix products tells whether the matrix cores work; all of them take minutes.
constexpr ShortBenchmark plans[] = {{"bandwidth", "fp32"}, {"gemm", "fp16"}};

bench::Options options_for(ShortBenchmark const& plan, ChipSet const& chips, Gpu const& gpu,
                           CheckLevel level) {
    bench::Options options;
    options.benchmarks = {std::string(plan.benchmark)};
    options.backend = "hip";
    options.device = *gpu.hip_index;
    options.dtype = plan.dtype;
    options.quick = level == CheckLevel::medium;
    options.seconds = options.quick ? 0.1 : 0.5;
    set_memory_bounds(chips, &gpu, options);
    options.matrix_units = bench::matrix_units_of(
        chips, gpu.gfx_target_reported.value_or(gpu.gfx_target.value_or("")));
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

Measurement unfinished(ShortBenchmark const& plan, Gpu const& gpu, std::string reason) {
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
class LevelRun {
  public:
    LevelRun(ChipSet const& chips, CheckLevel level, milliseconds total)
        : chips_(chips), level_(level), end_(Clock::now() + total) {}

    void measure(ShortBenchmark const& plan, std::vector<Gpu const*> const& gpus,
                 std::size_t index) {
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

/// How long a level may measure, all GPUs together.
milliseconds measuring_time(CheckLevel level) {
    if (level == CheckLevel::quick) return milliseconds(0);
    return level == CheckLevel::medium ? medium_time : long_time;
}

/// Measures, one after the other, the GPUs whose trial went well and, unless `force`, that nobody
/// else keeps busy: where processes of others cannot be seen, their load can. Ends within `total`,
/// plus what ending the last worker takes, and as soon as a signal asks for it (HeldSignals); what
/// that leaves has the status `unfinished_status`. The long level copies between all pairs, too.
std::vector<Measurement> measure_gpus(Host const& host, ChipSet const& chips,
                                      std::vector<Trial> const& trials, CheckLevel level,
                                      milliseconds total, bool force) {
    std::vector<Gpu const*> gpus;
    for (auto const& gpu : host.gpus)
        if (went_well(trials, gpu) && (force || is_idle(gpu))) gpus.push_back(&gpu);
    LevelRun run(chips, level, total);
    for (auto const& plan : plans)
        for (std::size_t i = 0; i < gpus.size(); ++i) run.measure(plan, gpus, i);
    return run.all();
}

// ---- the whole ----------------------------------------------------------------------------------

/// The level quick ends within ten seconds whatever hangs. Half a second is for judging and
/// printing; reading leaves enough for GPUs to be tried, even if libraries use all of theirs.
constexpr milliseconds quick_time{9500};
constexpr milliseconds quick_reading_time{6000};

/// Whether that holds: a GPU that is to be woken may need all of it for its first answer.
bool is_quick(HostChoice const& choice, CheckLevel level) {
    return level == CheckLevel::quick && !choice.wake;
}

/// How long the command may take as a whole, if it is bounded.
std::optional<milliseconds> whole_time(HostChoice const& choice, CheckLevel level) {
    if (choice.data.patience) return choice.data.patience;
    return is_quick(choice, level) ? std::optional(quick_time) : std::nullopt;
}

/// What the whole leaves for a step; without a bound the usual time.
milliseconds time_for(std::optional<milliseconds> whole, Clock::time_point start,
                      milliseconds usual) {
    if (!whole) return usual;
    auto const used = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    return std::max(*whole - used, milliseconds(0));
}

/// Whether a check of this run is answered by letting GPUs work; all such ids begin alike.
bool wants_work(CheckSelection const& selection) {
    return std::any_of(all_checks().begin(), all_checks().end(), [&](Check const& check) {
        return check.id.starts_with("RT38") && is_selected(check, selection);
    });
}

/// Lets the GPUs work as the level says. Only what passed the trial is measured.
void let_work(HostChoice const& choice, Host const& host, ChipSet const& chips,
              Clock::time_point start, bool force, CheckSelection& selection) {
    if (!choice.is_live() || !wants_work(selection)) return;
    LivenessLimits limits;
    limits.force = force;
    limits.wake = choice.wake;
    limits.rows = selection.rows;
    auto const whole = whole_time(choice, selection.level);
    limits.total = time_for(whole, start, limits.total);
    selection.trials = try_gpus(host, limits);
    if (selection.level == CheckLevel::quick) return;
    auto const time = time_for(whole, start, measuring_time(selection.level));
    selection.measurements =
        measure_gpus(host, chips, selection.trials, selection.level, time, force);
}

}  // namespace

HostNeeds needs_of_check(HostChoice const& choice, CheckLevel level) {
    HostNeeds needs{.log = KernelLog::ring_and_journal};
    if (is_quick(choice, level)) needs.usual = quick_reading_time;
    return needs;
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
    std::ranges::move(more, std::back_inserter(findings));
}

std::vector<Finding> check_host(HostChoice const& choice, Host const& host, ChipSet const& chips,
                                Clock::time_point start, CheckSelection selection, bool force) {
    selection.builds = own_builds_for(choice.data);
    let_work(choice, host, chips, start, force, selection);
    // The device map is judged with every whole run; it has no check of its own to choose.
    auto findings = selection.only.empty() ? judge_device_map(host) : std::vector<Finding>();
    append(findings, run_checks(host, chips, selection));
    return findings;
}

Exit summarise(CheckSelection const& selection, Verdict fail_on, Report& report) {
    report.check = summary_of(*report.host, report.findings, selection.rows);
    report.check->level = check_level_words[static_cast<std::size_t>(selection.level)];
    report.check->fail_on = fail_on;
    return exit_of(*report.check, fail_on);
}

}  // namespace rocmtune
