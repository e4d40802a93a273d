// SPDX-License-Identifier: MIT
// Replies by kind, for the implementations of HostSource.
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "machine/host_root.hpp"
#include "machine/posix_file.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {

inline Reply success(std::string text) {
    Reply reply;
    reply.ok = true;
    reply.text = std::move(text);
    return reply;
}

inline Reply failure(int error) {
    Reply reply;
    reply.reason = reason_of(error);
    reply.error = error;
    return reply;
}

/// A refusal of ours, with its explanation.
inline Reply refusal(Missing reason, std::string why) {
    Reply reply;
    reply.reason = reason;
    reply.text = std::move(why);
    return reply;
}

/// The refusal of a query that nobody came to ask: `timeout` or `failed`. A recording keeps of it
/// that it is one, so that its replay says the same.
inline Reply unreached(Missing reason) {
    return refusal(reason,
                   std::string(reason == Missing::timeout ? time_was_used_up : reader_ended_early));
}

inline bool is_unreached(Reply const& reply) {
    bool const ours = !reply.ok && reply.error == 0;
    return ours && (reply.reason == Missing::timeout || reply.reason == Missing::failed);
}

/// Of a query that the kernel did not answer in time.
inline Reply unanswered() {
    return failure(ETIMEDOUT);
}

/// How a line `unreached` of rocmtune-host(5) names a reply that is none; empty for an answer, be
/// it an error.
inline std::string_view unreached_word(Reply const& reply) {
    if (is_unreached(reply)) return missing_name(reply.reason);
    return !reply.ok && reply.error == ETIMEDOUT ? "stuck" : std::string_view();
}

/// The reply with this word; nothing if there is none.
inline std::optional<Reply> reply_of_unreached(std::string_view word) {
    for (auto const& reply :
         {unreached(Missing::timeout), unreached(Missing::failed), unanswered()})
        if (unreached_word(reply) == word) return reply;
    return std::nullopt;
}

/// A list reply: sorted, each name ended by NUL.
Reply names_reply(std::vector<std::string> names);

/// A status reply, as FileStatus reads it back.
inline Reply status_reply(FileStatus const& s) {
    return success(
        fmt::format("{} {:o} {} {} {} {}", s.kind, s.mode, s.uid, s.gid, s.major, s.minor));
}

}  // namespace rocmtune
