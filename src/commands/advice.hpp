// SPDX-License-Identifier: MIT
// What env, run and explain share: the host, what the rules say about it, and the settings.
#pragma once

#include <string>

#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "measure/arguments.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// The options --level, --workload, --framework and --gpu.
Selection selection_of(Arguments const& arguments, Host const& host);

/// Fills Report::advice and settings for the host that is there; `elsewhere` as in Selection.
void fill_advice(Arguments const& arguments, Catalogue const& catalogue, ChipSet const& chips,
                 bool elsewhere, Report& report);

/// Reads the host and fills Report::host, advice and settings.
/// @throws Error for options, profiles and reports that are wrong.
Report advised_report(Arguments const& arguments, Catalogue const& catalogue);

/// The same host and selection for a process that does not get this environment (Selection).
Report advised_elsewhere(Report const& here, Arguments const& arguments,
                         Catalogue const& catalogue);

}  // namespace rocmtune
