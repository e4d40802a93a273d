// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "measure/arguments.hpp"

namespace rocmtune {

/// How long to wait for one file that the user named: --timeout, if it was given.
std::optional<std::chrono::milliseconds> file_patience(Arguments const& arguments);

/// The whole of a file or pipe that the user named, up to `cap` bytes. A signal ends the wait for
/// it, held back or not. @throws Error saying why there is none.
std::string user_file(Arguments const& arguments, std::string const& path, std::size_t cap);

}  // namespace rocmtune
