// SPDX-License-Identifier: MIT
// A report that an option names: --baseline, --verified.
#pragma once

#include <string>

#include "measure/arguments.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// One report of rocmtune. @throws Error that says what is wrong with it: it is none, of a newer
/// major version, damaged, too large.
Report earlier_report(Arguments const& arguments, std::string const& file);

}  // namespace rocmtune
