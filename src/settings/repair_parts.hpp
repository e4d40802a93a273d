// SPDX-License-Identifier: MIT
// One maker of edits for each form of settings; Mender chooses. They look at no more than the
// statement and its surroundings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "settings/repair.hpp"

namespace rocmtune {

/// A setting whose name stands at `at`, and what is to become of it.
struct MendedPlace {
    SourceLines const& lines;
    std::size_t at;
    Repair const& repair;
    std::optional<std::string> value;  ///< that it has now; absent: not known
    InputKind kind;

    std::string_view text() const { return lines.text(); }
    std::string_view name() const { return repair.name; }
    std::size_t name_end() const { return at + name().size(); }
    bool renames() const { return repair.kind == Repair::Kind::rename; }
    bool removes() const { return repair.kind == Repair::Kind::remove; }
    std::string_view slice(std::size_t begin, std::size_t end) const {
        return text().substr(begin, end - begin);
    }
};

/// Lines that a backslash at their ends makes one, by their numbers.
struct JoinedLines {
    std::size_t first, last;
};

/// The line that holds a byte, with those that it is joined with.
JoinedLines joined_lines(SourceLines const& lines, std::size_t at);

/// An item of a list, and the items beside it.
struct ListItem {
    std::size_t begin, end;
    std::size_t previous_end;              ///< of the item or keyword before it
    std::optional<std::size_t> next = {};  ///< where the next one begins
};

/// Takes the item out with the blanks and joined lines around it.
Edit without_item(std::string_view text, ListItem const& item);

/// The whole lines from that of `begin` to that of `end`.
Edit without_lines(SourceLines const& lines, std::size_t begin, std::size_t end);

/// The new name over the old one.
Edit renamed_at(MendedPlace const& place);

/// The new value over the text [begin, end), which has the old one, in quotes or not. Nothing where
/// it stands there in another way, or where the new one would need quotes.
std::optional<Edit> value_at(MendedPlace const& place, std::size_t begin, std::size_t end);

/// Whether nothing in the text means anything to a shell, in YAML or in Python.
bool is_plain_value(std::string_view value);

std::optional<Edit> shell_edit(MendedPlace const& place);
std::optional<Edit> dotenv_edit(MendedPlace const& place);
std::optional<Edit> dockerfile_edit(MendedPlace const& place);
std::optional<Edit> systemd_edit(MendedPlace const& place);
std::optional<Edit> modulefile_edit(MendedPlace const& place);
std::optional<Edit> python_edit(MendedPlace const& place);
std::optional<Edit> nix_edit(MendedPlace const& place);
std::optional<Edit> yaml_edit(MendedPlace const& place);

}  // namespace rocmtune
