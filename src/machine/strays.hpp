// SPDX-License-Identifier: MIT
// Processes that a library starts and puts out of reach of its worker's process group: by setsid,
// setpgid or a double fork.
#pragma once

#include <chrono>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

namespace rocmtune {

/// While it lives, processes below us whose parent ends become our children (prctl(2),
/// PR_SET_CHILD_SUBREAPER), so that they can be found. Commands of the user must not run then: what
/// they leave behind is meant to stay.
class Strays {
  public:
    Strays();
    Strays(Strays const&) = delete;
    Strays& operator=(Strays const&) = delete;
    ~Strays();

    /// What `end` did.
    struct Ended {
        std::vector<std::string> names;    ///< of those that ran, as the kernel has them
        std::vector<std::string> survive;  ///< those among them that SIGKILL did not end
    };

    /// Ends our children that are neither older than this object, nor in our process group, nor in
    /// one that a worker of `running` leads, and waits for them no longer than `patience`. A worker
    /// keeps what it has started itself as long as it lives (adopt_orphans()). Those in a group of
    /// `silent`, workers that are over, are ended without being named.
    Ended end(std::span<pid_t const> running, std::span<pid_t const> silent,
              std::chrono::milliseconds patience) const;

  private:
    bool is_one(pid_t pid, pid_t group, std::span<pid_t const> running) const;

    int adopted_before_ = 0;
    std::set<pid_t> older_;
};

/// From now on processes below this one whose parent ends become its children. False with errno.
bool adopt_orphans(bool yes);

}  // namespace rocmtune
