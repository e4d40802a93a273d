// SPDX-License-Identifier: MIT
#include <csignal>
#include <string>
#include <vector>

#include "cli/run.hpp"

#include <fcntl.h>

namespace {

/// A closed standard stream would give its number to the next file that is opened, and a message
/// would then be written into that file. The stand-in refuses the use that the stream has.
void hold_standard_streams() {
    for (int fd = 0; fd <= 2; ++fd)
        if (::fcntl(fd, F_GETFD) < 0)
            (void)::open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

void ignore(int) {}

/// A reader that goes away shows as EPIPE where we write, and a limit on sizes of files as EFBIG,
/// not as a death without a word that leaves half of a file. A handler does that, because it is
/// gone in a command that we become, while SIG_IGN would stay.
void outlive_failed_writes() {
    for (int const signal : {SIGPIPE, SIGXFSZ})
        if (std::signal(signal, ignore) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) {
    hold_standard_streams();
    outlive_failed_writes();
    std::vector<std::string> const words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return static_cast<int>(rocmtune::run(words));
}
