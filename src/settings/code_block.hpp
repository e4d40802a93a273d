// SPDX-License-Identifier: MIT
// Code that a page shows.
#pragma once

#include <cstddef>
#include <string_view>

#include "settings/collect.hpp"

namespace rocmtune {

struct CodeBlock {
    std::string_view language;  ///< in lower case, as the page says it; may be empty
    std::string_view text;
    std::size_t first_line = 1;   ///< in the file
    std::size_t indentation = 0;  ///< bytes before each line that `text` does not have
};

/// Appends what the block sets, and begins a new scope. Pages show parts of files and templates:
/// a block that cannot be read, or in an unknown language, is passed over.
void add_code_block(CodeBlock const& block, AssignmentList& assignments);

}  // namespace rocmtune
