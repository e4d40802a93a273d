// SPDX-License-Identifier: MIT
// What many reports say together. The report must have a fleet.
#pragma once

#include <string>

#include "show/text.hpp"

namespace rocmtune {

/// Groups, odd hosts with the evidence, facts without majority; figures if the style is verbose.
std::string fleet_text(Report const& report, TextStyle const& style);

std::string fleet_markdown(Report const& report, TextStyle const& style);

/// A page without any other file or the network.
std::string fleet_html(Report const& report, TextStyle const& style);

/// Counts by group, one series for each odd host and id.
std::string fleet_prom(Report const& report, TextStyle const& style);

/// One line for srun --exclude: node[01-03,07],other. Names that are none for Slurm are left out.
std::string fleet_slurm(Report const& report, TextStyle const& style);

}  // namespace rocmtune
