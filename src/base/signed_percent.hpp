// SPDX-License-Identifier: MIT
// Effects and changes as people read them.
#pragma once

#include <string>

#include <fmt/format.h>

namespace rocmtune {

/// "+2.5 %" of 0.025, "-2.5 %" of -0.025; what rounds to nothing has no sign: "0.0 %".
inline std::string signed_percent(double ratio) {
    auto text = fmt::format("{:+.1f} %", 100 * ratio);
    return text.substr(1) == "0.0 %" ? text.substr(1) : text;
}

}  // namespace rocmtune
