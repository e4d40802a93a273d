// SPDX-License-Identifier: MIT
// Data by name: from the directories of administrator, user and command line, else embedded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/plan_data.hpp"
#include "measure/arguments.hpp"

namespace rocmtune {

/// A file of ours such as "schema/report.schema.json". @throws Error if it exists nowhere.
std::string data_file(Arguments const& arguments, std::string const& name);

/// The profiles in force. @throws Error with file and JSON pointer for malformed ones.
ChipSet chips_for(Arguments const& arguments);

/// The same for who applies their rules: a variable that the catalogue does not know, or a value
/// that its reader does not take, is an error too.
ChipSet chips_for(Arguments const& arguments, Catalogue const& catalogue);

/// The catalogue in force: variables.json and names.json of the same directories. @throws likewise.
Catalogue catalogue_for(Arguments const& arguments);

/// What plan rests on: the plan.json of the directory with the highest precedence that has one, as
/// a whole, else the embedded one. @throws Error with file and JSON pointer.
PlanData plan_data_for(Arguments const& arguments);

/// Names of the built-in examples, sorted.
std::vector<std::string> example_names();

}  // namespace rocmtune
