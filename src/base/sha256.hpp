// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rocmtune {

/// The SHA-256 sum of the bytes (FIPS 180-4), as 64 hexadecimal digits in lower case, as
/// sha256sum(1) prints it.
std::string sha256(std::string_view bytes);

}  // namespace rocmtune
