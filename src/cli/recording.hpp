// SPDX-License-Identifier: MIT
// What --record, --redact and --bug-report make of the answers of a host.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "system/guard.hpp"
#include "system/redact.hpp"

namespace rocmtune {

/// What was written, for those who tell of it.
struct Recording {
    std::string file;       ///< empty if none was asked for
    std::size_t bytes = 0;  ///< its size
    std::optional<Redaction> redaction;
};

/// True if one of the options is given.
bool wants_recording(Arguments const& arguments);

/// Writes the file: FILE.host as text, anything else as snapshot. With --redact, says on standard
/// error what was replaced and what was not, and returns the redacted host, so that what is printed
/// holds no more than the file; else returns `source`.
/// @throws Error if the file cannot be written.
std::shared_ptr<HostSource> record(Arguments const& arguments,
                                   std::shared_ptr<GuardedSource> source, Recording& recording);

/// "16 GPU and hive ids, 1 host name"
std::string replaced_text(Redaction const& redaction);

}  // namespace rocmtune
