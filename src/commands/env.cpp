// SPDX-License-Identifier: MIT
// rocmtune env.
#include <optional>

#include "commands/advice.hpp"
#include "commands/commands.hpp"
#include "commands/report_output.hpp"
#include "measure/data_files.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {

Exit run_env(Arguments const& arguments) {
    auto const catalogue = catalogue_for(arguments);
    auto here = advised_report(arguments, catalogue);
    scrub(here);
    std::optional<Report> elsewhere;  // made for the first format that asks for it
    auto const report_for = [&](Format const& format) -> Report const& {
        if (!format.elsewhere) return here;
        if (!elsewhere) elsewhere = advised_elsewhere(here, arguments, catalogue);
        return *elsewhere;
    };
    write_report(report_for, arguments);
    return here.exit_code;
}

}  // namespace rocmtune
