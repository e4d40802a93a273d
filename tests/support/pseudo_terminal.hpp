// SPDX-License-Identifier: MIT
// PseudoTerminal: what a program takes for a terminal, where the machine has such things.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <termios.h>
#include <unistd.h>

#include "machine/posix_file.hpp"

namespace rocmtune::test {

/// Both ends; they are closed, with a reason, where no terminal could be opened.
struct PseudoTerminal {
    FileDescriptor master;
    FileDescriptor slave;
    std::string reason;  ///< why there is none; empty if there is one
};

/// Why an attempt that left `error` in errno failed. Containers and chroots often have no devpts.
inline std::string why_no_terminal(int error) {
    struct statfs found {};
    bool const is_mounted = ::statfs("/dev/pts", &found) == 0 && found.f_type == DEVPTS_SUPER_MAGIC;
    auto const why = is_mounted ? std::generic_category().message(error)
                                : std::string("/dev/pts is not mounted");
    return "no pseudo terminal: " + why;
}

/// A terminal of 50 lines that does not translate the ends of lines.
inline PseudoTerminal open_pseudo_terminal(unsigned short columns) {
    PseudoTerminal result;
    FileDescriptor master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    bool const is_open = master && ::grantpt(master.get()) == 0 && ::unlockpt(master.get()) == 0;
    char const* const name = is_open ? ::ptsname(master.get()) : nullptr;
    FileDescriptor slave(name == nullptr ? -1 : ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!slave) {
        result.reason = why_no_terminal(errno);
        return result;
    }
    termios raw{};
    ::tcgetattr(slave.get(), &raw);
    ::cfmakeraw(&raw);
    ::tcsetattr(slave.get(), TCSANOW, &raw);
    winsize const size{50, columns, 0, 0};
    ::ioctl(slave.get(), TIOCSWINSZ, &size);
    result.master = std::move(master);
    result.slave = std::move(slave);
    return result;
}

/// Why no terminal can be opened here, for a test that is to be skipped then; empty if one can.
inline std::string missing_terminal() {
    return open_pseudo_terminal(80).reason;
}

}  // namespace rocmtune::test
