// SPDX-License-Identifier: MIT
// The directory in which this program keeps what saves time later: for its user alone, held open.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

#include "machine/path_walk.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {

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
