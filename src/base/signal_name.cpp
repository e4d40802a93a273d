// SPDX-License-Identifier: MIT
#include "base/signal_name.hpp"

#include <cstring>

namespace rocmtune {

std::string signal_name(int signal) {
    auto const* const name = ::sigabbrev_np(signal);
    return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

}  // namespace rocmtune
