// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace rocmtune {

/// The whole of a file or pipe that the user named, up to `cap` bytes. @throws Error saying why.
std::string user_file(std::string const& path, std::size_t cap);

}  // namespace rocmtune
