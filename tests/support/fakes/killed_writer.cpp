// SPDX-License-Identifier: MIT
// LD_PRELOAD library: the process that asks for a signal at its parent's end is killed instead, as
// by the kernel where memory is short. Among the commands that only read it is the one that writes.
#include <csignal>

#include <linux/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int prctl(int option, unsigned long a,
                                                            unsigned long b, unsigned long c,
                                                            unsigned long d) {
    if (option == PR_SET_PDEATHSIG) ::raise(SIGKILL);
    return static_cast<int>(::syscall(SYS_prctl, option, a, b, c, d));
}
