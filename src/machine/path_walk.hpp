// SPDX-License-Identifier: MIT
// What an open descriptor shows of its inode: kind, owner, and everybody who may write it, by its
// mode and by its POSIX access list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/posix_file.hpp"

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

/// openat2(2), for which Debian 12's glibc has no function: a file descriptor that is closed on
/// exec, or -1 and errno. `resolve` are RESOLVE_ flags. ENOSYS before Linux 5.6, EPERM in old
/// containers.
inline int openat2_call(int directory, char const* path, int flags, std::uint64_t resolve) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.resolve = resolve;
    return static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how));
}

/// Whether the kernel knows without asking a disk or a server that nothing has this path. Never
/// waits. False says nothing: the path may be there, or the kernel (before Linux 5.12), a container
/// or this moment does not let us know.
bool is_known_absent(std::string const& path);

// The way that a name leads, walked from a directory descriptor to the next: what was looked at is
// what is used, whoever renames and links meanwhile.

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
/// caller judges the steps before using the descriptors (machine/trusted_path.hpp). With
/// `every_step` a link that only the kernel can follow ends it with ELOOP.
PathWalk walk_path(std::string_view path, Noted noted = Noted::every_step);

/// Opens what the walk ended at, and nothing else, with the flags of open(2): -1 and errno, ESTALE
/// if it is there no longer and only its name can tell (no /proc).
FileDescriptor reopen(PathWalk const& walk, int flags);

}  // namespace rocmtune
