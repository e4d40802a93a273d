// SPDX-License-Identifier: MIT
// One child process from its start to its end: its files, its signals, a process group of its own,
// SIGTERM and SIGKILL when its time is up, and what becomes of one that neither ends.
#pragma once

#include <cerrno>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <signal.h>
#include <sys/types.h>

#include "machine/posix_file.hpp"

namespace rocmtune {

/// While it lives, the kernel keeps the exit status of children: whoever ignores SIGCHLD, or was
/// started by a program that does, gets none.
class DefaultSigchld {
  public:
    DefaultSigchld() {
        struct sigaction plain {};
        plain.sa_handler = SIG_DFL;
        ::sigaction(SIGCHLD, &plain, &before_);
    }
    DefaultSigchld(DefaultSigchld const&) = delete;
    DefaultSigchld& operator=(DefaultSigchld const&) = delete;
    ~DefaultSigchld() { ::sigaction(SIGCHLD, &before_, nullptr); }

  private:
    struct sigaction before_ {};
};

struct Pipe {
    FileDescriptor read_end;
    FileDescriptor write_end;
};

/// Both ends close on exec and are none of the standard files. Only our end, to read from, does not
/// block: programs do not expect that of their standard output. False with errno.
bool open_pipe(Pipe& pipe);

/// Nothing to read. Invalid with errno.
FileDescriptor open_null();

inline constexpr std::size_t chunk_bytes = 65536;

/// Gives what can be read at once to `take`; false if there was nothing. Closes a file at its end.
template <typename Take>
bool read_once(FileDescriptor& file, Take const& take) {
    if (!file) return false;
    char chunk[chunk_bytes];
    auto const got = ::read(file.get(), chunk, sizeof chunk);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (got <= 0) file = FileDescriptor();
    else take(std::string_view(chunk, static_cast<std::size_t>(got)));
    return got > 0;
}

/// The largest pipe of an unprivileged process (/proc/sys/fs/pipe-max-size): all that a process can
/// have left in one is read in so many turns of read_once(). More comes from another writer.
inline constexpr int turns_of_a_pipe = (1 << 20) / chunk_bytes;

/// A copy of this process that does `work`. It is killed when the thread that starts it ends,
/// unless it gets rights that we have not (prctl(2), PR_SET_PDEATHSIG), and ends with status 1 when
/// `work` returns or throws. -1 with errno.
pid_t fork_child(std::function<void()> const& work);

/// What a child becomes.
struct ChildProgram {
    std::vector<char*> const& words;        ///< argv, null at its end
    std::vector<char*> const& environment;  ///< null at its end
    /// They become 0, 1, ... of the program, which gets no other file of ours or of our caller. At
    /// most four, all of them above 2.
    std::span<int const> files;
};

/// A program in a process group of its own, with signals as a new program expects them.
class Child {
  public:
    using Clock = std::chrono::steady_clock;

    struct Limits {
        std::chrono::milliseconds grace;     ///< from SIGTERM to SIGKILL
        std::chrono::milliseconds patience;  ///< from SIGKILL to leaving it behind
        int (*send_signal)(pid_t, int) = ::kill;
    };

    explicit Child(Limits const& all) : limits(all) {}

    /// 0 or an errno, that of exec included. The child shares our memory until exec, so it costs
    /// the same however large we are, and we wait for exec however long it takes: for our own
    /// program, which answers as long as we run.
    int spawn(std::string const& program, ChildProgram const& what);

    /// For programs of others, which may lie on a file server that is gone: does not wait for exec
    /// (see exec_error). The first of `programs` (paths, null at their end) that is a program for
    /// us is it. The child is a copy of us until then. 0 or an errno.
    int spawn_without_waiting(std::vector<char*> const& programs, ChildProgram const& what);

    /// What became of the exec that was not waited for; nothing: it has not come to it yet. 0: the
    /// program has begun.
    std::optional<int> exec_error();
    /// To poll until the program begins; -1 afterwards.
    int begin_fd() const { return begin_.get(); }

    bool has_started() const { return pid_ > 0; }
    pid_t pid() const { return pid_; }  ///< of the process and its group; -1 if it did not start
    /// A pidfd to poll for the end; -1 where the kernel has none for us (before 5.3, sandboxes).
    int end_fd() const { return end_.get(); }
    void use_no_pidfd() { end_ = FileDescriptor(); }

    /// Whether the process is at its end. It stays a zombie: its number, which is that of its
    /// group, is not given to others yet.
    bool has_ended() const;
    /// To the process and all that it has started, as long as that did not leave the group.
    void signal_group(int signal) const { limits.send_signal(-pid_, signal); }
    /// SIGTERM, from which `grace` runs.
    void ask_to_end();
    /// What follows when the time is up: SIGTERM, then SIGKILL; false if both were sent.
    bool press();
    /// The last signal that ask_to_end() or press() has sent; 0: none.
    int sent() const { return sent_; }

    Limits limits;
    Clock::time_point due =
        Clock::time_point::max();  ///< when its time, or that of a signal, is up

  private:
    pid_t pid_ = -1;
    int sent_ = 0;
    FileDescriptor begin_;  ///< open until the program begins
    FileDescriptor end_;
};

/// Reaps a child that is about to end, after killing it if `kill`, and waits 0.2 s for it at most.
/// False if it is stuck in the kernel, where no signal reaches it. `status` as of waitpid(2), null
/// where nobody asks.
bool end_child(pid_t pid, bool kill, int* status = nullptr);

/// A child that the kernel does not let go of. Such are kept for the life of the program: --watch
/// must not collect zombies, nor lose one more process to the same device with every look.
struct LeftBehind {
    pid_t pid;
    std::string path = {};  ///< what it is stuck on, if that is known
};

void leave_behind(LeftBehind child);
/// Forgets those that the kernel has let go of since.
void reap_left_behind();
std::vector<LeftBehind> const& children_left_behind();

}  // namespace rocmtune
