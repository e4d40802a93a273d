// SPDX-License-Identifier: MIT
// What a process sees, as text: a table for `probe --visible`, lines for the summary.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "show/text.hpp"

namespace rocmtune {

/// A line for each GPU that ROCr shows, with its number in every runtime, and an empty line below;
/// nothing if there is no such GPU. Where the host has more GPUs, which are left out, only those
/// that it has here.
std::string visibility_table(Host const& host, Visibility const& visibility, std::uint64_t left_out,
                             TextStyle const& style);

/// Labels and texts about all GPUs. With --visible, all notes; otherwise one line.
std::vector<std::pair<std::string, std::string>> visibility_lines(Host const& host,
                                                                  Visibility const& visibility,
                                                                  std::uint64_t left_out);

}  // namespace rocmtune
