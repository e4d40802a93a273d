// SPDX-License-Identifier: MIT
// What the program and the libraries in it call that glibc has only since 2.32, for a program that
// is linked against an older one (cmake/portable.cmake). Nothing else compiles this file.
#include <array>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

/// struct linux_dirent64, which no header has (getdents64(2)).
struct Entry {
    std::uint64_t inode;
    std::int64_t next;
    std::uint16_t size;
    std::uint8_t type;
};
constexpr std::size_t name_offset = 19;  // without the padding of the struct's end

/// Calls `use` with every open file from `first` on. Allocates nothing, so that it may run
/// after fork. Without /proc it finds none.
template <class Function>
void for_open_files(unsigned first, Function const& use) {
    int const folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    alignas(Entry) std::array<char, 4096> bytes;
    long count = 0;
    while ((count = ::syscall(SYS_getdents64, folder, bytes.data(), bytes.size())) > 0)
        for (long at = 0; at < count;) {
            Entry entry;
            std::memcpy(&entry, bytes.data() + at, sizeof entry);
            char const* const name = bytes.data() + at + name_offset;
            unsigned number = 0;
            auto const end = std::from_chars(name, name + std::strlen(name), number).ptr;
            if (end != name && number >= first && number != static_cast<unsigned>(folder))
                use(static_cast<int>(number));
            at += entry.size;
        }
    ::close(folder);
}

}  // namespace

extern "C" {

/// libstdc++ counts references without atomic operations where this is set. Since 2.32.
char __libc_single_threaded = 0;

/// Since 2.34. The kernel's own call for it is there since 5.9.
void closefrom(int first) noexcept {
    constexpr long close_range = 436;  // of every architecture (asm-generic/unistd.h)
    auto const from = static_cast<unsigned>(first < 0 ? 0 : first);
    if (::syscall(close_range, from, ~0U, 0) != 0)
        for_open_files(from, [](int file) { ::close(file); });
}

/// Since 2.34. What another thread opens between this and the start is closed on exec, as every
/// file of ours; glibc passes over a file that is closed already.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t* actions,
                                             int first) noexcept {
    int error = 0;
    for_open_files(static_cast<unsigned>(first), [&](int file) {
        if (error == 0) error = ::posix_spawn_file_actions_addclose(actions, file);
    });
    return error;
}

/// Since 2.32: "SEGV" of SIGSEGV; none of what is no signal (signal(7), for x86 and ARM).
char const* sigabbrev_np(int signal) noexcept {
    constexpr std::array names{"HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",  "FPE",
                               "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM", "STKFLT",
                               "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",  "XCPU",
                               "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};
    bool const known = signal >= 1 && signal <= static_cast<int>(names.size());
    return known ? names[static_cast<std::size_t>(signal) - 1] : nullptr;
}

}  // extern "C"
