// SPDX-License-Identifier: MIT
// Figures on a page: tables, charts, the heat map of copies between GPUs, volume profiles.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "rocmtune/report.hpp"
#include "show/html/html.hpp"

namespace rocmtune {

/// What the script draws, by number.
using Charts = nlohmann::ordered_json;

/// Figures but those between GPUs: of one or two devices each; of more median, least and most, and
/// up to sixteen also each.
Html figures_html(Report const& report, Charts& charts);

/// Copies between GPUs: a heat map for each size.
Html peers_html(Report const& report);

/// Volume profiles of own ticks with point of control and value area.
Html profiles_html(Report const& report, Charts& charts);

}  // namespace rocmtune
