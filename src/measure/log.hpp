// SPDX-License-Identifier: MIT
#pragma once

#include "machine/guard.hpp"

namespace rocmtune {

/// Writes every query of a run with its outcome to standard error where ROCMTUNE_LOG is debug or
/// trace (with the text of short replies): how a user or a developer sees what was looked at.
void log_queries(QueryLog const& log);

}  // namespace rocmtune
