// SPDX-License-Identifier: MIT
// --visible NAME=VALUE: the masks of a process that does not run yet.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "measure/arguments.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/visibility.hpp"

namespace rocmtune {

/// The variables of --visible; of a name given twice the last counts.
/// @throws Error for what is no NAME=VALUE of a mask.
std::map<std::string, std::string> given_masks(Arguments const& arguments);

/// What a process with the host's environment and these variables sees; absent where neither the
/// environment nor --visible has a mask.
std::optional<Visibility> visibility_of(Host const& host,
                                        std::map<std::string, std::string> const& given);

}  // namespace rocmtune
