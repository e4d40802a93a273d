// SPDX-License-Identifier: MIT
// Other processes, as /proc shows them: what they are, what they have mapped, how much they use,
// and those that a library leaves behind.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace rocmtune {

struct Process {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    char state = '?';  ///< D: in the kernel, Z: a zombie, ... (proc(5))
    std::string name;  ///< printable

    bool runs() const { return state != 'Z' && state != 'X'; }
};

/// From /proc/PID/stat: "pid (name) state parent group ...", where a name may hold ")" (proc(5)).
/// Safe for a process that is stuck in the kernel. Nothing if there is none.
std::optional<Process> process_of(std::string_view pid);

/// For processes that a library puts out of reach of its worker's process group: by setsid, setpgid
/// or a double fork. While it lives, processes below us whose parent ends become our children
/// (prctl(2), PR_SET_CHILD_SUBREAPER), so that they can be found. Commands of the user must not run
/// then: what they leave behind is meant to stay.
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

/// Adds the files that a process has mapped (/proc/PID/maps) to `files`; nothing of a process that
/// is gone or not ours to look at.
void add_mapped_files(pid_t process, std::set<std::string>& files);

/// The files of the text of /proc/PID/maps. Lines that are none are left out.
std::set<std::string> files_of_maps(std::string_view text);

/// A process and all that it and its children have started, as the kernel shows them now. One that
/// was handed on to init is no longer among them.
std::vector<pid_t> process_tree(pid_t root);

/// How much of the processors others used during a while. Measures from its construction on.
class LoadMeter {
  public:
    LoadMeter();
    /// Share (0 to 1) of all processors that was used by others than this process and its children
    /// that have ended; absent if the kernel does not tell, or too little time has passed.
    std::optional<double> others() const;
    /// Seconds that the machine was suspended since then.
    double slept() const;

  private:
    /// Seconds of processor time, of all and of us.
    struct Times {
        double busy = 0;
        double idle = 0;
        double own = 0;
        bool known = false;
    };
    static Times now();
    /// Since the machine was started.
    static double slept_so_far();

    Times start_;
    double slept_before_ = slept_so_far();
};

}  // namespace rocmtune
