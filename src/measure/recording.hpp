// SPDX-License-Identifier: MIT
// What --record, --redact and --bug-report make of the answers of a host.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/guard.hpp"
#include "machine/redact.hpp"

namespace rocmtune {

/// A file in a recording that is none of the host's: its absolute path in it, and its text.
using RecordedFile = std::pair<std::string, std::string>;

/// What is to be recorded.
struct RecordingChoice {
    std::string file = {};  ///< empty: none
    bool redacts = false;   ///< also of what is printed
    bool is_quiet = false;  ///< does not say what was redacted

    bool is_wanted() const { return redacts || !file.empty(); }
};

/// What was written, for those who tell of it.
struct Recording {
    /// Asked for such files when the recording is written; then it is written once more with them,
    /// since asking may take long, and hang the host.
    std::function<std::vector<RecordedFile>()> more = {};
    std::string file;       ///< empty if none was asked for
    std::size_t bytes = 0;  ///< its size
    std::optional<Redaction> redaction;
};

/// Writes the file: FILE.host as text, anything else as snapshot. With `redacts`, says on standard
/// error what was replaced and what was not, and returns the redacted host, so that what is printed
/// holds no more than the file; else returns `source`.
/// @throws Error if the file cannot be written.
std::shared_ptr<HostSource> record(RecordingChoice const& choice,
                                   std::shared_ptr<GuardedSource> source, Recording& recording);

/// "16 GPU and hive ids, 1 host name"
std::string replaced_text(Redaction const& redaction);

}  // namespace rocmtune
