// SPDX-License-Identifier: MIT
// Literal os.environ["NAME"] = "VALUE", os.environ.setdefault, os.putenv and their removal in
// Python, also on copies of os.environ. What a program computes is left alone.
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

class PythonReader {
  public:
    explicit PythonReader(InputText const& input)
        : text_(input.text), cursor_(input.text, input.first_line), assignments_(input) {}

    std::vector<Assignment> read() {
        char before = '\n';
        while (!cursor_.at_end()) {
            auto const c = cursor_.peek();
            if (c == '#') cursor_.take_line();
            else if (c == '"' || c == '\'') (void)take_string();
            else if (!is_name_character(before) && before != '.') statement();
            if (cursor_.at_end()) break;
            before = cursor_.take();
        }
        return assignments_.take();
    }

  private:
    /// Leaves the cursor where the statement ends, or where it was if there is none.
    void statement() {
        line_begins_with_del_ = is_copy_ = false;
        is_indented_ = cursor_.column() > 1;
        begin_ = cursor_.place();
        if (cursor_.starts_with("del ")) {
            cursor_.skip(4);
            cursor_.skip_blanks();
            line_begins_with_del_ = true;
        }
        for (auto const* start : {"os.environ", "os.putenv", "os.unsetenv", "environ"})
            if (cursor_.starts_with(start)) {
                std::string_view const what = start;
                cursor_.skip(what.size());
                if (is_name_character(cursor_.peek())) return;
                return what == "os.putenv"     ? call(false, false)
                       : what == "os.unsetenv" ? call(true, false)
                                               : environ();
            }
        if (is_at_copy()) environ();
    }

    /// Takes the name of a copy of os.environ, if it stands here.
    bool is_at_copy() {
        auto const rest = cursor_.rest();
        auto const end = std::ranges::find_if_not(rest, is_name_character) - rest.begin();
        auto const name = rest.substr(0, static_cast<std::size_t>(end));
        is_copy_ = copies_.contains(name);
        if (is_copy_) cursor_.skip(name.size());
        return is_copy_;
    }

    /// env = os.environ.copy(), dict(os.environ) or {**os.environ, "NAME": "VALUE"}: what is
    /// started with it gets it.
    void copy() {
        constexpr std::size_t longest = 200;
        auto before = text_.substr(begin_ - std::min(begin_, longest), std::min(begin_, longest));
        before = trim(before.substr(before.rfind('\n') + 1));
        bool const is_map = before.ends_with("{**");
        if (is_map) before.remove_suffix(3);
        else if (before.ends_with("dict(")) before.remove_suffix(5);
        else if (!cursor_.starts_with(".copy(")) return;
        before = trim(before);
        if (before.ends_with('=')) {
            before = trim(before.substr(0, before.find_first_of(":=")));
            if (is_variable_name(before)) copies_.insert(before);
        }
        while (is_map && pair()) continue;
    }

    /// , "NAME": "VALUE"
    bool pair() {
        for (skip_space(); cursor_.peek() == ','; skip_space()) cursor_.take();
        is_copy_ = true;
        auto const name = take_name(':');
        if (!name) return false;
        auto value = take_whole_string();
        bool const goes_on = value.has_value();
        add(*name, std::move(value), false, false);
        return goes_on;
    }

    void skip_space() {
        while (is_blank(cursor_.peek()) || cursor_.peek() == '\n') cursor_.take();
    }

    void environ() {
        cursor_.skip_blanks();
        if (cursor_.peek() == '[') return subscript();
        if (!is_copy_) copy();
        if (cursor_.starts_with(".setdefault")) return cursor_.skip(11), call(false, true);
        if (cursor_.starts_with(".pop")) return cursor_.skip(4), call(true, false);
    }

    void subscript() {
        cursor_.take();
        auto const name = take_name(']');
        if (!name) return;
        if (line_begins_with_del_) return add(*name, std::nullopt, true, false);
        if (cursor_.peek() != '=' || cursor_.peek(1) == '=') return;
        cursor_.take();
        cursor_.skip_blanks();
        add(*name, take_whole_string(), false, false);
    }

    void call(bool removes, bool is_default) {
        cursor_.skip_blanks();
        if (cursor_.peek() != '(') return;
        cursor_.take();
        auto const name = take_name(removes ? '\0' : ',');
        if (name) add(*name, removes ? std::nullopt : take_whole_string(), removes, is_default);
    }

    /// A string, which is the name, and what has to stand behind it, if anything.
    std::optional<std::string> take_name(char behind) {
        cursor_.skip_blanks();
        line_ = cursor_.line();
        column_ = cursor_.column();
        auto name = take_string();
        cursor_.skip_blanks();
        if (behind == '\0') return name;
        if (cursor_.peek() != behind) return std::nullopt;
        cursor_.take();
        cursor_.skip_blanks();
        return name;
    }

    /// A string that is the whole expression.
    std::optional<std::string> take_whole_string() {
        auto value = take_string();
        cursor_.skip_blanks();
        auto const next = cursor_.peek();
        bool const ends = cursor_.at_end() || next == '\n' || next == ')' || next == ';' ||
                          next == '#' || next == ',' || next == '}';
        return ends ? value : std::nullopt;
    }

    /// A string without prefix; nothing if there is none, or if it has escapes.
    std::optional<std::string> take_string() {
        auto const quote = cursor_.peek();
        if (quote != '"' && quote != '\'') return std::nullopt;
        std::string_view const triple = quote == '"' ? "\"\"\"" : "'''";
        bool const is_triple = cursor_.starts_with(triple);
        cursor_.skip(is_triple ? 3 : 1);
        std::string text;
        bool plain = true;
        while (!cursor_.at_end()) {
            if (is_triple ? cursor_.starts_with(triple) : cursor_.peek() == quote) break;
            if (!is_triple && cursor_.peek() == '\n') return std::nullopt;
            if (cursor_.peek() == '\\') plain = false, cursor_.take();
            if (!cursor_.at_end()) text += cursor_.take();
        }
        cursor_.skip(is_triple ? 3 : 1);
        return plain ? std::optional(std::move(text)) : std::nullopt;
    }

    void add(std::string const& name, std::optional<std::string> value, bool removes,
             bool is_default) {
        if (!is_variable_name(name)) return;
        auto& assignment = assignments_.add(name, std::move(value), line_, column_ + 1);
        assignment.unset = removes;
        assignment.conditional = is_default || is_indented_;
        assignment.one_command = is_copy_;
        auto const owner = is_indented_ ? owner_line() : std::string_view();
        assignment.in_branch = is_asked_for(owner);
        assignment.for_gpus = gpus_of(owner);
    }

    /// Whether the statement is in a branch, or in a function that somebody may call or not.
    /// Programs set their variables in main, too.
    static bool is_asked_for(std::string_view owner) {
        if (!owner.starts_with("def ")) return !owner.empty() && !owner.starts_with("class ");
        auto const name = owner.substr(4, owner.find('(') - 4);
        return !is_one_of(trim(name), {"main", "__init__", "setup", "init", "configure"});
    }

    /// Those that the condition names: if arch in ("gfx1030", "gfx1031"):
    static std::vector<std::string> gpus_of(std::string_view owner) {
        bool const asks = owner.starts_with("if ") || owner.starts_with("elif ");
        if (!asks || owner.find("!=") != owner.npos || has_word(owner, "not", "")) return {};
        auto gpus = gpus_named_in(owner);
        if (gpus.size() > max_gpus_of_condition) gpus.clear();
        return gpus;
    }

    /// The line above that is indented less; empty for none.
    std::string_view owner_line() const {
        auto const line_begin = text_.rfind('\n', begin_) + 1;
        auto const depth = text_.find_first_not_of(" \t", line_begin) - line_begin;
        if (depth == 0) return {};
        constexpr std::size_t farthest = 200;  // lines
        auto end = line_begin;
        for (std::size_t seen = 0; end > 1 && seen < farthest; ++seen) {
            auto const begin = text_.rfind('\n', end - 2) + 1;
            auto const line = text_.substr(begin, end - begin);
            end = begin;
            auto const indent = line.find_first_not_of(" \t\r\n");
            if (indent == line.npos || indent >= depth || line[indent] == '#') continue;
            return line.substr(indent);
        }
        return {};
    }

    std::string_view text_;
    Cursor cursor_;
    AssignmentList assignments_;
    std::size_t begin_ = 0;  // of the statement in the text
    std::size_t line_ = 0, column_ = 0;
    bool line_begins_with_del_ = false;
    bool is_indented_ = false;  // in a function, a branch or a class
    bool is_copy_ = false;      // of os.environ
    std::set<std::string_view> copies_ = {};
};

}  // namespace

std::vector<Assignment> read_python(InputText const& input) {
    return PythonReader(input).read();
}

}  // namespace rocmtune
