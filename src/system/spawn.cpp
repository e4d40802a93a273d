// SPDX-License-Identifier: MIT
#include "system/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rocmtune {
namespace {

class FileActions {
  public:
    explicit FileActions(std::span<int const> files) {
        ::posix_spawn_file_actions_init(&actions_);
        // All of ours are above 2, and what becomes 3 comes last: none is overwritten before.
        int next = 0;
        for (int const file : files) ::posix_spawn_file_actions_adddup2(&actions_, file, next++);
        ::posix_spawn_file_actions_addclosefrom_np(&actions_, next);
    }
    FileActions(FileActions const&) = delete;
    FileActions& operator=(FileActions const&) = delete;
    ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    posix_spawn_file_actions_t const* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

/// A process group of its own and signals as a new program expects them: we may ignore SIGPIPE,
/// block SIGTERM, and have been started by something that ignores more.
class Attributes {
  public:
    Attributes() {
        ::posix_spawnattr_init(&attributes_);
        sigset_t set;
        ::sigemptyset(&set);
        ::posix_spawnattr_setsigmask(&attributes_, &set);
        ::sigfillset(&set);
        ::posix_spawnattr_setsigdefault(&attributes_, &set);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    Attributes(Attributes const&) = delete;
    Attributes& operator=(Attributes const&) = delete;
    ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
    posix_spawnattr_t const* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

}  // namespace

bool open_pipe(Pipe& pipe) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    pipe = {above_standard(FileDescriptor(ends[0])), above_standard(FileDescriptor(ends[1]))};
    return pipe.read_end && pipe.write_end &&
           ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK) == 0;
}

FileDescriptor open_null() {
    return above_standard(FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
}

FileDescriptor open_pidfd(pid_t pid) {
    // By number: glibc has a wrapper only since 2.36. It is closed on exec (pidfd_open(2)).
    auto const fd = ::syscall(SYS_pidfd_open, pid, 0);
    return above_standard(FileDescriptor(static_cast<int>(fd)));
}

int spawn(pid_t& pid, Spawn const& what) {
    FileActions const files(what.files);
    Attributes const attributes;
    return ::posix_spawn(&pid, what.program, files.get(), attributes.get(), what.words.data(),
                         what.environment.data());
}

}  // namespace rocmtune
