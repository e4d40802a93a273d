// SPDX-License-Identifier: MIT
// Newer data of the system (the package rocmtune-data) in place of those of the program.
#pragma once

#include <functional>

#include "measure/data_files.hpp"

namespace rocmtune {

/// Where newer data lie, in the order in which equally new ones count. ROCMTUNE_DATA names one
/// folder in their place; empty: none.
inline constexpr char const* data_folders[] = {"/usr/local/share/rocmtune/data",
                                               "/usr/share/rocmtune/data"};
inline constexpr char const* data_variable = "ROCMTUNE_DATA";

/// Puts the newest set of data in force that is newer than the built-in one, that root alone can
/// have written and that `proof` reads without an Error; else the built-in data stay. A child reads
/// and proves them, for at most `patience` of the choice. Sets that are broken or older are named
/// once on standard error and among directories_not_read(). To be called before anything is read
/// of the data.
void take_system_data(DataChoice const& choice, std::function<void()> const& proof);

/// The folder of the data in force; empty: they are built in.
std::string const& folder_of_data();

}  // namespace rocmtune
