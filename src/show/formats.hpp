// SPDX-License-Identifier: MIT
// The output formats, one row each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/report.hpp"
#include "show/layout.hpp"

namespace rocmtune {

struct Format {
    std::string_view name;
    std::string_view about;
    std::string (*render)(Report const&, TextStyle const&);
    std::string_view commands = "*";            ///< the command that has it; *: each
    int (*exit_code)(Report const&) = nullptr;  ///< codes of another system; null: our own
    bool elsewhere = false;  ///< shows settings for a process that does not get this environment
};

/// What a report tells people: its command's document for a screen, as Markdown, as a page that
/// needs neither another file nor the network.
std::string as_text(Report const& report, TextStyle const& style);
std::string as_markdown(Report const& report, TextStyle const& style);
std::string as_page(Report const& report, TextStyle const& style);

/// The format of this name that a command has, or null.
Format const* find_format(std::string_view name, std::string_view command);

/// Those of one command.
std::vector<Format const*> formats_of(std::string_view command);

}  // namespace rocmtune
