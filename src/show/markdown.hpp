// SPDX-License-Identifier: MIT
// Markdown that foreign text cannot leave.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Text of one cell: nothing in it may end the cell, start a tag, a link or emphasis.
std::string markdown_cell(std::string_view text);

/// A table of GitHub's Markdown with an empty line behind it; nothing without rows. The cells are
/// texts and are escaped here.
std::string markdown_table(std::vector<std::string> const& headings,
                           std::vector<std::vector<std::string>> const& rows);

}  // namespace rocmtune
