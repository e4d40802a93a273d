// SPDX-License-Identifier: MIT
// LD_PRELOAD library: a directory, FAKE_DEAD_DIRECTORY, on a file server that is gone. Who asks for
// anything in it or would run a program from it gets no answer.
#include <climits>
#include <cstdarg>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

void wait_for_server(char const* path) {
    char const* const dead = std::getenv("FAKE_DEAD_DIRECTORY");
    if (dead != nullptr && std::string_view(path).starts_with(dead))
        for (;;) ::pause();
}

/// A name in an open directory.
void wait_for_server(int directory, char const* name) {
    auto const link = "/proc/self/fd/" + std::to_string(directory);
    char path[PATH_MAX];
    auto const size = ::readlink(link.c_str(), path, sizeof path);
    if (size < 0 || *name == '/') return wait_for_server(name);
    wait_for_server((std::string(path, static_cast<std::size_t>(size)) + '/' + name).c_str());
}

int ask(char const* path, struct stat* answer, int flags) {
    wait_for_server(path);
    return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, answer, flags));
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int stat(char const* path, struct stat* answer) {
    return ask(path, answer, 0);
}

EXPORTED int lstat(char const* path, struct stat* answer) {
    return ask(path, answer, AT_SYMLINK_NOFOLLOW);
}

EXPORTED int access(char const* path, int mode) {
    wait_for_server(path);
    return static_cast<int>(::syscall(SYS_faccessat, AT_FDCWD, path, mode));
}

EXPORTED int openat(int directory, char const* name, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    auto const mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    wait_for_server(directory, name);
    return static_cast<int>(::syscall(SYS_openat, directory, name, flags, mode));
}

/// What fortified programs call.
EXPORTED int __openat_2(int directory, char const* name, int flags) {
    return openat(directory, name, flags);
}

EXPORTED int execve(char const* path, char* const words[], char* const environment[]) {
    wait_for_server(path);
    return static_cast<int>(::syscall(SYS_execve, path, words, environment));
}
