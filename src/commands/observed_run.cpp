// SPDX-License-Identifier: MIT
#include "commands/observed_run.hpp"

#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/measured_subject.hpp"
#include "judge/limits/limits.hpp"
#include "judge/verify/line_pattern.hpp"
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

}  // namespace

ObservedRun observe(VerifyCommand const& options, std::vector<std::string> const& regions) {
    RegionMarks marks(regions_in(regions));
    std::optional<ProgramWatch> watch;
    CommandRequest request{.words = words_of(options), .deadline = command_time(options)};
    request.on_start = [&](pid_t process) { watch.emplace(process); };
    request.on_turn = [&] { watch->take(); };
    BackgroundCommand command(request);
    while (!command.has_ended() && command.is_in_time()) {
        command.turn();
        if (watch) marks.see(command.so_far(), watch->seconds());
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    command.turn();
    ObservedRun run;
    if (watch) {
        marks.see(command.so_far(), watch->seconds());
        run.observation = watch->finish();
        run.observation.regions = regions_of(run.observation, marks.all());
    }
    auto const outcome = command.stop();
    run.seconds = outcome.seconds;
    if (outcome.end != CommandEnd::exited || outcome.code != 0)
        run.problem = end_text(outcome, request);
    return run;
}

}  // namespace rocmtune
