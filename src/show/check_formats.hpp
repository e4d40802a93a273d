// SPDX-License-Identifier: MIT
// The results of a check for other programs, one file each. The report must have a check summary.
#pragma once

#include <string>

#include "show/news.hpp"
#include "show/text.hpp"

namespace rocmtune {

/// JUnit XML: a test case for each result; unknown and timeout are errors, skip is skipped, info is
/// a passed case with its text, and so is warn unless --fail-on says otherwise. A run that could
/// not tell, or found no GPU, has an error of its own.
std::string check_junit(Report const& report, TextStyle const& style);

/// Text for node_exporter's textfile collector: what is not known is absent, never zero.
std::string check_prom(Report const& report, TextStyle const& style);

/// The metrics of the GPUs alone.
std::string host_prom(Host const& host);

/// A table for issues and wikis, the counts last.
std::string check_markdown(Report const& report, TextStyle const& style);

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

/// What could not be told for one reason.
struct Unknown {
    FindingGroup group;
    std::vector<std::string> ids;  ///< of the findings that say so
};

/// All that is unknown, each reason once.
std::vector<Unknown> unknowns_of(std::vector<Finding> const& findings);

/// "8 of 8 GPUs judged, 8 exercised"; without the second where no GPU was to work.
std::string gpu_counts_text(CheckSummary const& check);

/// "348 results: 1 fail, ...; 8 of 8 GPUs judged, 8 exercised (level quick)".
std::string counts_text(CheckSummary const& check);

/// The findings of a verdict that ask for something: fail, timeout and warn, the worst first.
std::vector<Finding const*> complaints_of(Report const& report);

}  // namespace rocmtune
