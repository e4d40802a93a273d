// SPDX-License-Identifier: MIT
// Files that the user named.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// How long to wait for one file: --timeout; absent: until it answers.
using FilePatience = std::optional<std::chrono::milliseconds>;

/// The patience, but no less than a busy host needs for a local file.
FilePatience bounded_below(FilePatience patience);

/// The whole of a file or pipe, up to `cap` bytes. A signal ends the wait for it, held back or not.
/// @throws Error saying why there is none.
std::string user_file(std::string const& path, std::size_t cap, FilePatience patience);

/// The beginning of a regular file.
struct UserFileHead {
    std::string text = {};
    std::uint64_t file_bytes = 0;  ///< of the whole file
};

/// Its first bytes, at most `most`. @throws Error saying why there are none.
UserFileHead user_file_head(std::string const& path, std::uint64_t most, FilePatience patience);

/// One report of rocmtune. @throws Error that says what is wrong with it: it is none, of a newer
/// major version, damaged, too large.
Report earlier_report(std::string const& path, FilePatience patience);

/// What to do where a path is not one report.
struct OnlyDocumentHints {
    std::string directory;
    std::string empty;
    std::string several;
};

/// Hands the one document of a file, or of standard input ("-"), to `read`, whose complaints come
/// before that of documents behind it. @throws Error that names the file.
void read_only_document(std::string const& path, OnlyDocumentHints const& hints,
                        std::function<void(std::string const& text)> const& read);

}  // namespace rocmtune
