// SPDX-License-Identifier: MIT
// The libraries and Python packages of this host that read environment variables, and what a scan
// of them finds. A cache saves scanning what has not changed.
#pragma once

#include <string>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "rocmtune/assignment.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Every environment variable that is known by name and belongs to the stack; the texts live as
/// long as the catalogue. A family stands there without its number mark.
std::vector<std::string_view> names_to_find(Catalogue const& catalogue);

/// Files of the ROCm installations and frameworks of a host, each once; without names so far.
/// Looks into the directories of this machine: only for a host that was not recorded.
std::vector<ReaderFile> installed_reader_files(Host const& host);

/// Fills in the names. `cache_directory` is the user's own, or empty; what is kept there is taken
/// where path, time of change, size and build id are still the same.
void scan_reader_files(std::vector<ReaderFile>& files, std::vector<std::string_view> const& names,
                       std::string const& cache_directory);

}  // namespace rocmtune
