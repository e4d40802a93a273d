// SPDX-License-Identifier: MIT
// What limits a program, from what was seen of it. Pure: figures go in, words come out.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "judge/limits/sample.hpp"
#include "rocmtune/observation.hpp"

namespace rocmtune {

/// The figures of all samples, what limits the program, phases and the points of a chart.
/// @param processes  how many were seen in all; 0: not known
Observation observation_of(std::span<WatchSample const> samples, std::size_t processes = 0);

/// What limits it in one while, by its figures alone.
LimitKind limit_of(WatchSample const& window);

/// A line that the program printed and that begins a region, in the order of time.
struct RegionMark {
    double seconds = 0;  ///< from the start of the watch
    std::string name = {};
};

/// The time from each mark to the next one, or to the end, belongs to the region of its name.
std::vector<ObservedRegion> regions_of(Observation const& observation,
                                       std::span<RegionMark const> marks);

// ---- parts -------------------------------------------------------------------------------------

/// A while that is judged as one, a few tenths of a second or more.
struct JudgedWindow {
    WatchSample seen;
    LimitKind limit = LimitKind::nothing_seen;
};

/// At most 60 of them.
std::vector<JudgedWindow> judged_windows(std::span<WatchSample const> samples);

/// Fills all figures; `all` is the samples joined.
void fill_figures(Observation& observation, std::span<WatchSample const> samples,
                  WatchSample const& all);

/// Whether others keep the program from the processors: they use them while its threads wait.
bool others_hold_processors(WatchSample const& window);
/// Whether the memory of a GPU that the program holds is nearly full.
bool gpu_memory_is_full(WatchSample const& window);
/// The GPU that a limit is about; null if the program holds none.
GpuSample const* gpu_of_limit(LimitKind kind, WatchSample const& window);
/// Whether the host hands out pages of other NUMA nodes than wanted.
bool pages_come_from_afar(WatchSample const& window);

/// What was seen in the time of a limit, and what speaks against it.
std::string says_of(LimitKind kind, WatchSample const& seen);
std::string doubt_of(LimitKind kind, WatchSample const& seen);
/// What could not be seen, and would have told; empty if all was.
std::string unseen_of(WatchSample const& seen);

}  // namespace rocmtune
