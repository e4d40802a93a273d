// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// An env script for a shell of the POSIX family. `save` defines _rocmtune_save NAME, which notes
/// how a variable stands and fails if it cannot be changed; `undo` defines _rocmtune_undo NAME
/// [VALUE], which restores that, unless the variable was changed since.
std::string posix_script(Report const& report, std::string_view format, std::string_view use,
                         std::string_view save, std::string_view undo);

}  // namespace rocmtune
