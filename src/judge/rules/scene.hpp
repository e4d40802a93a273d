// SPDX-License-Identifier: MIT
// Which GPUs advice is for, and which profiles speak about them.
#pragma once

#include <vector>

#include "judge/rules/condition.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {

/// The GPUs that a process here can use, whatever masks are set, in the order of their rows; where
/// no process can (permissions), those that the driver runs. Pointers into `host`.
std::vector<Gpu const*> usable_gpus(Host const& host);

/// The GPUs of the selection. Without rows: the usable ones.
Scene make_scene(Host const& host, Selection const& selection);

/// The profiles of a GPU: its chip, or the family that stands in for it, or nothing.
struct GpuProfile {
    Gpu const* gpu = nullptr;
    Chip const* chip = nullptr;
    bool stands_in = false;  ///< chip is a family, because the target has no profile of its own
};
std::vector<GpuProfile> profiles_of(Scene const& scene, ChipSet const& chips);

/// Whether a rule's profile speaks about a GPU; unknown if its target is.
Decision covers(Rule const& rule, GpuProfile const& profile);

/// How special the rule's profile is: 0 for the root, more for a family, most for a chip.
std::size_t rank_of(Rule const& rule, std::vector<GpuProfile> const& profiles);

}  // namespace rocmtune
