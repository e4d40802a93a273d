// SPDX-License-Identifier: MIT
// The experiment: baseline and candidates in fresh processes, in blocks of four whose order a coin
// chooses, until the planned number of blocks is full or the time is over. And who can have read a
// variable in a process: its readers by the catalogue, and the files that the process had mapped.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/verify/statistics.hpp"
#include "knowledge/catalogue.hpp"
#include "machine/environment_change.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune::verify {

/// Something that reads a variable.
struct Reader {
    std::string title;    ///< "OpenBLAS"
    std::string package;  ///< "libopenblas", or a Python package; empty: it cannot be seen
};

/// The readers of a variable by the catalogue; those that no longer read it are none.
std::vector<Reader> readers_of(std::string_view name, Catalogue const& catalogue);

/// Whether a mapped file belongs to a package: libopenblas to .../libopenblasp-r0.3.21.so, torch to
/// .../site-packages/torch/lib/libc10.so.
bool belongs_to(std::string_view file, std::string_view package);

/// The first mapped file that belongs to a reader; empty if there is none.
std::string seen_reader(std::vector<Reader> const& readers, std::set<std::string> const& mapped);

/// Runs that are compared may differ by so much in what others use; share of the processors.
inline constexpr double most_load_apart = 0.2;
/// A machine that was suspended for longer has lost what caches and clocks had; seconds.
inline constexpr double most_slept = 0.1;

/// State of the host around one run, as far as it is known.
struct Conditions {
    std::optional<double> clock_mhz = {};
    std::optional<double> temperature_celsius = {};
    std::optional<double> others_load = {};  ///< share of the processors that others used
    double slept_seconds = 0;                ///< the machine was suspended
};

/// One run in a process of its own.
struct Run {
    bool ok = false;
    bool interrupted = false;
    bool unsupported = false;  ///< nothing failed: what was to run does not exist here
    bool wrong = false;        ///< it ended well with another result than the baseline
    double value = 0;          ///< of the metric
    std::string unit = {};
    std::string problem = {};  ///< why it is not ok
    double seconds = 0;        ///< what it took
    Conditions conditions = {};
    std::set<std::string> mapped = {};  ///< files, if it was watched
};

/// Runs with a setting that must fail in a row before it is to blame, while no run of the baseline
/// has ever failed.
inline constexpr std::size_t failures_that_tell = 3;

/// Starts one run with the changes of the environment. `watch`: its mapped files are wanted.
using Runner = std::function<Run(std::span<EnvironmentChange const> changes, bool watch)>;

/// One setting, or all of them together.
struct Candidate {
    std::string name;
    std::optional<std::string> value = {};
    std::vector<EnvironmentChange> changes = {};
    std::vector<Reader> readers = {};
    bool assume_read = false;
    bool own = false;       ///< the benchmark itself does it, and needs no reader to be seen
    bool together = false;  ///< of the candidates before it; left out if fewer than two can be seen
};

struct ExperimentPlan {
    double margin = 0.02;
    double budget_seconds = 120;  ///< the sum of what runs take
    bool lower_is_better = false;
    std::optional<bool> direction_by_unit = {};
    std::uint64_t seed = 0;
    bool self_test = false;  ///< the candidates change nothing and need no reader to be seen
    std::optional<std::size_t> blocks = {};  ///< wanted; absent: as noise and margin ask
    std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// What was seen of one candidate.
struct Trial {
    Candidate candidate;
    Judgement judgement = {};
    std::string seen_reader = {};       ///< the file that shows that its reader ran, or "asserted"
    std::vector<double> baseline = {};  ///< values of the runs in complete blocks, in their order
    std::vector<double> with = {};
    std::string orders = {};      ///< "ABBA BAAB ..."
    std::size_t runs_failed = 0;  ///< of the candidate
    std::size_t repeated = 0;     ///< blocks that were repeated because of their conditions
    std::size_t uneven = 0;       ///< blocks that stayed uneven when no more could be repeated
    std::vector<double> differences = {};  ///< log of better, one a block
    bool closed = false;                   ///< decided without blocks
};

struct ExperimentResult {
    std::vector<Trial> trials;
    std::string unit;
    bool lower_is_better = false;
    std::size_t blocks = 0;  ///< planned for each candidate
    std::string failure;     ///< why the baseline could not be measured; else empty
    std::size_t baseline_failed = 0;
    std::size_t candidates_failed = 0;
    bool interrupted = false;
    double seconds_per_block = 0;
};

ExperimentResult run_experiment(std::vector<Candidate> const& candidates, Runner const& run,
                                ExperimentPlan const& plan);

}  // namespace rocmtune::verify
