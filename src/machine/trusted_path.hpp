// SPDX-License-Identifier: MIT
// Whom a process lets decide where a name leads and what lies there. One that has rights that
// others have not listens to root alone.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "machine/path_walk.hpp"

namespace rocmtune {

struct Trust {
    std::vector<uid_t> users;
    std::vector<gid_t> groups;
    bool owners = false;  ///< whom a directory belongs to, decides what is in it
    /// What owners look like whom this user namespace does not have: nobody in it is they. Who
    /// links from outside, may be anybody.
    std::optional<uid_t> unmapped = {};

    bool holds(uid_t user) const;
};

/// Root, and whoever is not in this user namespace.
Trust root_alone();

/// Root alone for a process with rights of its own; else this user, his groups, root, and owners.
Trust trust_of_process();

/// Who may write it beside those: "everybody", "group 50", "user 1000"; empty if nobody. Its owner
/// counts as any other.
std::string other_writer(Inode const& inode, Trust const& trust);

/// Why somebody else may have put there what these steps lead to; empty if nobody can. Wants every
/// step.
std::string distrust(std::span<PathStep const> steps, Trust const& trust);

/// Why somebody else may have chosen where these steps lead: a link, or a pipe or device at the
/// end, that he has put into a directory that he may write. As fs.protected_symlinks and
/// fs.protected_fifos have it, which not every host has switched on, but of directories without
/// sticky bit, of groups and of access lists, too.
std::string distrust_links(std::span<PathStep const> steps, Trust const& trust);

/// As distrust(), of a directory that files are to be put into or looked for in, whether it is
/// there or not: a sticky one for everybody is none.
std::string distrust_place(PathWalk const& walk, Trust const& trust);

/// True if code of others must not get into this process: it runs as root, or with rights that its
/// caller has not (AT_SECURE).
bool has_rights_of_its_own();

/// Why root should not take what is in a directory for its own: "/home/eve belongs to user 1000".
/// Empty if nobody else could have put it there, and for everybody but root.
std::string not_for_root(std::string const& directory);

}  // namespace rocmtune
