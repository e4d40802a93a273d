// SPDX-License-Identifier: MIT
// Reports for other programs. What a format is about must be in the report.
#pragma once

#include <string>

#include "rocmtune/report.hpp"
#include "show/layout.hpp"

namespace rocmtune {

/// JUnit XML: a test case for each result; timeout is an error, skip and unknown are
/// skipped, info is a passed case with its text, and so is warn unless --fail-on says otherwise. A
/// run that could not tell, or found no GPU, has an error of its own.
std::string check_junit(Report const& report, TextStyle const& style);

/// Workflow commands of GitHub Actions: errors, warnings, notices.
std::string check_github(Report const& report, TextStyle const& style);

/// One line with performance data for Nagios and its kin, the findings below.
std::string check_nagios(Report const& report, TextStyle const& style);
/// 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.
int nagios_code(Report const& report);

/// One line of at most 80 bytes for a custom plugin of the node problem detector.
std::string check_npd(Report const& report, TextStyle const& style);
/// 0 OK, 1 NonOK, 2 Unknown.
int npd_code(Report const& report);

/// Text for node_exporter's textfile collector: what is not known is absent, never zero. Of a
/// check; of a report, the metrics of check, those of the GPUs, and what was measured; of a fleet,
/// counts by group, one series for each odd host and id.
std::string check_prom(Report const& report, TextStyle const& style);
std::string report_prom(Report const& report, TextStyle const& style);
std::string fleet_prom(Report const& report, TextStyle const& style);

/// Rows without structure, one JSON object a line (rocmtune-report(1)): what a row is stands under
/// `type`, whose it is under `host`.
std::string report_ndjson(Report const& report, TextStyle const& style);

/// One line for srun --exclude: node[01-03,07],other. Names that are none for Slurm are left out.
std::string fleet_slurm(Report const& report, TextStyle const& style);

/// An annotation of GitHub Actions: a line that the runner turns into one. The texts may hold
/// anything; what would end the command early is escaped.
struct WorkflowCommand {
    Verdict verdict = Verdict::info;  ///< fail and timeout are errors, warn is a warning
    std::string title = {};
    std::string text = {};
    std::string step = {};  ///< what to do; may be empty
    std::string file = {};  ///< empty: the annotation is about no file
    std::size_t line = 0;   ///< of the file
    std::size_t column = 0;
};

/// "::error file=F,line=1,col=2,title=T::TEXT" with its line end.
std::string workflow_line(WorkflowCommand const& command);

}  // namespace rocmtune
