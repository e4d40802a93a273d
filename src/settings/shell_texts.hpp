// SPDX-License-Identifier: MIT
// Texts inside a shell script that are read for themselves: what it prints or writes into files,
// and what it gives to another shell.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "settings/collect.hpp"
#include "settings/shell_lexer.hpp"

namespace rocmtune {

using ShellWords = std::span<ShellToken const>;

/// Each text has an environment of its own. In a text that a script has written none is looked for.
class ShellTexts {
  public:
    /// Both must stay. `assignments` says where scopes begin, and how much may be repeated.
    ShellTexts(InputText const& input, AssignmentList const& assignments)
        : input_(input), assignments_(assignments) {}

    /// The number of an environment that no other part of the script has.
    std::size_t new_scope() { return assignments_.scope + ++other_scopes_; }

    /// The words of a command, which may have a script among them.
    void command(ShellWords words);
    /// echo and printf with these words. `has_escapes`: \n is the end of a line there.
    void prints(bool has_escapes, ShellWords words);
    /// A command that reads YAML of its input, if the words say so.
    void reads_manifest(std::string_view name, ShellWords words);
    /// A command, or a redirection, that writes this file.
    void writes(std::string target) {
        target_ = target;
        printed_to_ = std::move(target);
    }
    void end_pipe();
    /// `body`: the here-document of the line that ended.
    void end_line(std::optional<ShellLexer::Body> const& body);

    /// The settings that were found.
    std::vector<Assignment> take() { return std::move(found_); }

  private:
    /// What a command of this pipe prints: its place in the text.
    struct Printed {
        std::size_t begin = 0, end = 0, line = 0, column = 0;
        bool has_escapes = false;  // printf, echo -e
    };

    void script_in(ShellToken const& word, std::size_t skipped);
    void add(std::string_view text, InputKind kind, std::size_t first_line, std::size_t column,
             bool is_expanded);

    InputText const& input_;
    AssignmentList const& assignments_;
    std::size_t other_scopes_ = 0;
    std::string target_ = {};  // the file that the line writes
    std::optional<Printed> printed_ = {};
    std::string printed_to_ = {};  // the file that this pipe writes
    std::vector<Assignment> found_ = {};
};

}  // namespace rocmtune
