// SPDX-License-Identifier: MIT
// Jupyter notebooks: cells of Python with lines for the shell, cells of shells, and Markdown. A
// notebook is JSON, which is read as YAML, since that tree knows the lines.
// https://nbformat.readthedocs.io/en/latest/format_description.html
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/yaml_tree.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// JSON writes a character beyond 16 bits as two halves, which YAML refuses one by one. Each half
/// becomes a question mark of the same length.
std::string without_halves(string_view text) {
    std::string plain(text);
    constexpr string_view question_mark = "\\u003f";
    for (auto at = plain.find("\\u"); at != plain.npos; at = plain.find("\\u", at + 2)) {
        auto const digits = lower(string_view(plain).substr(at + 2, 2));
        if (digits >= "d8" && digits <= "df" && at + question_mark.size() <= plain.size())
            plain.replace(at, question_mark.size(), question_mark);
    }
    return plain;
}

/// The text of a cell, and which scalar each of its lines stands in.
struct Cell {
    std::string text = {};
    std::vector<YamlNode const*> lines = {};
};

Cell cell_of(YamlNode const* source) {
    Cell cell;
    if (source == nullptr) return cell;
    auto const add = [&](YamlNode const* part) {
        if (!part->is_scalar()) return;
        cell.text += part->text;
        auto const count = std::ranges::count(part->text, '\n') + 1;
        cell.lines.insert(cell.lines.end(), static_cast<std::size_t>(count), part);
        // The next part goes on behind the line break of this one.
        if (part->text.ends_with('\n')) cell.lines.pop_back();
    };
    if (source->is_scalar()) add(source);
    for (auto const& member : source->members) add(member.value);
    return cell;
}

/// What a cell is by its first line: %%bash, %%script sh, %%writefile train.sh; else Python.
/// Nothing for a file of an unknown kind.
std::optional<InputKind> kind_of_cell(string_view text) {
    auto const first = text.substr(0, text.find('\n'));
    auto const all = words(first);
    if (all.empty() || !all.front().starts_with("%%")) return InputKind::python;
    if (all.front() == "%%writefile" || all.front() == "%%file") return kind_of(all.back(), "");
    auto const shell = all.front() == "%%script" ? all.back() : all.front().substr(2);
    return is_one_of(shell, {"bash", "sh"}) ? InputKind::shell : InputKind::python;
}

/// A cell of Python in two texts of as many lines: what Python runs, and the lines that a shell
/// does (!command) or that set a variable (%env NAME=VALUE).
struct Parts {
    std::string python = {};
    std::string shell = {};
    std::set<std::size_t> settings = {};  ///< lines of %env, from 1
};

Parts parts_of(string_view text) {
    Parts parts;
    bool continues = false;
    std::size_t number = 0;
    for (auto const line : split(text, '\n')) {
        ++number;
        auto const first = std::min(line.find_first_not_of(' '), line.size());
        auto const code = line.substr(first);
        auto const magic = code.starts_with("%env ")       ? std::size_t{5}
                           : code.starts_with("%set_env ") ? std::size_t{9}
                           : code.starts_with('!')         ? std::size_t{1}
                                                           : std::size_t{0};
        if (magic > 1) parts.settings.insert(number);
        if (magic > 0) parts.shell.append(first + magic, ' ').append(code.substr(magic));
        else if (continues) parts.shell += line;
        else if (!code.starts_with('%')) parts.python += line;
        continues = (magic > 0 || continues) && line.ends_with('\\');
        parts.python += '\n';
        parts.shell += '\n';
    }
    return parts;
}

class NotebookReader {
  public:
    explicit NotebookReader(InputText const& input) : input_(input), assignments_(input) {}

    std::vector<Assignment> read() {
        auto const tree = parse_yaml(without_halves(input_.text), input_.first_line);
        for (auto const* root : tree.roots) {
            auto const* kernel = find_member(find_member(root, "metadata"), "kernelspec");
            auto const* language = find_member(kernel, "language");
            is_shell_ = language != nullptr && language->text == "bash";
            for (auto const& cell : members_of(find_member(root, "cells"))) add_cell(cell.value);
        }
        return assignments_.take();
    }

  private:
    void add_cell(YamlNode const* node) {
        auto const* type = find_member(node, "cell_type");
        auto const cell = cell_of(find_member(node, "source"));
        if (type == nullptr || cell.lines.empty()) return;
        if (type->text == "markdown") return add(cell.text, InputKind::markdown, cell);
        if (type->text != "code") return;
        auto const kind = is_shell_ ? InputKind::shell : kind_of_cell(cell.text);
        if (!kind) return;
        if (*kind != InputKind::python) return add(cell.text, *kind, cell);
        auto const parts = parts_of(cell.text);
        add(parts.python, InputKind::python, cell);
        add(parts.shell, InputKind::shell, cell, parts.settings);
    }

    void add(string_view text, InputKind kind, Cell const& cell,
             std::set<std::size_t> const& settings = {}) {
        auto part = assignments_.part(text, ++assignments_.scope);
        part.kind = kind;
        assignments_.add_part(read_if_whole(part), assignments_.scope, [&](Assignment& one) {
            if (settings.contains(one.line)) one.exported = true;
            auto const& at = *cell.lines[std::min(one.line, cell.lines.size()) - 1];
            one.line = at.line;
            one.column += at.column - 1;
        });
    }

    InputText const& input_;
    AssignmentList assignments_;
    bool is_shell_ = false;
};

}  // namespace

std::vector<Assignment> read_notebook(InputText const& input) {
    return NotebookReader(input).read();
}

}  // namespace rocmtune
