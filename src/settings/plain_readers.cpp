// SPDX-License-Identifier: MIT
// Readers of texts without a grammar: /proc/PID/environ, NAME=VALUE lines, modulefiles.

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {

namespace {

using std::string_view;

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
    cursor.skip_blanks();
    auto const first = cursor.peek();
    // RCCL knows no quotes: they become a part of the value.
    bool const quoted = (first == '"' || first == '\'') && kind != InputKind::rccl_conf;
    auto value = quoted ? take_quoted(cursor) : take_bare(cursor);
    bool const expands = first != '\'' && kind != InputKind::rccl_conf;
    if (expands && value.find('$') != value.npos) return std::nullopt;
    return value;
}

/// One argument, or nothing where there is none.
struct Argument {
    std::string text = {};
    bool is_open = false;  ///< has to be expanded
    std::size_t line = 0, column = 0;
};

/// Arguments of a command, up to the end of the line or, in Lua, of the parentheses.
class ArgumentReader {
  public:
    explicit ArgumentReader(Cursor& cursor) : cursor_(cursor) {}

    std::vector<Argument> read() {
        std::vector<Argument> arguments;
        skip_blanks();
        is_lua_ = cursor_.peek() == '(';
        if (is_lua_) cursor_.take();
        while (true) {
            skip_blanks();
            if (cursor_.at_end() || cursor_.peek() == '\n' || cursor_.peek() == ';') break;
            if (is_lua_ && cursor_.peek() == ')') break;
            arguments.push_back(argument());
        }
        return arguments;
    }

  private:
    void skip_blanks() {
        while (is_blank(cursor_.peek()) || cursor_.starts_with("\\\n") ||
               (is_lua_ && cursor_.peek() == ','))
            cursor_.skip(cursor_.starts_with("\\\n") ? 2 : 1);
    }

    Argument argument() {
        Argument result{.line = cursor_.line(), .column = cursor_.column()};
        auto const first = cursor_.peek();
        if (first == '"' || (is_lua_ && first == '\'')) return quoted(std::move(result));
        if (first == '{') return braced(std::move(result));
        while (!cursor_.at_end() && !ends_bare(cursor_.peek())) {
            auto const c = cursor_.take();
            result.is_open = result.is_open || is_lua_ || c == '$' || c == '[';
            result.text += c;
        }
        return result;
    }

    bool ends_bare(char c) const {
        return is_blank(c) || c == '\n' || c == ';' || (is_lua_ && (c == ',' || c == ')'));
    }

    Argument quoted(Argument result) {
        auto const quote = cursor_.take();
        ++result.column;
        while (!cursor_.at_end() && cursor_.peek() != quote && cursor_.peek() != '\n') {
            if (cursor_.peek() == '\\') cursor_.take();
            if (cursor_.at_end()) break;
            auto const c = cursor_.take();
            result.is_open = result.is_open || (!is_lua_ && (c == '$' || c == '['));
            result.text += c;
        }
        cursor_.skip(1);
        return result;
    }

    Argument braced(Argument result) {
        cursor_.take();
        for (std::size_t depth = 1; !cursor_.at_end();) {
            auto const c = cursor_.take();
            if (c == '{') ++depth;
            if (c == '}' && --depth == 0) break;
            result.text += c;
        }
        return result;
    }

    Cursor& cursor_;
    bool is_lua_ = false;
};

std::string take_word(Cursor& cursor) {
    std::string word;
    while (!cursor.at_end() && !is_blank(cursor.peek()) && cursor.peek() != '\n' &&
           cursor.peek() != '(')
        word += cursor.take();
    return word;
}

void add(std::string const& command, std::vector<Argument> const& arguments,
         AssignmentList& assignments) {
    bool const sets = is_one_of(command, {"setenv", "pushenv"});
    bool const extends =
        is_one_of(command, {"prepend-path", "append-path", "prepend_path", "append_path"});
    bool const removes = is_one_of(command, {"unsetenv"});
    if (!(sets || extends || removes) || arguments.empty()) return;
    auto const& name = arguments.front();
    if (name.is_open || !is_variable_name(name.text)) return;
    auto& assignment = assignments.add(name.text, std::nullopt, name.line, name.column);
    assignment.unset = removes;
    // A path in front of others: the whole value is not known here.
    if (sets && arguments.size() > 1 && !arguments[1].is_open) assignment.value = arguments[1].text;
}

}  // namespace

/// NAME=VALUE, each with a NUL behind it.
std::vector<Assignment> read_environ(InputText const& input) {
    AssignmentList assignments(input);
    for (auto const entry : split(input.text, '\0')) {
        auto const parts = split_once(entry, '=');
        // The name of an exported function of bash is none that a program asks for.
        if (parts && is_variable_name(parts->first))
            assignments.add(parts->first, std::string(parts->second));
    }
    return assignments.take();
}

/// .env files, env files of containers, RCCL's configuration.
std::vector<Assignment> read_dotenv(InputText const& input) {
    AssignmentList assignments(input);
    Cursor cursor(input.text, input.first_line);
    while (!cursor.at_end()) {
        cursor.skip_blanks();
        auto line = cursor.line();
        auto column = cursor.column();
        auto name = take_name(cursor);
        cursor.skip_blanks();
        if (name == "export" && cursor.peek() != '=') {
            line = cursor.line(), column = cursor.column();
            name = take_name(cursor);
            cursor.skip_blanks();
        }
        if (cursor.peek() == '=' && is_variable_name(name)) {
            cursor.take();
            assignments.add(name, take_value(cursor, input.kind), line, column);
        }
        cursor.take_line();
        cursor.skip(1);
    }
    return assignments.take();
}

/// Tcl (setenv NAME VALUE) and Lua (setenv("NAME", "VALUE")).
std::vector<Assignment> read_modulefile(InputText const& input) {
    AssignmentList assignments(input);
    Cursor cursor(input.text, input.first_line);
    while (!cursor.at_end()) {
        cursor.skip_blanks();
        auto const command = take_word(cursor);
        if (!command.starts_with('#') && !command.starts_with("--"))
            add(command, ArgumentReader(cursor).read(), assignments);
        cursor.take_line();
        cursor.skip(1);
    }
    return assignments.take();
}

}  // namespace rocmtune
