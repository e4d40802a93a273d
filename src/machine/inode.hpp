// SPDX-License-Identifier: MIT
// What an open descriptor shows of its inode: kind, owner, and everybody who may write it, by its
// mode and by its POSIX access list.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <sys/stat.h>

namespace rocmtune {

/// Who may write an inode beside its owner.
struct Writers {
    bool everybody = false;
    std::vector<gid_t> groups = {};
    std::vector<uid_t> users = {};  ///< whom its access list names
    int unknown = 0;                ///< errno with which its access list could not be read

    bool operator==(Writers const&) const = default;
};

struct Inode {
    mode_t mode = 0;  ///< with its kind, as of fstat(2)
    uid_t owner = 0;
    gid_t group = 0;
    Writers writers = {};
    nlink_t links = 1;  ///< names that it has
    dev_t device = 0;
    ino_t number = 0;

    bool is(mode_t kind) const { return (mode & S_IFMT) == kind; }
    bool is_same(Inode const& other) const {
        return device == other.device && number == other.number;
    }
};

/// The inode behind a descriptor, which may be one of O_PATH; nothing and errno if that fails.
std::optional<Inode> inode_of(int fd);

/// The writers that a mode and the value of the attribute `system.posix_acl_access` name
/// (linux/posix_acl_xattr.h). An empty value is an inode without access list. A value that cannot
/// be read as one gives `unknown`.
Writers writers_of(mode_t mode, gid_t group, std::string_view access_list);

}  // namespace rocmtune
