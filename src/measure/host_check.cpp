// SPDX-License-Identifier: MIT
#include "measure/host_check.hpp"

#include <algorithm>

#include "judge/checks/checks.hpp"
#include "measure/gpu_measurements.hpp"
#include "measure/host_input.hpp"
#include "measure/liveness.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// The level quick ends within ten seconds whatever hangs. Half a second is for judging and
/// printing; reading leaves enough for GPUs to be tried, even if libraries use all of theirs.
constexpr milliseconds quick_time{9500};
constexpr milliseconds quick_reading_time{6000};

/// Whether that holds: a GPU that is to be woken may need all of it for its first answer.
bool is_quick(Arguments const& arguments, CheckLevel level) {
    return level == CheckLevel::quick && !arguments.has("--wake");
}

/// How long the command may take as a whole, if it is bounded.
std::optional<milliseconds> whole_time(Arguments const& arguments, CheckLevel level) {
    if (auto const time = arguments.seconds("--timeout")) return time;
    return is_quick(arguments, level) ? std::optional(quick_time) : std::nullopt;
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
void let_work(Arguments const& arguments, Host const& host, ChipSet const& chips,
              Clock::time_point start, CheckSelection& selection) {
    if (!is_live(arguments) || !wants_work(selection)) return;
    LivenessLimits limits;
    limits.force = arguments.has("--force");
    limits.wake = arguments.has("--wake");
    limits.rows = selection.rows;
    auto const whole = whole_time(arguments, selection.level);
    limits.total = time_for(whole, start, limits.total);
    selection.trials = try_gpus(host, limits);
    if (selection.level == CheckLevel::quick) return;
    auto const time = time_for(whole, start, measuring_time(selection.level));
    selection.measurements =
        measure_gpus(host, chips, selection.trials, selection.level, time, limits.force);
}

}  // namespace

bool is_live(Arguments const& arguments) {
    return reads_this_host(arguments) && arguments.value("--sources") != "sysfs";
}

std::optional<milliseconds> reading_time_of_check(Arguments const& arguments, CheckLevel level) {
    return is_quick(arguments, level) ? std::optional(quick_reading_time) : std::nullopt;
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
    findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
}

std::vector<Finding> check_host(Arguments const& arguments, Host const& host, ChipSet const& chips,
                                Clock::time_point start, CheckSelection selection) {
    let_work(arguments, host, chips, start, selection);
    // The device map is judged with every whole run; it has no check of its own to choose.
    auto findings = selection.only.empty() ? judge_device_map(host) : std::vector<Finding>();
    append(findings, run_checks(host, chips, selection));
    return findings;
}

}  // namespace rocmtune
