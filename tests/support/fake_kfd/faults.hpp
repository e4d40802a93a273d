// SPDX-License-Identifier: MIT
// What goes wrong, from the environment. FAKE_KFD_FAULT is a list of NAME[@COUNT|%COUNT]=WHAT,
// separated by commas: NAME is a device (kfd, renderD129), an ioctl (get_version, alloc_memory,
// ...) or work of a queue (dispatch, copy), @COUNT the only call that fails, from 1, %COUNT every
// such call (without: every call), WHAT an errno name or `hang`, for work of a queue one of its
// words.
#pragma once

#include <string_view>

namespace fake_kfd {

/// Counts a call of `name`; WHAT it meets, or nothing.
std::string_view fault_word(std::string_view name);

/// 0, or the errno with which this call of `name` fails. Does not return where it hangs.
int fault_of(std::string_view name);

}  // namespace fake_kfd
