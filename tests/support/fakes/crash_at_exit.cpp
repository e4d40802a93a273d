// SPDX-License-Identifier: MIT
// LD_PRELOAD library: whoever leaves by _exit(2) dies instead. Workers do so after their `done`,
// when the real libraries' threads and destructors may still crash; a return from main is not
// touched.
#include <csignal>

extern "C" __attribute__((visibility("default"))) void _exit(int) {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
    for (;;) {
    }
}
