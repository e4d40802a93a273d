// SPDX-License-Identifier: MIT
// A host whose kernel log has said something since it started.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "knowledge/messages.hpp"
#include "probe/log_story.hpp"

namespace rocmtune::test {

/// The host with these lines as all of its log, from 100 seconds after its start on one each `step`
/// seconds, read `later` seconds after the last.
inline Host told(Host host, std::vector<std::string> const& log, double step, double later = 1) {
    static MessageMatcher const matcher(message_classes());
    LogStory story(matcher, host);
    story.add("[    0.000000] Linux version 6.8.0");
    double seconds = 100;
    for (auto const& line : log) story.add(fmt::format("[{:12.6f}] {}", seconds += step, line));
    host.kernel_messages = {};
    host.kernel_messages.offer(story.messages(seconds + later), {"test", "test"});
    host.kernel_log_start_seconds = {};
    host.kernel_log_start_seconds.offer(0.0, {"test", "test"});
    return host;
}

}  // namespace rocmtune::test
