// SPDX-License-Identifier: MIT
// rocmtune env.
#include "commands/commands.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {

Exit run_env(EnvCommand const& options) {
    give_up_rights(options.output, options.host);
    auto const catalogue = catalogue_for(options.host.data);
    auto const chips = chips_for(options.host.data, catalogue);
    auto const measured = measured_before(options.host, options.advice);
    auto here = advised_report(options.host, options.advice, measured, catalogue, chips);
    here.command = "env";
    scrub(here);
    std::optional<Report> elsewhere;  // made for the first format that asks for it
    auto const report_for = [&](Format const& format) -> Report const& {
        if (!format.elsewhere) return here;
        if (!elsewhere) {
            elsewhere = here;
            fill_advice(options.host, options.advice, measured, catalogue, chips, true, *elsewhere);
        }
        return *elsewhere;
    };
    write_report(report_for, options.output);
    return here.exit_code;
}

}  // namespace rocmtune
