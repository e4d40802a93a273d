// SPDX-License-Identifier: MIT
// May code be loaded from here by somebody who has rights that others have not: only if nobody but
// root could have put it there.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace rocmtune {

/// One thing that is passed on the way to a file: a directory, a link, the file.
struct PathStep {
    std::string path;  ///< absolute, the links above it followed
    mode_t mode;       ///< with its kind, as of lstat(2)
    uid_t owner;
    gid_t group;
    std::size_t holder;  ///< index of the directory that it was found in; "/" is in itself
};

struct PathWalk {
    std::vector<PathStep> steps;  ///< from "/"; of a link that leads elsewhere, too
    int error = 0;                ///< errno of the step that there is not
};

/// Looks at everything that the kernel passes on the way to `path`, which is absolute.
PathWalk walk_path(std::string_view path);

/// Why somebody other than root may have put there what these steps lead to; empty if nobody can.
/// @param unmapped  the user that owners outside of this user namespace look like: nobody in it is
///                  that user
std::string distrust(std::span<PathStep const> steps, std::optional<uid_t> unmapped);

/// The id that stands for all users whom this user namespace does not have
/// (user_namespaces(7)); nothing in the first one, which has all.
std::optional<uid_t> unmapped_user();

/// True if code of others must not get into this process: it runs as root, or with rights that its
/// caller has not (AT_SECURE).
bool has_rights_of_its_own();

}  // namespace rocmtune
