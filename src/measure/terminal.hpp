// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "measure/arguments.hpp"
#include "show/layout.hpp"

namespace rocmtune {

/// How text can look on standard output: colour only on a terminal that wants it (NO_COLOR,
/// CLICOLOR_FORCE, TERM), width from the terminal or COLUMNS, else 100; UTF-8 by locale.
TextStyle terminal_style(Arguments const& arguments);

/// The width alone, for help texts: 60 to 100 columns.
std::size_t help_width();

/// The width of the terminal that standard error is; nothing if it is none.
std::optional<std::size_t> error_width();

}  // namespace rocmtune
