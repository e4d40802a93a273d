// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "system/guard.hpp"

namespace rocmtune {

/// The query log of a run in the text format of rocmtune-host(5): what was asked, with its answer,
/// misses included; what was not asked is "not recorded". `environment` is a block of
/// "NAME=VALUE\0", already freed of what must not be written.
std::string write_host_text(QueryLog const& log, std::string_view environment,
                            std::string_view label);

}  // namespace rocmtune
