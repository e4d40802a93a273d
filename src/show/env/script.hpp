// SPDX-License-Identifier: MIT
// What the env formats share: comments, and checks of what a format can carry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// What the values of a format may hold. NUL is never among it: no environment can hold it.
enum class Carries {
    bytes,    ///< anything
    text,     ///< UTF-8, line ends included
    one_line  ///< UTF-8 without control characters
};

/// The settings of a report, after a check of every name and value.
/// @throws Error that names the variable and what the format cannot carry.
Settings const& checked_settings(Report const& report, std::string_view format, Carries carries);

/// Whether a text is UTF-8 without line ends and other control characters.
bool is_one_line(std::string_view text);

/// Sentences as comment lines of at most 100 columns (a longer word keeps its line), each behind
/// `mark`. Whatever the text holds, no line ends in a backslash, none holds a control character,
/// and of `avoid` no character is left.
std::string comment(std::string_view text, std::string_view mark = "# ",
                    std::string_view avoid = {});

/// Who made the script, for which host and selection; `use` says how to use it.
std::string header(Report const& report, std::string_view use, std::string_view avoid = {});

/// Why one variable is set or cleared, who says so, and what becomes of a value it has already.
std::string reason(Setting const& setting, std::string_view mark = "# ",
                   std::string_view avoid = {});

/// What was not decided and why, and advice that no variable can carry.
std::string remarks(Report const& report, std::string_view avoid = {});

/// What tells one format from another.
struct Dialect {
    std::string_view format;
    Carries carries = Carries::bytes;
    std::string_view first = {};  ///< what stands above all comments
    std::string_view use;         ///< how to use it
    std::string_view avoid = {};  ///< characters that no comment may hold
    bool is_airy = true;          ///< an empty line stands before each setting
    std::string (*lines)(Setting const&, bool force);
};

/// Comments, what comes first, each setting with its reason, what comes last, remarks.
/// @throws Error as checked_settings
std::string script(Report const& report, Dialect const& dialect, std::string_view opening = {},
                   std::string_view ending = {});

}  // namespace rocmtune
