// SPDX-License-Identifier: MIT
// Modulefiles in Tcl (setenv NAME VALUE) and in Lua (setenv("NAME", "VALUE")).
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

using std::string_view;

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

bool is_one_of(string_view word, std::initializer_list<string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

void add(std::string const& command, std::vector<Argument> const& arguments, InputText const& input,
         std::vector<Assignment>& assignments) {
    bool const sets = is_one_of(command, {"setenv", "pushenv"});
    bool const extends =
        is_one_of(command, {"prepend-path", "append-path", "prepend_path", "append_path"});
    bool const removes = is_one_of(command, {"unsetenv"});
    if (!(sets || extends || removes) || arguments.empty()) return;
    auto const& name = arguments.front();
    if (name.is_open || !is_variable_name(name.text)) return;
    Assignment assignment{.name = name.text,
                          .file = input.file,
                          .line = name.line,
                          .column = name.column,
                          .kind = input.kind,
                          .unset = removes,
                          .scope = input.first_scope};
    // A path in front of others: the whole value is not known here.
    if (sets && arguments.size() > 1 && !arguments[1].is_open) assignment.value = arguments[1].text;
    make_room(assignments);
    assignments.push_back(std::move(assignment));
}

}  // namespace

std::vector<Assignment> read_modulefile(InputText const& input) {
    std::vector<Assignment> assignments;
    Cursor cursor(input.text, input.first_line);
    while (!cursor.at_end()) {
        while (is_blank(cursor.peek())) cursor.take();
        auto const command = take_word(cursor);
        if (!command.starts_with('#') && !command.starts_with("--"))
            add(command, ArgumentReader(cursor).read(), input, assignments);
        cursor.take_line();
        cursor.skip(1);
    }
    return assignments;
}

}  // namespace rocmtune
