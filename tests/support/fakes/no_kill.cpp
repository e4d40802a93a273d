// SPDX-License-Identifier: MIT
// LD_PRELOAD library: no signal that is sent arrives, as with a process that is stuck in the
// driver. What the kernel itself sends does: who is left over ends with the parent.
#include <sys/types.h>

extern "C" __attribute__((visibility("default"))) int kill(pid_t, int) {
    return 0;
}
