// SPDX-License-Identifier: MIT
// Text as mdoc(7) wants it, for the pages of the manual that are made from tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace rocmtune::mdoc {

struct NamedText {
    std::string_view name;
    std::string_view about;
};

/// Text of a line: a leading dot or quote would be a request, a backslash an escape; a hyphen stays
/// a hyphen.
std::string escaped(std::string_view text);

/// A line to be pasted, as one argument of a request: of more than one, quotes would be eaten and a
/// lone "." taken as the end of a sentence. groff makes typographic characters of some others.
std::string pasted(std::string_view text);

/// A sentence a line, as mdoc wants it: the formatter then knows where sentences end.
std::string sentences(std::string_view text);

/// Lines of text as mdoc wants them, at most 80 bytes: a page is also read as a source. Not broken
/// where the next line would be a request, or the formatter would see the end of a sentence.
std::string folded(std::string_view page);

/// What stands before the first section. `name` in lower case, `about` one line.
std::string page_head(std::string_view name, int section, std::string_view about);

std::string section(std::string_view name);

/// One item of a list; `name` is mdoc, `about` is text without a full stop.
std::string item(std::string_view name, std::string_view about);

/// An item of a list of examples: a line to be pasted.
std::string example_item(NamedText const& example);

std::string list_of(std::string_view items);

/// SEE ALSO, of pages such as "env 1" in their order.
std::string see_also(std::vector<std::string> const& pages);

/// Rows that have a name and say what it is about.
template <class Rows>
std::string list(Rows const& rows) {
    std::string items;
    for (auto const& row : rows) items += item(escaped(row.name), row.about);
    return list_of(items);
}

}  // namespace rocmtune::mdoc
