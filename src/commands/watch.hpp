// SPDX-License-Identifier: MIT
// rocmtune probe --watch: this host as it is now, look after look.
#pragma once

#include <functional>

#include "commands/commands.hpp"

namespace rocmtune {

/// A table that stays in its place on a terminal, else what `read` gives as a line of JSON a look;
/// with a flight record and without a terminal nothing, where no format is named: then it ends with
/// Exit::findings once the record is closed.
Exit watch_gpus(ProbeCommand const& options, std::function<Report()> const& read);

}  // namespace rocmtune
