// SPDX-License-Identifier: MIT
// Which data every command rests on, and how old they are.
#pragma once

#include <string>

#include "measure/data_files.hpp"

namespace rocmtune {

/// Takes newer data of the system, if there are any that every part of the program can read.
/// Comes before anything is read of the data.
void take_newer_data(DataChoice const& choice);

/// The data in force with their components and dates, for --version -v.
std::string data_age_text();

}  // namespace rocmtune
