// SPDX-License-Identifier: MIT
// How old what the program knows is.
#pragma once

#include <string>
#include <string_view>

namespace rocmtune {

/// Date of the newest text that the data in force rests on, "2026-09-11": that of the built-in data
/// unless newer data have taken its place.
std::string_view data_date();

/// For who puts other data in force, before anything was printed.
void set_data_date(std::string date);

/// Whether a text is more than a year older than the data in force, of which it then is a part that
/// nobody has read anew. Dates are "2026-08-31", "2026-08" or "2026", of which the last month
/// counts; whatever is no such date (a version, nothing) is not old.
bool is_old_text(std::string_view date);

/// What is said behind the date of such a text: ", over a year before these data". Empty for
/// others.
std::string_view old_text_note(std::string_view date);

}  // namespace rocmtune
