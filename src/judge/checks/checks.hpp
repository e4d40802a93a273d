// SPDX-License-Identifier: MIT
// The table of host checks, what a site expects of a host, and the device map.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/checks/check.hpp"
#include "rocmtune/error.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// All checks, sorted by id.
std::span<Check const> all_checks();

/// The check of this name or id, or null.
Check const* find_check(std::string_view word);

/// Whether a word of --only or --skip means this check: its id, its name or its theme.
bool means(std::string_view word, Check const& check);

/// What to run.
struct CheckSelection {
    CheckLevel level = CheckLevel::quick;
    std::vector<std::string> only;    ///< words of means(), or ids of advisories; empty: all
    std::vector<std::string> skip;    ///< likewise
    std::vector<std::uint64_t> rows;  ///< of GPUs; empty: all
    CheckRules rules;
    /// What came of letting the GPUs work; empty where nothing ran on them, as with a recording.
    std::vector<Trial> trials;
    std::vector<Measurement> measurements;  ///< what was measured on them at the longer levels
    /// Published builds that take the place of the embedded ones; null: none do.
    std::shared_ptr<BuildsData const> builds;
};

/// Whether the selection leaves this check.
bool is_selected(Check const& check, CheckSelection const& selection);

/// Judges a settled host by the checks that the selection leaves; every check that runs gives at
/// least one result. In the order of ids, then of rows.
std::vector<Finding> run_checks(Host const& host, ChipSet const& chips,
                                CheckSelection const& selection);

/// Fills the places in the steps of findings by the host and their subjects. A command without a
/// GPU would act on all of them.
void fill_steps(Host const& host, std::vector<Finding>& findings);

/// What the results say together; `level` is the caller's to state.
CheckSummary summary_of(Host const& host, std::vector<Finding> const& findings,
                        std::vector<std::uint64_t> const& rows);

/// The exit code that results stand for: 1 for a verdict of at least `fail_on` (fail or warn; pass:
/// never), 3 undetermined or nothing tested, 4 no GPU.
Exit exit_of(CheckSummary const& summary, Verdict fail_on);

/// A file of --expect, and --expect-gpus. Values are texts as `rocmtune probe -v` knows them;
/// numbers compare by value.
struct Expectations {
    std::optional<std::uint64_t> gpus;     ///< rows
    std::optional<std::uint64_t> modules;  ///< cards; partitions and dies share one
    std::map<std::string, std::string> host;
    std::map<std::string, std::string> each_gpu;
    CheckRules rules;
};

/// RT3901 to RT3903: each expectation with a pass, a fail or an unknown.
std::vector<Finding> judge_expectations(Host const& host, Expectations const& expected);

/// What --learn keeps of a good host: the counts, the versions and what all GPUs have in common.
Expectations learned(Host const& host);

/// Whether a host or a GPU has a fact of this name that can be expected.
bool is_host_fact(std::string_view name);
bool is_gpu_fact(std::string_view name);

/// Counters of one GPU that only a fault makes grow.
struct GpuCounters {
    std::string subject;
    std::map<std::string, std::uint64_t> counts = {};
    std::string unique_id = {};  ///< empty: not stated
    bool asleep = false;         ///< then nothing was read
};

/// What an earlier report said.
struct Baseline {
    std::string hostname;  ///< empty: not stated
    std::vector<GpuCounters> gpus;
};

std::vector<GpuCounters> counters_of(Host const& host);

/// RT3904: GPUs of the baseline that are gone, counters that have grown since or that cannot be
/// read any more. The report of another host is compared with nothing.
std::vector<Finding> judge_baseline(Host const& host, Baseline const& baseline);

/// One line of --ignore.
struct Accepted {
    std::string word;     ///< a check's id, name or theme
    std::string subject;  ///< as in findings; "*" for all
    std::string until;    ///< last day, 2026-12-31
    std::string reason;
    std::size_t line = 0;
};

/// Turns findings that the site has accepted into skip, and says with RT3905 which entries have run
/// out on `today` (2026-11-21) and, if all checks ran, which ones match nothing.
void apply_accepted(std::vector<Accepted> const& accepted, std::string const& today, bool all_ran,
                    std::vector<Finding>& findings);

/// Judges the device map of a settled host: facts that comparable sources state differently
/// (RT1001), devices that only a library reports (RT1002), several HIP runtimes in one process
/// (RT1003), a reported gfx target that is not the hardware's (RT1004), numbers that stand for two
/// GPUs or GPUs with two numbers (RT1005). Silent on a healthy host. In the order of ids, then of
/// rows.
std::vector<Finding> judge_device_map(Host const& host);

}  // namespace rocmtune
