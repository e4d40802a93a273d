// SPDX-License-Identifier: MIT
// A report of one host read back as a whole, so that it can be shown in another form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// Host, recommendations, settings, findings, measurements and summaries of one JSON document.
/// A fact that it does not have is missing as not-recorded. `name` is used in messages and stands
/// in Report::inputs; Report::command is the command that wrote it.
/// @throws Error like read_report, and with a JSON pointer for a value of the wrong kind.
Report read_whole_report(std::string_view text, std::string const& name);

/// Several reports of one host as one: the first that has a host, recommendations or settings gives
/// them; of results about the same thing those of the first report that has some stand; all
/// measurements count. `parts` says what came together.
/// @throws Error if they are of different hosts, or if none has anything to show.
Report joined(std::vector<Report> reports);

}  // namespace rocmtune
