// SPDX-License-Identifier: MIT
// rocmtune cache status|clear: the compiled kernels of bench.
#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/code_cache.hpp"
#include "cli/commands.hpp"
#include "cli/report_output.hpp"

namespace rocmtune {

Exit run_cache(Arguments const& arguments) {
    bool const clear = arguments.positionals.front() == "clear";
    auto const status = clear ? bench::clear_cache() : bench::cache_status();
    Report report;
    report.command = "cache";
    report.cache =
        CacheReport{status.directory, status.entries, status.bytes, bench::most_cache_bytes, {}};
    if (!status.problem.empty()) report.cache->problem = status.problem;
    write_report(report, arguments);
    return Exit::ok;
}

}  // namespace rocmtune
