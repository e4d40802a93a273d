// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/guard.hpp"

namespace rocmtune {

/// The query log of a run in the text format of rocmtune-host(5): what was asked, with its answer,
/// misses included; what was not asked is "not recorded", what was to be asked and was not reached
/// says so. `environment` is a block of "NAME=VALUE\0", already freed of what must not be written;
/// nothing if it is not known.
std::string write_host_text(QueryLog const& log, std::optional<std::string_view> environment,
                            std::string_view label);

}  // namespace rocmtune
