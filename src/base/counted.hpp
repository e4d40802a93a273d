// SPDX-License-Identifier: MIT
// Numbers of things, as people say them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rocmtune {

/// "1 GPU", "8 GPUs".
inline std::string counted(std::uint64_t count, std::string_view noun) {
    return std::to_string(count).append(1, ' ').append(noun).append(count == 1 ? "" : "s");
}

}  // namespace rocmtune
