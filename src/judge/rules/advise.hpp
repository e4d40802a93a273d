// SPDX-License-Identifier: MIT
// The rules engine: recommendations of the profiles, judged against one host.
#pragma once

#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/recommendation.hpp"

namespace rocmtune {

/// What the profiles recommend for the selected GPUs of this host. A rule whose facts are missing
/// gives an Undecided; a value equal to its component's own default gives nothing at its level but
/// an Undecided "component-default". A rule about GPUs whose setting is of the whole process must
/// hold on every selected GPU; any other is for those on which it holds.
Advice advise(Host const& host, ChipSet const& chips, Catalogue const& catalogue,
              Selection const& selection);

/// Whether every rule could be judged: only then is no recommendation an answer.
bool is_decided(Advice const& advice);

}  // namespace rocmtune
