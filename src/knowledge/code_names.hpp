// SPDX-License-Identifier: MIT
// Names of variables that are never set, whoever asks.
#pragma once

#include <string_view>

namespace rocmtune {

/// Variables by which shells, loaders and interpreters find code. A profile that names them is
/// wrong or hostile, whatever its catalogue says.
bool finds_code(std::string_view name);

}  // namespace rocmtune
