// SPDX-License-Identifier: MIT
// The one way in which this program writes by name: the way there is walked and judged, its
// directory is held open, and all that follows is done in that directory.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>

#include "machine/path_walk.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {

enum class Durable { no, yes };

struct Owner {
    uid_t user;
    gid_t group;
};

/// Makes or replaces the file `name` in an open directory: a temporary file is written and renamed,
/// so that a reader sees the old file or the new one, never half of one. With Durable::yes that
/// holds after a loss of power, too. The temporary file has no name until it is whole, where the
/// file system has such files and /proc is there: SIGKILL in the middle then leaves nothing behind.
/// `owner`: absent: this process. 0, or the errno of what failed; the old file is then untouched
/// and nothing is left behind.
int replace_in(int directory, std::string const& name, std::string_view text, mode_t mode,
               Durable durable, std::optional<Owner> owner = {});

/// Where something is to be written. Whatever is renamed or linked afterwards does not change it.
class Destination {
  public:
    /// Changes nothing yet. @throws Error for a link, pipe or device that somebody else has put on
    /// the way (machine/trusted_path.hpp)
    explicit Destination(std::string path);

    /// The directory and the name in it, equal for all names of one file. Nothing if no file is
    /// replaced: what is written to, such as /dev/null, takes any number of outputs.
    std::optional<std::pair<std::string, std::string>> identity() const;

    /// Whether a file is made or replaced; devices, pipes and open descriptors are written to, and
    /// what cannot be reached is neither.
    bool is_replaced() const;

    /// Replaces the file, or writes to a device, pipe or open descriptor. Mode 0600 less the umask
    /// for a new file, the old one's for one of this user. @throws Error if that fails
    void write(std::string_view text) const;
    /// Adds to the end of the file that write() has made, and returns when it is on the disk.
    /// @throws Error if that fails
    void append(std::string_view text) const;
    /// Whether something was there already.
    bool is_there() const { return walk_.error == 0; }

  private:
    mode_t mode() const;
    void write_in_place(std::string_view text) const;
    [[noreturn]] void fail(int error) const;

    std::string path_;
    PathWalk walk_;
};

// The directory in which this program keeps what saves time later: for its user alone, held open.

class PrivateDirectory {
  public:
    struct Entry {
        std::string name;
        std::uint64_t bytes;
        timespec used;  ///< time of change, which touch() sets
    };

    /// Opens the directory at `path`, which is absolute. It must belong to this user, mode 0700 or
    /// less, and be no link; nobody else may have chosen where the way leads, and for root nobody
    /// else may write anything on it.
    static PrivateDirectory open(std::string const& path);
    /// The same; makes it, mode 0700, with its parents, where it is not there.
    static PrivateDirectory make(std::string const& path);

    /// Whether the nearest of its parents that is there takes new entries. Makes nothing.
    static bool can_be_made(std::string const& path);

    explicit operator bool() const { return static_cast<bool>(directory_); }
    bool is_absent() const { return error_ == ENOENT; }
    /// Why it is not used: "PATH is not a directory of this user alone". Empty if it is.
    std::string const& problem() const { return problem_; }
    bool can_be_written() const;

    /// Files of this directory in the order of the kernel. No links, no directories.
    std::vector<Entry> files() const;
    /// The whole of a file; empty if it cannot be read or has more bytes.
    std::string read(std::string const& name, std::size_t most_bytes) const;
    /// Makes or replaces a file, mode 0600. False if that fails: nothing of it is then left.
    bool write(std::string const& name, std::string_view text) const;
    void touch(std::string const& name) const;
    /// 0 or errno.
    int remove(std::string const& name) const;

  private:
    PrivateDirectory(std::string const& path, PathWalk const& above, std::string const& distrust);

    FileDescriptor directory_;
    int error_ = 0;
    std::string problem_;
};

}  // namespace rocmtune
