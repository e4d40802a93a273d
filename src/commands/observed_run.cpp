// SPDX-License-Identifier: MIT
#include "commands/observed_run.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/measured_subject.hpp"
#include "judge/limits/limits.hpp"
#include "judge/verify/line_pattern.hpp"
#include "judge/verify/runners.hpp"
#include "machine/command.hpp"
#include "measure/program_watch.hpp"

namespace rocmtune {
namespace {

struct Region {
    std::string name;
    verify::LinePattern begin;
};

std::vector<Region> regions_in(std::vector<std::string> const& texts) {
    std::vector<Region> regions;
    for (auto const& text : texts) {
        auto const parts = split_once(text, '=');
        if (!parts || parts->first.empty() || parts->second.empty())
            throw Error(fmt::format("'{}' is no region", printable(text)),
                        "regions are NAME=REGEX, for example --region load='loading model'");
        regions.push_back({std::string(parts->first),
                           verify::LinePattern("--region", std::string(parts->second))});
    }
    return regions;
}

/// Finds the lines that begin regions while the command prints them.
class RegionMarks {
  public:
    explicit RegionMarks(std::vector<Region> regions) : regions_(std::move(regions)) {}

    /// Takes what was printed so far, and when that is.
    void see(CommandOutcome const& outcome, double seconds) {
        see(outcome.output, seen_, seconds);
        see(outcome.complaints, seen_complaints_, seconds);
    }

    std::vector<RegionMark> const& all() const { return marks_; }

  private:
    void see(std::string const& text, std::size_t& seen, double seconds) {
        if (regions_.empty()) return;
        if (seen > text.size()) seen = 0;  // only the end of much output is kept
        auto const end = text.rfind('\n');
        if (end == text.npos || end < seen) return;
        for (auto const line : lines(std::string_view(text).substr(seen, end - seen)))
            for (auto const& region : regions_)
                if (region.begin.is_in(line)) marks_.push_back({seconds, region.name});
        seen = end + 1;
    }

    std::vector<Region> regions_;
    std::vector<RegionMark> marks_;
    std::size_t seen_ = 0;
    std::size_t seen_complaints_ = 0;
};

/// A watch of a program whose output is searched for regions.
class Watched {
  public:
    explicit Watched(std::vector<Region> regions) : marks_(std::move(regions)) {}

    void begin(pid_t process) { watch_.emplace(process); }
    void turn(CommandOutcome const& printed) {
        if (!watch_) return;
        watch_->take();
        marks_.see(printed, watch_->seconds());
    }
    Observation finish() {
        if (!watch_) return {};
        auto seen = watch_->finish();
        seen.regions = regions_of(seen, marks_.all());
        return seen;
    }

  private:
    RegionMarks marks_;
    std::optional<ProgramWatch> watch_ = {};
};

std::string problem_of(CommandOutcome const& outcome, CommandRequest const& request) {
    bool const is_well = outcome.end == CommandEnd::exited && outcome.code == 0;
    return is_well ? "" : end_text(outcome, request);
}

/// The server while its load runs: before and after it waits for nobody.
ObservedRun observe_server(VerifyCommand const& options, Watched& watched) {
    pid_t process = 0;
    CommandRequest const serving{.words = words_of(options),
                                 .deadline = command_time(options),
                                 .on_start = [&](pid_t started) { process = started; }};
    BackgroundCommand server(serving);
    ObservedRun run;
    run.problem =
        verify::wait_until_ready(server, serving, verify::LinePattern("--ready", *options.ready));
    if (!run.problem.empty()) return run;
    watched.begin(process);
    CommandRequest const loading{.words = shell_words(options.load_line.value_or("")),
                                 .deadline = command_time(options),
                                 .on_turn = [&] {
                                     server.turn();
                                     watched.turn(server.so_far());
                                 }};
    auto const outcome = run_command(loading);
    run.observation = watched.finish();
    run.seconds = outcome.seconds;
    run.problem = problem_of(outcome, loading);
    server.stop();
    return run;
}

ObservedRun observe_command(VerifyCommand const& options, Watched& watched) {
    CommandRequest const request{.words = words_of(options),
                                 .deadline = command_time(options),
                                 .on_start = [&](pid_t process) { watched.begin(process); }};
    BackgroundCommand command(request);
    while (!command.has_ended() && command.is_in_time()) {
        command.wait();
        command.turn();
        watched.turn(command.so_far());
    }
    command.turn();
    watched.turn(command.so_far());
    ObservedRun run{.observation = watched.finish()};
    auto const outcome = command.stop();
    run.seconds = outcome.seconds;
    run.problem = problem_of(outcome, request);
    return run;
}

}  // namespace

ObservedRun observe(VerifyCommand const& options, std::vector<std::string> const& regions) {
    Watched watched(regions_in(regions));
    return options.ready ? observe_server(options, watched) : observe_command(options, watched);
}

}  // namespace rocmtune
