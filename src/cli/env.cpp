// SPDX-License-Identifier: MIT
// rocmtune env.
#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/data_files.hpp"
#include "cli/report_output.hpp"

namespace rocmtune {

Exit run_env(Arguments const& arguments) {
    auto const catalogue = catalogue_for(arguments);
    auto const report = advised_report(arguments, catalogue);
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
