// SPDX-License-Identifier: MIT
// Data by name: from --profiles DIR if it is there, else embedded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "knowledge/catalogue.hpp"

namespace rocmtune {

/// A file of ours such as "schema/report.schema.json". @throws Error if it exists nowhere.
std::string data_file(Arguments const& arguments, std::string const& name);

/// The profiles in force. @throws Error with file and JSON pointer for malformed ones.
ChipSet chips_for(Arguments const& arguments);

/// The catalogue of variables in force. @throws Error likewise.
Catalogue catalogue_for(Arguments const& arguments);

/// Names of the built-in examples, sorted.
std::vector<std::string> example_names();

/// The whole of a file that the user named, up to `cap` bytes. @throws Error that says why not.
std::string user_file(std::string const& path, std::size_t cap);

}  // namespace rocmtune
