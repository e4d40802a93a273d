// SPDX-License-Identifier: MIT
// What goes wrong, from the environment. FAKE_KFD_FAULT is a list of NAME[@COUNT]=WHAT, separated
// by commas: NAME is a device (kfd, renderD129) or an ioctl (get_version, alloc_memory, ...), COUNT
// the only call that fails, from 1 (without it: every call), WHAT an errno name or `hang`.
#pragma once

#include <string_view>

namespace fake_kfd {

/// 0, or the errno with which this call of `name` fails. Does not return where it hangs.
int fault_of(std::string_view name);

}  // namespace fake_kfd
