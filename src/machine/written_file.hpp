// SPDX-License-Identifier: MIT
// The one way in which this program writes by name: the way there is walked and judged, its
// directory is held open, and all that follows is done in that directory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

#include "machine/path_walk.hpp"

namespace rocmtune {

enum class Durable { no, yes };

/// Makes or replaces the file `name` in an open directory: a temporary file is written and renamed,
/// so that a reader sees the old file or the new one, never half of one. With Durable::yes that
/// holds after a loss of power, too. The temporary file has no name until it is whole, where the
/// file system has such files and /proc is there: SIGKILL in the middle then leaves nothing behind.
/// 0, or the errno of what failed; the old file is then untouched and nothing is left behind.
int replace_in(int directory, std::string const& name, std::string_view text, mode_t mode,
               Durable durable);

/// Where something is to be written. Whatever is renamed or linked afterwards does not change it.
class Destination {
  public:
    /// Changes nothing yet. @throws Error for a link, pipe or device that somebody else has put on
    /// the way (system/trusted_path.hpp)
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

  private:
    mode_t mode() const;
    void write_in_place(std::string_view text) const;
    [[noreturn]] void fail(int error) const;

    std::string path_;
    PathWalk walk_;
};

}  // namespace rocmtune
