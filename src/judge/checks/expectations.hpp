// SPDX-License-Identifier: MIT
// What a site expects of a host, what an earlier report said of it, and what the site has accepted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "judge/checks/check.hpp"

namespace rocmtune {

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

}  // namespace rocmtune
