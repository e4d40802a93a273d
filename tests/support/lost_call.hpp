// SPDX-License-Identifier: MIT
// A kernel or a container that refuses a system call, for the rest of a process (tests/support/
// child.hpp).
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

namespace rocmtune::test {

/// From here on this process and its children get `error` from the system call; if `argument` is
/// given, only where its first argument is that. False if there are no filters here.
inline bool lose_call(long call, int error, std::optional<int> argument = {}) {
    auto const first = static_cast<unsigned>(argument.value_or(0));
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
        BPF_JUMP(BPF_JMP | (argument ? BPF_JEQ : BPF_JGE) | BPF_K, first, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog const program{static_cast<unsigned short>(std::size(filter)), filter};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace rocmtune::test
