// SPDX-License-Identifier: MIT
// rocmtune cache status|clear: the compiled kernels of bench.
#include <chrono>
#include <string>

#include "base/text.hpp"
#include "bench/code_cache.hpp"
#include "cli/commands.hpp"
#include "cli/report_output.hpp"
#include "rocmtune/error.hpp"
#include "system/reading_child.hpp"

namespace rocmtune {
namespace {

/// Asked by a child: the cache lies in a home, and that may be on a file server that is gone.
bench::CacheStatus cache_in_time(bool clear) {
    constexpr std::chrono::seconds patience{5};
    auto const [messages, end] = messages_of_child(
        [&](Send const& send) {
            try {
                auto const status = clear ? bench::clear_cache() : bench::cache_status();
                send(status.problem);
                send(std::to_string(status.entries));
                send(std::to_string(status.bytes));
            } catch (Error const& error) {
                send(error.what());
            }
        },
        patience);
    auto const directory = bench::cache_directory();
    if (end == ChildEnd::broken)
        throw Error("the process that looked at " + printable(directory) + " ended early",
                    std::string(hint_of_broken_child), Exit::undetermined);
    if (end == ChildEnd::late)
        throw Error(printable(directory) + " did not answer in time",
                    "ROCMTUNE_CACHE names another directory", Exit::undetermined);
    if (messages.size() == 1) throw Error(messages.front());
    return {directory, std::stoull(messages[1]), std::stoull(messages[2]), messages[0]};
}

}  // namespace

Exit run_cache(Arguments const& arguments) {
    bool const clear = arguments.positionals.front() == "clear";
    auto const status = cache_in_time(clear);
    Report report;
    report.command = "cache";
    report.cache =
        CacheReport{status.directory, status.entries, status.bytes, bench::most_cache_bytes, {}};
    if (!status.problem.empty()) report.cache->problem = status.problem;
    write_report(report, arguments);
    return Exit::ok;
}

}  // namespace rocmtune
