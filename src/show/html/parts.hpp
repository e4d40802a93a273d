// SPDX-License-Identifier: MIT
// What only pages have: drawings, charts, maps, every fact.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rocmtune/report.hpp"
#include "show/printer.hpp"

namespace rocmtune {

/// What the script of a page draws.
using Charts = nlohmann::ordered_json;

/// Whether Debian's Chart.js was there when this program was built; without it the tables carry
/// what the charts would show.
bool has_charts();

/// A drawing of NUMA nodes with their GPUs, each with its PCIe link, and XGMI between them; and the
/// links as a table where there are few GPUs. Nothing without GPUs.
void show_topology(Host const& host, Printer& out);

/// Figures but those between GPUs: of one or two devices each; of more median, least and most, and
/// up to sixteen also each.
void show_figures(Report const& report, Printer& out);

/// Copies between GPUs: a heat map for each size.
void show_peers(Report const& report, Printer& out);

/// Volume profiles of own ticks with point of control and value area.
void show_profiles(Report const& report, Printer& out);

/// Facts of the host, and those of GPUs with the GPUs that have each value: what is equal
/// everywhere is one line. Folded away until somebody asks.
void show_facts(Report const& report, Printer& out);

}  // namespace rocmtune
