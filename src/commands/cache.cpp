// SPDX-License-Identifier: MIT
// rocmtune cache status|clear: the compiled kernels of bench.
#include <chrono>
#include <string>

#include "base/text.hpp"
#include "bench/code_cache.hpp"
#include "commands/commands.hpp"
#include "machine/reading_child.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// Empty for what is not known.
std::string text_of(std::optional<std::uint64_t> number) {
    return number ? std::to_string(*number) : std::string();
}

/// Asked by a child: the cache lies in a home, and that may be on a file server that is gone.
bench::CacheStatus cache_in_time(bool clear) {
    constexpr std::chrono::seconds patience{5};
    auto const [messages, end] = messages_of_child(
        [&](Send const& send) {
            try {
                auto const status = clear ? bench::clear_cache() : bench::cache_status();
                send(status.problem);
                send(text_of(status.entries));
                send(text_of(status.bytes));
            } catch (Error const& error) {
                send(error.what());
                send(error.hint());
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
    if (messages.size() == 2) throw Error(messages[0], messages[1]);
    return {directory, to_unsigned(messages[1], 10), to_unsigned(messages[2], 10), messages[0]};
}

}  // namespace

Exit run_cache(CacheCommand const& options) {
    auto const status = cache_in_time(options.clears);
    Report report;
    report.command = "cache";
    report.cache = CacheReport{
        .entries = status.entries, .bytes = status.bytes, .most_bytes = bench::most_cache_bytes};
    if (!status.directory.empty()) report.cache->directory = status.directory;
    if (!status.problem.empty()) report.cache->problem = status.problem;
    write_report(report, options.output);
    return Exit::ok;
}

}  // namespace rocmtune
