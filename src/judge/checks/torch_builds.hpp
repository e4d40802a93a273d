// SPDX-License-Identifier: MIT
// Which build of PyTorch fits the GPUs of a host: its wheel has code for them, and rests on a
// release of ROCm that lists them.
#pragma once

#include <string>
#include <vector>

#include "knowledge/chips.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

struct TorchAdvice {
    std::string command;  ///< installs the build that fits; empty if none is known
    std::vector<Evidence> evidence;
};

/// The newest build with code for all these gfx targets, of those whose ROCm lists them all; where
/// AMD lists a target for none, of all that have code for it. Drivers are not compared: a wheel
/// brings its own ROCm, and no table states which numbers of drivers each release runs with.
TorchAdvice torch_for(ChipSet const& chips, std::vector<std::string> const& targets);

/// The first ROCm release of AMD's main list that supports a target, if `release` is older than
/// that and no wheel of it, or of one before it, has code for the target; else empty. Lists of
/// previews and of Ryzen say nothing here.
std::string first_release_after(ChipSet const& chips, std::string const& target,
                                std::string_view release);

}  // namespace rocmtune
