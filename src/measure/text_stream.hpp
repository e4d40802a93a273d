// SPDX-License-Identifier: MIT
// Texts that the user named, of any length: handed on piece by piece, none is held.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "measure/input_files.hpp"

namespace rocmtune {

/// Hands what a file, a pipe or standard input ("-") holds to `take`. Reading ends early when the
/// patience is over, when a signal is held back that asks this program to end, and after 4 GiB.
/// Returns why it ended early; empty if the text was read to its end.
/// @throws Error for what cannot be read, and for a compressed file.
std::string stream_text(std::string const& path, std::function<void(std::string_view)> const& take,
                        FilePatience patience);

}  // namespace rocmtune
