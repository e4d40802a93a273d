// SPDX-License-Identifier: MIT
// What the reader of a variable takes, in words for people.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "knowledge/catalogue.hpp"

namespace rocmtune {

/// "a whole number from 1 to 32", "a truth value (0 or 1)", "NORMAL=1, FAST=2", ...; empty for what
/// is no variable.
std::string accepted_values(Variable const& variable);

/// The usual spellings of a truth value, the shortest first.
inline constexpr std::array<std::string_view, 4> spellings_of_on{"1", "true", "True", "TRUE"};
inline constexpr std::array<std::string_view, 4> spellings_of_off{"0", "false", "False", "FALSE"};

/// The first spelling that the reader takes with this meaning; empty if none is.
std::string_view accepted_spelling(Variable const& variable,
                                   std::span<std::string_view const> spellings,
                                   std::string_view meaning);

}  // namespace rocmtune
