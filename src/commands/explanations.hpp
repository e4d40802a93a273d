// SPDX-License-Identifier: MIT
#pragma once

#include "rocmtune/report.hpp"

namespace rocmtune {

/// What explain says of every finding, message, advisory, variable, term and target of the data in
/// force, of no host: for who makes pages of it.
Report all_explanations();

}  // namespace rocmtune
