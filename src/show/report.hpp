// SPDX-License-Identifier: MIT
// A report with several parts, which `Report::parts` names: each form shows those that are there.
#pragma once

#include <string>

#include "show/text.hpp"

namespace rocmtune {

/// The summary of probe, then settings, results, environment and figures, each below its heading;
/// with verbosity every fact.
std::string report_text(Report const& report, TextStyle const& style);

/// The same as tables for an issue or the summary of a job.
std::string report_markdown(Report const& report, TextStyle const& style);

/// Rows without structure, one JSON object a line (rocmtune-report(1)): what a row is stands under
/// `type`, whose it is under `host`.
std::string report_ndjson(Report const& report, TextStyle const& style);

/// The metrics of check, those of the GPUs, and what was measured.
std::string report_prom(Report const& report, TextStyle const& style);

/// A page without any other file or the network.
std::string report_html(Report const& report, TextStyle const& style);

}  // namespace rocmtune
