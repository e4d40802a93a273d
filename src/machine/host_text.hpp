// SPDX-License-Identifier: MIT
// The lines of rocmtune-host(5) as text: taken apart and put together. What the entries mean is
// known to text_source.cpp and text_writer.cpp alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host_source.hpp"

namespace rocmtune {

class QueryLog;

inline constexpr std::string_view host_text_header = "rocmtune-host 1";

/// @throws Error with `name` and the line for malformed text.
void check_host_text(std::string_view text, std::string const& name);

/// The query log of a run as such a text: what was asked, with its answer, misses included; what
/// was not asked is "not recorded", what was to be asked and was not reached says so. `environment`
/// is a block of "NAME=VALUE\0", already freed of what must not be written; nothing if it is not
/// known.
std::string write_host_text(QueryLog const& log, std::optional<std::string_view> environment,
                            std::string_view label);

/// One entry: its line and the TAB lines below it. Views into the text.
struct HostEntry {
    std::string_view
        head;  ///< the first word: "env", "call", "unreached", a path in its escaped form
    std::string_view body;  ///< what follows the blank, without the last line end

    bool is_path() const { return head.starts_with('/'); }
    /// The first word of the body: "=", "base64", "->", "dir", "listed", "error", "device".
    std::string_view kind() const { return body.substr(0, body.find_first_of(" \n")); }
};

/// The parts of a text before and behind the first `separator`; without one all of it is head.
HostEntry cut_at(std::string_view text, char separator);

/// All entries behind the first line, without comments and empty lines.
std::vector<HostEntry> host_entries(std::string_view text);

/// Backslashes and line ends as the format has them; blanks too in a path.
std::string escape_value(std::string_view text);
std::string escape_path(std::string_view path);
/// Undoes either, and any `\NNN` (octal).
std::string unescape_value(std::string_view text);

/// "read", "list", ...: what a query asks for, as a line `unreached` names it.
std::string_view operation_name(Operation operation);
std::optional<Operation> operation_of(std::string_view name);

/// RFC 4648 with padding.
std::string to_base64(std::string_view bytes);
/// Nothing if a character is foreign.
std::optional<std::string> from_base64(std::string_view text);

/// The body of an entry with this content, without the last line end: `= text`, `=` with TAB lines
/// below it, or `base64`. The value of a call has no line end of its own if it is one line.
std::string file_body(std::string_view content);
std::string call_body(std::string_view value);
/// What such a body says; nothing for other kinds of body.
std::optional<std::string> file_content(std::string_view body);
std::optional<std::string> call_value(std::string_view body);

}  // namespace rocmtune
