// SPDX-License-Identifier: MIT
// What a program and all that it started use of the host, by /proc, look after look.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "judge/limits/sample.hpp"
#include "machine/host_root.hpp"

namespace rocmtune {

/// One line of /proc/PID/stat or /proc/PID/task/TID/stat (proc(5)). Times are in ticks.
struct TaskStat {
    pid_t parent = 0;
    char state = '?';
    std::uint64_t minor_faults = 0, reaped_minor_faults = 0;
    std::uint64_t major_faults = 0, reaped_major_faults = 0;
    std::uint64_t user = 0, kernel = 0, reaped_user = 0, reaped_kernel = 0;
    std::uint64_t threads = 0;
    std::uint64_t start = 0;  ///< since boot: with the number it names a process for good
    std::uint64_t resident_pages = 0;
    bool is_thread = false;  ///< it is none that leads a process
};

/// Nothing for what is no such line.
std::optional<TaskStat> task_stat_of(std::string_view text);

class ProcessLooks {
  public:
    /// Looks at once: what was before does not count.
    ProcessLooks(HostRoot root, pid_t program);

    /// Adds to the sample what happened since the look before. False once all processes are gone.
    bool take(WatchSample& sample);

    /// Those that live, parents before their children.
    std::vector<pid_t> alive() const;
    std::size_t seen() const { return seen_; }

  private:
    /// Figures that a process has for itself and that its parent gets when it is reaped.
    enum Figure { cpu, in_kernel, minor, major, read_bytes, written_bytes, figures };
    using Figures = std::array<double, figures>;

    struct Known {
        pid_t pid = 0;
        TaskStat stat = {};
        Figures all = {};     ///< what it and those that it reaped have used
        Figures reaped = {};  ///< the part of those; of bytes the kernel does not tell it
        Figures credit = {};  ///< counted already for children that are gone and not reaped yet
        int credit_age = 0;
        bool tells_bytes = false;
        bool is_new = true;
        std::map<pid_t, double> threads = {};  ///< processor time of each
    };

    /// What one look adds up.
    struct Sums {
        Figures used = {};
        double short_faults = 0;
        double busiest = 0;
        double runnable = 0, threads = 0, resident = 0, started = 0;
        bool blocked = false;
        bool saw_all_threads = true;
        bool tells_bytes = false;
    };

    void find_new();
    void try_new(pid_t pid);
    void search_all();
    bool is_known(pid_t pid) const;
    bool look_at(Known& process, Sums& sums);
    void read_figures(Known& process, TaskStat const& stat);
    void look_at_threads(Known& process, double used, Sums& sums);
    void add_used(Known& process, Figures const& before, Figures const& reaped_before, Sums& sums);
    void give_credit(Known const& gone);
    void state(Sums const& sums, WatchSample& sample) const;

    HostRoot root_;
    std::vector<Known> known_;
    std::optional<std::uint64_t> last_pid_ = {};
    std::size_t seen_ = 0;
    std::uint64_t looks_ = 0;
    double tick_seconds_ = 0.01;
    double page_bytes_ = 4096;
};

}  // namespace rocmtune
