// SPDX-License-Identifier: MIT
// The files of rocmtune check and lint: --expect, --learn, --baseline, --ignore.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/checks/checks.hpp"
#include "measure/arguments.hpp"

namespace rocmtune {

/// What --expect and --expect-gpus say. @throws Error with file and key for what cannot be
/// expected.
Expectations expectations_of(Arguments const& arguments);

/// The text of an --expect file.
std::string expectations_text(Expectations const& expected);

/// What a report that rocmtune wrote as JSON says of GPUs. @throws Error for anything else, also
/// for one without GPUs: nothing could be compared with it.
std::optional<Baseline> baseline_of(Arguments const& arguments);

/// The lines of --ignore: words of check, or identifiers and classes of lint, whose subjects are
/// variables or patterns of files. @throws Error that names the line.
std::vector<Accepted> accepted_of(Arguments const& arguments);
std::vector<Accepted> accepted_settings_of(Arguments const& arguments);

/// A finding of lint in an earlier report.
struct BaselineSetting {
    std::string id, file, name, value;  ///< value is empty where it is not known
};

/// The findings of a report of lint. @throws Error for anything else.
std::vector<BaselineSetting> lint_baseline_of(Arguments const& arguments);

/// Today in UTC, as the dates of --ignore are written.
std::string today_in_utc();

}  // namespace rocmtune
