// SPDX-License-Identifier: MIT
// The way that a name leads, walked from a directory descriptor to the next: what was looked at is
// what is used, whoever renames and links meanwhile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/inode.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {

/// One thing that is passed on the way to a file: a directory, a link, the file.
struct PathStep {
    std::string path;  ///< the links above it followed
    Inode inode;
    std::size_t holder;  ///< index of the directory that it was found in; the first is in itself
};

struct PathWalk {
    std::vector<PathStep> steps;  ///< from where it started; of a link that leads elsewhere, too
    int error = 0;                ///< errno of the step that there is not

    FileDescriptor directory;  ///< the last directory (O_PATH)
    std::size_t holder = 0;    ///< its step
    std::string name;          ///< the last name in it, which no link leads away from; "." for "/"
                               ///< itself; empty if the way ended before
    FileDescriptor file;       ///< what it leads to (O_PATH)
    /// The last name is a link that only the kernel can follow, as those of /proc/PID/fd.
    bool is_magic = false;

    /// Whether nothing but the last name is missing.
    bool is_new() const { return error == ENOENT && !name.empty(); }
};

/// Which steps are noted: all, or links, what holds them and the end alone. For the second the
/// kernel may pass a way without links at once (openat2(2), RESOLVE_NO_SYMLINKS).
enum class Noted { every_step, links };

/// Follows `path`, from "/" or the working directory. Links are followed whoever made them: the
/// caller judges the steps before using the descriptors (system/trusted_path.hpp). With
/// `every_step` a link that only the kernel can follow ends it with ELOOP.
PathWalk walk_path(std::string_view path, Noted noted = Noted::every_step);

/// Opens what the walk ended at, and nothing else, with the flags of open(2): -1 and errno, ESTALE
/// if it is there no longer and only its name can tell (no /proc).
FileDescriptor reopen(PathWalk const& walk, int flags);

}  // namespace rocmtune
