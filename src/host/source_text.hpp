// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fmt/format.h>

#include "rocmtune/fact.hpp"

namespace rocmtune {

/// "kfd: /sys/class/kfd/...": who read a fact, and where.
inline std::string source_text(Source const& source) {
    return fmt::format("{}: {}", source.reader, source.where);
}

}  // namespace rocmtune
