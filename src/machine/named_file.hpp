// SPDX-License-Identifier: MIT
// Files that the user named himself, and files that lie where he pointed to.
#pragma once

#include <cstddef>
#include <string>

#include "machine/posix_file.hpp"

namespace rocmtune {

struct NamedFile {
    FileDescriptor file;
    bool is_directory = false;
    std::string problem = {};  ///< why it cannot be read; empty: it can, or is a directory
};

struct FileText {
    std::string text = {};
    std::string problem = {};  ///< why there is no text
};

/// What is left of an open file, up to `cap` bytes.
FileText read_all(int fd, std::size_t cap);

/// Opens it for reading. Pipes count, too, as the shell's <(...) makes them, and a terminal
/// (/dev/stdin): opening and reading them waits for who writes. Other devices may have no end.
NamedFile open_named_file(std::string const& path);

/// Opens a file that was found in a directory: nobody named it, so that a pipe in its place is not
/// waited for. Regular files only.
NamedFile open_listed_file(std::string const& path);

/// The whole of a file, opened as above; a directory has no text.
FileText read_named_file(std::string const& path, std::size_t cap);
FileText read_listed_file(std::string const& path, std::size_t cap);

}  // namespace rocmtune
