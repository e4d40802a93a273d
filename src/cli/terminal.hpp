// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.hpp"
#include "render/text.hpp"

namespace rocmtune {

/// How text can look on standard output: colour only on a terminal that wants it (NO_COLOR,
/// CLICOLOR_FORCE, TERM), width from the terminal or COLUMNS, else 100; UTF-8 by locale.
TextStyle terminal_style(Arguments const& arguments);

/// The width alone, for help texts: 60 to 100 columns.
std::size_t help_width();

}  // namespace rocmtune
