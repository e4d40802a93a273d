// SPDX-License-Identifier: MIT
// What readers of data share: how long they may take, and what is said of a folder that is not
// read.
#pragma once

#include <chrono>
#include <string>

#include "measure/data_files.hpp"

namespace rocmtune {

/// How long a process may read data: what the choice says, but one second at least, ten at most.
std::chrono::milliseconds reading_limit(DataChoice const& choice);

/// Notes a directory that nothing is taken of, and says so on standard error, once.
void go_on_without(std::string const& directory, NotRead const& what);

}  // namespace rocmtune
