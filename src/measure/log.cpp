// SPDX-License-Identifier: MIT
#include "measure/log.hpp"

#include <cstdlib>

#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view operations[] = {"read",   "list", "link", "resolve",
                                           "status", "open", "call"};

std::string outcome(Reply const& reply) {
    if (reply.ok) return fmt::format("{} bytes", reply.text.size());
    auto const reason = missing_name(reply.reason);
    return reply.error != 0 ? fmt::format("{} ({})", reason, errno_name(reply.error))
                            : std::string(reason);
}

}  // namespace

void log_queries(QueryLog const& log) {
    char const* const wanted = std::getenv("ROCMTUNE_LOG");
    if (wanted == nullptr || *wanted == '\0') return;
    spdlog::logger logger("rocmtune", std::make_shared<spdlog::sinks::ansicolor_stderr_sink_st>());
    logger.set_pattern("%n: %v");
    logger.set_level(spdlog::level::from_str(wanted));
    constexpr std::size_t short_reply = 80;
    for (auto const& entry : log.entries()) {
        auto const operation = operations[static_cast<std::size_t>(entry.operation)];
        logger.debug("{} {}: {}", operation, printable(scrubbed(entry.path)), outcome(entry.reply));
        if (entry.reply.ok && entry.reply.text.size() <= short_reply)
            logger.trace("    {}", printable(scrubbed(entry.reply.text)));
    }
}

}  // namespace rocmtune
