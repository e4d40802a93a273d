// SPDX-License-Identifier: MIT
// rocmtune explain.
#include "rules/explain.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/data_files.hpp"
#include "cli/explain_finding.hpp"
#include "cli/report_output.hpp"

namespace rocmtune {
namespace {

[[noreturn]] void nothing_known(std::string const& name, Catalogue const& catalogue) {
    auto const near = near_names(name, catalogue);
    throw Error(fmt::format("no text that rocmtune knows speaks of '{}'", printable(name)),
                near.empty() ? "nothing that was read up to " + std::string(catalogue.date()) +
                                   " reads this name"
                             : fmt::format("names like it: {}", fmt::join(near, ", ")));
}

/// A finding is explained without advice: it is no setting.
Exit explain_id(std::string const& name, Arguments const& arguments) {
    Report report;
    report.command = "explain";
    auto explanation = explain_finding(name, arguments);
    if (!explanation)
        throw Error(fmt::format("there is no finding {}", printable(name)),
                    fmt::format("ids like it: {}", fmt::join(near_findings(name), ", ")));
    report.explanations.push_back(std::move(*explanation));
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace

Exit run_explain(Arguments const& arguments) {
    auto const& name = arguments.positionals.front();
    if (is_finding_id(name)) return explain_id(name, arguments);
    auto const catalogue = catalogue_for(arguments);
    auto report = advised_report(arguments, catalogue);
    auto explanation = explain(name, catalogue, *report.host, *report.advice);
    if (!explanation) nothing_known(name, catalogue);
    report.explanations.push_back(std::move(*explanation));
    // One name was asked about, not everything that goes with it.
    report.host.reset();
    report.advice.reset();
    report.settings.reset();
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
