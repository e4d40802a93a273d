// SPDX-License-Identifier: MIT
// The files of rocmtune check: --expect, --learn, --baseline, --ignore.
#pragma once

#include <string>
#include <vector>

#include "checks/expectations.hpp"
#include "cli/arguments.hpp"

namespace rocmtune {

/// What --expect and --expect-gpus say. @throws Error with file and key for what cannot be
/// expected.
Expectations expectations_of(Arguments const& arguments);

/// The text of an --expect file.
std::string expectations_text(Expectations const& expected);

/// The GPUs of a report that rocmtune wrote as JSON. @throws Error for anything else.
std::vector<GpuCounters> baseline_of(Arguments const& arguments);

/// The lines of --ignore. @throws Error that names the line.
std::vector<Accepted> accepted_of(Arguments const& arguments);

}  // namespace rocmtune
