// SPDX-License-Identifier: MIT
// Makefiles: what export hands to every recipe, and what the lines of recipes set themselves. Only
// GNU make's forms.
#include <set>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// Lines that a backslash at their ends makes one; the text has them as they stand.
struct MakeLine {
    string_view text;
    std::size_t number;
};

class MakefileReader {
  public:
    explicit MakefileReader(InputText const& input)
        : input_(input), assignments_(input), last_scope_(input.first_scope) {}

    std::vector<Assignment> read() {
        for (std::size_t at = 0; at < input_.text.size();) take(next_line(at));
        for (auto& one : assignments_.all)
            one.exported = one.exported || exports_all_ || exported_.contains(one.name);
        // What a makefile keeps for itself is no setting of a program.
        std::erase_if(assignments_.all, [](Assignment const& one) { return !one.exported; });
        return assignments_.take();
    }

  private:
    MakeLine next_line(std::size_t& at) {
        MakeLine line{.text = input_.text.substr(at), .number = line_};
        std::size_t end = 0;
        for (bool continues = true; continues;) {
            end = line.text.find('\n', end);
            continues = end != line.text.npos && end > 0 && line.text[end - 1] == '\\';
            if (end != line.text.npos) ++end, ++line_;
        }
        if (end != line.text.npos) line.text = line.text.substr(0, end - 1);
        at += line.text.size() + 1;
        return line;
    }

    void take(MakeLine const& line) {
        if (line.text.starts_with('\t')) return recipe(line);
        auto const text = trim(line.text);
        if (text.empty() || text.front() == '#') return;
        auto const word = text.substr(0, text.find_first_of(" \t"));
        if (word == "define") is_defining_ = true;
        else if (word == "endef") is_defining_ = false;
        else if (is_one_of(word, {"ifeq", "ifneq", "ifdef", "ifndef"})) ++conditions_;
        else if (word == "endif") conditions_ -= conditions_ > 0 ? 1 : 0;
        else if (!is_defining_) statement(line);
    }

    /// export NAME=VALUE, export NAME ..., export, NAME = VALUE, TARGET: export NAME=VALUE
    void statement(MakeLine const& line) {
        auto at = line.text.find_first_not_of(" \t");
        auto const own_scope = assignments_.scope;
        if (auto const colon = target_end(line.text); colon != line.text.npos) {
            at = line.text.find_first_not_of(" \t", colon + 1);
            if (at == line.text.npos) return;
            assignments_.scope = ++last_scope_;
        }
        bool exports = false;
        for (string_view const word : {"override", "export"}) {
            auto const rest = line.text.substr(at);
            bool const is_whole = rest.starts_with(word) &&
                                  (rest.size() == word.size() || is_blank(rest[word.size()]));
            if (!is_whole) continue;
            exports = exports || word == "export";
            at = std::min(line.text.find_first_not_of(" \t\r", at + word.size()), line.text.size());
        }
        definition(line, at, exports);
        assignments_.scope = own_scope;
    }

    /// Where the targets of a rule end; npos for a line that is none.
    static std::size_t target_end(string_view line) {
        auto const colon = line.find(':');
        auto const equals = line.find('=');
        bool const assigns = equals != line.npos && (equals < colon || equals == colon + 1 ||
                                                     equals == colon + 2 || equals == colon + 3);
        return colon == line.npos || (assigns && line.find_first_not_of(":", colon) == equals)
                   ? line.npos
                   : colon;
    }

    void definition(MakeLine const& line, std::size_t at, bool exports) {
        auto const rest = line.text.substr(at);
        auto const equals = rest.find('=');
        if (equals == rest.npos) {
            if (!exports) return;
            exports_all_ = exports_all_ || trim(rest).empty();
            for (auto const name : words(rest)) exported_.emplace(name);
            return;
        }
        auto const name_end = std::min(rest.find_first_of(" \t:?+!="), equals);
        auto const name = rest.substr(0, name_end);
        auto const sign = trim(rest.substr(name_end, equals - name_end));
        if (!is_variable_name(name)) return;
        auto const value = trim(rest.substr(equals + 1, rest.find('#', equals) - equals - 1));
        bool const is_plain =
            sign != "+" && sign != "!" && value.find_first_of("$\\") == value.npos;
        auto& one = assignments_.add(
            name, is_plain ? std::optional(std::string(value)) : std::nullopt, line.number, at + 1);
        one.exported = exports;
        one.conditional = conditions_ > 0 || sign == "?";
        one.in_branch = conditions_ > 0;
        one.builds = true;
    }

    /// Each line has a shell of its own. What make puts in place of $(NAME) is not known here.
    void recipe(MakeLine const& line) {
        auto const from = std::min(line.text.find_first_not_of("\t @-+"), line.text.size());
        auto found =
            read_shell(assignments_.part(line.text.substr(from), ++last_scope_, line.number));
        assignments_.add_part(std::move(found), last_scope_, [&](Assignment& one) {
            if (one.line == line.number) one.column += from;
            if (one.value && one.value->find('$') != std::string::npos) one.value.reset();
            one.conditional = true;
            one.builds = true;
        });
    }

    InputText const& input_;
    AssignmentList assignments_;
    std::size_t last_scope_;
    std::size_t line_ = input_.first_line;
    std::size_t conditions_ = 0;
    bool is_defining_ = false;
    bool exports_all_ = false;
    std::set<std::string, std::less<>> exported_ = {};
};

}  // namespace

std::vector<Assignment> read_makefile(InputText const& input) {
    return MakefileReader(input).read();
}

}  // namespace rocmtune
