// SPDX-License-Identifier: MIT
// rocmtune fleet.
#include "judge/fleet/fleet.hpp"

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "measure/output.hpp"
#include "settings/report_inputs.hpp"

namespace rocmtune {
namespace {

/// Complaints beyond these are counted only: a directory of other files would make a million.
constexpr std::size_t most_errors = 100;

/// Reads on several threads and counts in the order of the inputs, so that the same inputs give the
/// same bytes. No thread gets ahead: as many reports are held as there are threads.
class FleetRun {
  public:
    explicit FleetRun(std::vector<std::string> const& paths) : inputs_(paths) {}

    void run() {
        // More would wait for the one that counts.
        constexpr unsigned most_threads = 8;
        auto const threads = std::clamp(std::thread::hardware_concurrency(), 1U, most_threads);
        std::vector<std::future<void>> others;
        for (unsigned i = 1; i < threads; ++i)
            others.push_back(std::async(std::launch::async, [this] { work(); }));
        work();
        for (auto& other : others) other.get();
    }

    Report report(Verdict least) {
        Report report;
        report.command = "fleet";
        report.fleet = fleet_.view();
        report.fleet->skipped = skipped_;
        report.fleet->duplicates = duplicates_;
        report.fleet->fail_on = least;
        report.findings = judge_fleet(*report.fleet);
        report.errors = std::move(errors_);
        if (auto const all = skipped_ + duplicates_; all > most_errors)
            report.errors.push_back(
                {fmt::format("and {} more reports that do not count", all - most_errors), ""});
        return report;
    }

  private:
    struct Task {
        std::uint64_t number = 0;
        ReportText text = {};
    };

    std::optional<Task> next() {
        std::lock_guard const lock(input_mutex_);
        auto text = inputs_.next();
        if (!text) return std::nullopt;
        return Task{next_++, std::move(*text)};
    }

    /// The report, or the problem. Nothing may leave here: the others wait for this one's turn.
    static std::optional<ReadReport> read(ReportText const& text, std::string& problem) {
        if (!text.problem.empty()) {
            problem = fmt::format("cannot read {}: {}", printable(text.name), text.problem);
            return std::nullopt;
        }
        try {
            return read_report(text.text, text.name, fleet_parts);
        } catch (std::exception const& error) {
            problem = error.what();
            return std::nullopt;
        }
    }

    void work() {
        while (auto const task = next()) {
            std::string problem;
            auto const report = read(task->text, problem);
            std::unique_lock lock(count_mutex_);
            turn_.wait(lock, [&] { return counted_ == task->number; });
            count(report, task->text.name, std::move(problem));
            ++counted_;
            turn_.notify_all();
        }
    }

    void count(std::optional<ReadReport> const& report, std::string const& name,
               std::string problem) {
        if (report && !report->has_host) problem = printable(name) + ": it describes no host";
        if (report && report->is_partial) problem = printable(name) + std::string(why_partial);
        if (!problem.empty()) {
            ++skipped_;
            return complain(std::move(problem));
        }
        if (fleet_.add(*report)) return;
        ++duplicates_;
        complain(fmt::format("{}: a report of this host ({}) was counted before", printable(name),
                             printable(report->host.text("hostname"))));
    }

    void complain(std::string message) {
        if (errors_.size() < most_errors) errors_.push_back({std::move(message), ""});
    }

    ReportInputs inputs_;
    std::mutex input_mutex_;
    std::uint64_t next_ = 0;
    std::mutex count_mutex_;
    std::condition_variable turn_;
    std::uint64_t counted_ = 0;
    Fleet fleet_;
    std::uint64_t skipped_ = 0;
    std::uint64_t duplicates_ = 0;
    std::vector<ReportError> errors_;
};

/// A list that lacks a host without a word would send jobs there.
void note_unlistable(Report& report) {
    for (auto const& host : report.fleet->odd_hosts)
        if (is_excluded(*report.fleet, host) && !is_node_name(host.host))
            report.errors.push_back(
                {fmt::format("'{}' is no name of a Slurm node and not in the list",
                             printable(host.host)),
                 ""});
}

/// What was counted goes before the document is made.
Report counted_report(FleetCommand const& options) {
    FleetRun run(options.inputs);
    run.run();
    return run.report(options.fail_on);
}

}  // namespace

Exit run_fleet(FleetCommand const& options) {
    give_up_rights(options.output, options.inputs);
    auto report = counted_report(options);
    if (options.output.format->name == "slurm") note_unlistable(report);
    for (auto const& error : report.errors) tell(error.message);
    if (report.fleet->reports == 0)
        throw Error(report.errors.empty() ? "there are no reports"
                                          : "none of the inputs is a report that counts",
                    "write them with rocmtune probe --format ndjson or rocmtune check --format "
                    "ndjson, one a host");
    if (!report.errors.empty()) report.exit_code = Exit::usage;
    else if (fails(report.findings, options.fail_on)) report.exit_code = Exit::findings;
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
