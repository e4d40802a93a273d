// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// 16 hexadecimal digits that are equal for equal hardware, driver, ROCm and frameworks, today and
/// on every machine. What changes from minute to minute or names a machine is left out.
std::string fingerprint(Host const& host);

}  // namespace rocmtune
