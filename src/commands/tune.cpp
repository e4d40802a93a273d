// SPDX-License-Identifier: MIT
// rocmtune tune.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "base/host.hpp"
#include "base/text.hpp"
#include "commands/measured_subject.hpp"
#include "commands/observed_run.hpp"
#include "commands/tune_candidates.hpp"
#include "commands/tune_journal.hpp"
#include "judge/verify/result_check.hpp"
#include "judge/verify/search.hpp"
#include "machine/held_signals.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

std::optional<double> ratio(std::optional<double> log) {
    if (!log) return std::nullopt;
    return std::expm1(*log);
}

std::string key_of(verify::Candidate const& it) {
    return std::string(it.name == "launch" ? launch_key : it.name);
}

TunedCandidate outcome_of(verify::Tried const& tried, CandidateOrigin origin) {
    TunedCandidate it{.settings = {{key_of(tried.candidate), tried.candidate.value.value_or("")}},
                      .origin = origin,
                      .stage = tried.stage,
                      .verdict = tried.verdict,
                      .runs = tried.runs,
                      .reason = tried.reason};
    if (tried.effect.low || tried.verdict == CandidateVerdict::slower)
        it.effect = ratio(tried.effect.estimate);
    it.low = ratio(tried.effect.low);
    it.high = ratio(tried.effect.high);
    if (!tried.seen_reader.empty()) it.reader = tried.seen_reader;
    return it;
}

/// All that won, with what the fresh runs showed.
std::optional<TunedCandidate> winner_of(verify::SearchResult const& result,
                                        CandidateOrigin origin) {
    if (result.answer != TuningAnswer::winner) return std::nullopt;
    auto const& trial = *result.confirmation;
    auto const& shift = trial.judgement.shift;
    TunedCandidate winner{.origin = origin,
                          .stage = TuningStage::confirmation,
                          .verdict = CandidateVerdict::winner,
                          .effect = ratio(shift.estimate),
                          .low = ratio(shift.low),
                          .high = ratio(shift.high),
                          .runs = trial.with.size()};
    for (auto const place : result.best) {
        auto const& candidate = result.tried[place].candidate;
        winner.settings.emplace(key_of(candidate), candidate.value.value_or(""));
    }
    return winner;
}

/// All that the runs of a tuning depend on, for its journal.
std::string subject_text(TuneCommand const& options) {
    auto const& it = options.measured;
    auto const& asked = it.advice.selection;
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{} {} {} {}\n",
                       it.shell_line.value_or(shell_text(it.command)), it.benchmark.value_or(""),
                       it.metric.value_or(""), verify::text_of(options.result),
                       shell_text(it.settings), shell_text(options.launches), word_of(asked.level),
                       word_of(asked.workload), word_of(asked.framework), data_date());
}

/// Seconds; what is seen in less is no ground to choose candidates.
constexpr double shortest_watch = 2;

/// What limits the program, to choose candidates by. None of a program that ran for a moment, or
/// beside others who took what it needs.
std::vector<LimitKind> limits_in(Observation const& it) {
    std::vector<LimitKind> kinds;
    if (it.seconds < shortest_watch) return kinds;
    for (auto const& limit : it.limits) {
        if (limit.kind == LimitKind::other_users) return {};
        if (limit.kind != LimitKind::nothing_seen) kinds.push_back(limit.kind);
    }
    return kinds;
}

class Tuner {
  public:
    Tuner(TuneCommand const& options, Report& report)
        : options_(options), measured_(options.measured), report_(report) {}

    void run() {
        TuneJournal journal(subject_text(options_), options_.resumes, random_seed());
        say_what_is_known(journal);
        auto const tunables = tunables_for(journal);
        auto const runner = journal.over(runner_of(tunables.tried));
        std::vector<verify::Candidate> candidates;
        for (auto const& one : tunables.tried) candidates.push_back(one.candidate);
        auto const plan = plan_of(journal.seed());
        auto const result = verify::search(candidates, runner, plan);
        if (!result.interrupted && result.answer != TuningAnswer::not_decided) journal.end();
        note(result, tunables, journal.seed());
    }

  private:
    /// What the user names is looked at before anything runs. What may matter depends on what
    /// limits the program, when it is tuned anew.
    Tunables tunables_for(TuneJournal& journal) {
        auto const& catalogue = catalogue_for(measured_.host.data);
        std::optional<Tunables> named;
        if (names_candidates(options_)) {
            named = named_tunables(options_, catalogue);
            report_.host = host_for_bench(measured_.devices, measured_.host.data.directory);
        }
        observe_once();
        if (named) return std::move(*named);
        if (!journal.limits())
            journal.set_limits(observation_ ? limits_in(*observation_) : std::vector<LimitKind>{});
        return fitting_tunables(options_, catalogue, *journal.limits(), report_);
    }

    /// A run that counts for nothing else: watching takes a little of its time.
    void observe_once() {
        if (!measured_.measures_command()) return;
        line_.show("a run that is watched");
        auto run = observe(measured_, options_.regions);
        if (run.problem.empty()) observation_ = std::move(run.observation);
    }

    void say_what_is_known(TuneJournal const& journal) const {
        if (!options_.resumes || measured_.output.is_quiet) return;
        if (journal.known() > 0) tell(fmt::format("{} runs are known", journal.known()));
        else tell("no run of this tuning is known: it begins anew", journal.problem());
    }

    verify::Runner runner_of(std::vector<Tunable> const& tunables) {
        if (measured_.measures_command()) {
            subject_.benchmark = "command";
            return command_of(measured_, {}, subject_, verify::check_of(options_.result));
        }
        SettingGroup group{
            .benchmark = measured_.benchmark.value_or(""), .baseline = {}, .candidates = {}};
        subject_.benchmark = group.benchmark;
        for (auto const& one : tunables) group.candidates.push_back(one.candidate);
        devices_ = choose_devices(measured_.devices, *report_.host);
        return benchmark_of(measured_, group, devices_, subject_);
    }

    verify::SearchPlan plan_of(std::uint64_t seed) const {
        bool const is_time = measured_.measures_command() && !measured_.metric;
        return {.margin = measured_.margin,
                .budget_seconds = measured_.budget_seconds,
                .lower_is_better = measured_.lower_is_better.value_or(is_time),
                .direction_by_unit = !measured_.lower_is_better,
                .seed = seed,
                .progress = [this](std::string const& stage, double spent,
                                   std::optional<double> best) { show(stage, spent, best); }};
    }

    void show(std::string const& stage, double spent, std::optional<double> best) const {
        auto text = fmt::format("[{:.0f} %, {:.0f} s left] {}", 100 * std::min(spent, 1.0),
                                std::max(0.0, 1 - spent) * measured_.budget_seconds, stage);
        if (best) text += fmt::format("; the best so far {}", signed_percent(std::expm1(*best)));
        line_.show(text);
    }

    void note(verify::SearchResult const& result, Tunables const& tunables, std::uint64_t seed) {
        Tuning it{.answer = result.answer,
                  .reason = result.reason,
                  .scope = {.host = fingerprint(*report_.host), .program = subject_.name},
                  .metric = subject_.metric,
                  .unit = result.unit,
                  .better = result.lower_is_better ? "lower" : "higher",
                  .compared = measured_.measures_command() ? verify::text_of(options_.result)
                                                           : "by the benchmark itself",
                  .margin = measured_.margin,
                  .budget_seconds = measured_.budget_seconds,
                  .seconds = result.spent_seconds,
                  .runs = result.runs,
                  .failed_runs = result.failed,
                  .repeated_runs = result.repeated,
                  .uneven_runs = result.uneven,
                  .seed = seed,
                  .observation = std::move(observation_),
                  .left_out = tunables.left_out,
                  .smallest_effect_seen = result.smallest_effect};
        if (result.baseline) it.baseline = {*result.baseline, result.noise.value_or(0)};
        for (std::size_t i = 0; i < tunables.tried.size(); ++i) {
            auto one = outcome_of(result.tried[i], tunables.tried[i].origin);
            add_library(one, it.scope);
            bool const tried = one.verdict != CandidateVerdict::left_out;
            (tried ? it.candidates : it.left_out).push_back(std::move(one));
        }
        if (!result.best.empty())
            it.winner = winner_of(result, tunables.tried[result.best.front()].origin);
        report_.settings = settings_of(it, *report_.host);
        report_.tuning = std::move(it);
    }

    static void add_library(TunedCandidate const& one, TuningScope& scope) {
        if (!one.reader || !one.reader->starts_with('/')) return;
        if (std::ranges::count(scope.libraries, *one.reader) == 0)
            scope.libraries.push_back(*one.reader);
    }

    TuneCommand const& options_;
    VerifyCommand const& measured_;
    Report& report_;
    verify::Subject subject_ = {};
    std::vector<ChosenDevice> devices_ = {};
    std::optional<Observation> observation_ = {};
    ProgressLine const line_{!measured_.output.is_quiet};
};

Exit exit_of(Tuning const& it) {
    switch (it.answer) {
        case TuningAnswer::winner:
        case TuningAnswer::nothing:
        case TuningAnswer::observed: return Exit::ok;
        case TuningAnswer::failed: return Exit::findings;
        case TuningAnswer::not_decided: return Exit::undetermined;
    }
    return Exit::internal;
}

/// tune --observe: one run, and what limits it.
Exit observe_alone(TuneCommand const& options, Report& report) {
    auto run = observe(options.measured, options.regions);
    report.command = "tune";
    report.host = host_for_bench({}, options.measured.host.data.directory);
    report.tuning = Tuning{.answer = TuningAnswer::observed,
                           .scope = {.host = fingerprint(*report.host),
                                     .program = shell_text(words_of(options.measured))},
                           .seconds = run.seconds,
                           .runs = 1,
                           .observation = std::move(run.observation)};
    if (!run.problem.empty()) {
        ReportError const error{"the program did not end well: " + run.problem,
                                "what was seen until then stands", Exit::findings};
        tell(error.message, error.hint);
        report.exit_code = error.code;
        report.errors.push_back(error);
    }
    note_signal(HeldSignals::waiting(), "the run was cut short", report);
    write_report(report, options.measured.output);
    return report.exit_code;
}

}  // namespace

Exit run_tune(TuneCommand const& options) {
    if (options.measured.metric && options.measured.measures_command())
        (void)verify::MetricReader(*options.measured.metric);  // complains before anything runs
    // From here a signal ends the runs at once, and this program when the rest is printed.
    HeldSignals const signals;
    Report report;
    if (options.only_observes) return observe_alone(options, report);
    Tuner(options, report).run();
    report.command = "tune";
    report.exit_code = exit_of(*report.tuning);
    note_signal(HeldSignals::waiting(), "the answer rests on the runs before", report);
    write_report(report, options.measured.output);
    return report.exit_code;
}

}  // namespace rocmtune
