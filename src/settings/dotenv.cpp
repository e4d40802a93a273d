// SPDX-License-Identifier: MIT
// NAME=VALUE lines: .env files, env files of containers, RCCL's configuration.
#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

void skip_blanks(Cursor& cursor) {
    while (is_blank(cursor.peek())) cursor.take();
}

std::string take_name(Cursor& cursor) {
    std::string name;
    while (!cursor.at_end() && !is_blank(cursor.peek()) && cursor.peek() != '=' &&
           cursor.peek() != '\n')
        name += cursor.take();
    return name;
}

/// A quoted value may go over several lines.
std::string take_quoted(Cursor& cursor) {
    auto const quote = cursor.take();
    std::string value;
    while (!cursor.at_end() && cursor.peek() != quote) {
        if (quote == '"' && cursor.peek() == '\\') cursor.take();
        if (!cursor.at_end()) value += cursor.take();
    }
    cursor.skip(1);
    return value;
}

/// Up to the end of the line or a comment, which needs a blank before it.
std::string take_bare(Cursor& cursor) {
    auto const line = cursor.take_line();
    auto end = line.size();
    for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) {
            end = i;
            break;
        }
    return std::string(trim(line.substr(0, end)));
}

/// The value, if it says itself what it is.
std::optional<std::string> take_value(Cursor& cursor, InputKind kind) {
    skip_blanks(cursor);
    auto const first = cursor.peek();
    // RCCL knows no quotes: they become a part of the value.
    bool const quoted = (first == '"' || first == '\'') && kind != InputKind::rccl_conf;
    auto value = quoted ? take_quoted(cursor) : take_bare(cursor);
    bool const expands = first != '\'' && kind != InputKind::rccl_conf;
    if (expands && value.find('$') != value.npos) return std::nullopt;
    return value;
}

}  // namespace

std::vector<Assignment> read_dotenv(InputText const& input) {
    std::vector<Assignment> assignments;
    Cursor cursor(input.text, input.first_line);
    while (!cursor.at_end()) {
        skip_blanks(cursor);
        auto line = cursor.line();
        auto column = cursor.column();
        auto name = take_name(cursor);
        skip_blanks(cursor);
        if (name == "export" && cursor.peek() != '=') {
            line = cursor.line(), column = cursor.column();
            name = take_name(cursor);
            skip_blanks(cursor);
        }
        if (cursor.peek() == '=' && is_variable_name(name)) {
            cursor.take();
            make_room(assignments);
            assignments.push_back({.name = std::move(name),
                                   .value = take_value(cursor, input.kind),
                                   .file = input.file,
                                   .line = line,
                                   .column = column,
                                   .kind = input.kind,
                                   .scope = input.first_scope});
        }
        cursor.take_line();
        cursor.skip(1);
    }
    return assignments;
}

}  // namespace rocmtune
