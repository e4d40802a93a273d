// SPDX-License-Identifier: MIT
// A report in the asked formats to the asked places.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/arguments.hpp"
#include "rocmtune/report.hpp"
#include "show/formats.hpp"

namespace rocmtune {

/// The format of --format and --json; text if neither is given.
std::string format_name(Arguments const& arguments);

/// The report, scrubbed already, in one format, which the command has (check_outputs, or the
/// parsing of --format).
std::string render_report(Report const& report, std::string_view format,
                          Arguments const& arguments);

/// Takes the secrets out of the report, and writes it to standard output or --output, and to every
/// FORMAT:FILE of --also.
void write_report(Report& report, Arguments const& arguments);

/// The same where formats show different reports, which are scrubbed already and outlive the call.
using ReportFor = std::function<Report const&(Format const&)>;
void write_report(ReportFor const& report_for, Arguments const& arguments);

/// The files that the options of this command name to be written, as they are named.
std::vector<std::string> files_written_by(Arguments const& arguments);

/// Checks --also before any work is done. @throws Error for what is no FORMAT:FILE.
void check_outputs(Arguments const& arguments);

/// A document that the arguments ask for.
struct WantedDocument {
    std::string format;
    std::string file;  ///< empty: standard output
    TextStyle style;
};

/// Those of --also and then the report itself, which --quiet keeps from standard output.
std::vector<WantedDocument> wanted_documents(Arguments const& arguments);

}  // namespace rocmtune
