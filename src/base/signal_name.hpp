// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rocmtune {

/// "SIGSEGV"; "signal 42" for one without a name, as real-time signals are.
std::string signal_name(int signal);

}  // namespace rocmtune
