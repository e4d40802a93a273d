// SPDX-License-Identifier: MIT
// The reader of shell scripts: shell.cpp has its walk over the script, shell_commands.cpp the
// commands that set variables.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "settings/collect.hpp"
#include "settings/shell_blocks.hpp"
#include "settings/shell_lexer.hpp"
#include "settings/shell_texts.hpp"
#include "settings/value_parts.hpp"

namespace rocmtune {

/// Reads one script from its begin to its end.
class ShellReader {
  public:
    explicit ShellReader(InputText const& input)
        : input_(input),
          lexer_(input.text, input.first_line),
          assignments_(input),
          texts_(input, assignments_) {}

    std::vector<Assignment> read();

  private:
    /// What was learnt of a variable so far.
    struct Name {
        std::optional<std::string> value = {};
        bool exported = false;
    };

    /// The value of a word behind its first `skipped` bytes, which are literal.
    ValueParts expand(ShellToken const& word, std::size_t skipped);
    /// The literal value of a variable so far, or null.
    std::string const* value_of(std::string const& name) const;
    /// The same, as long as the text may repeat so much.
    std::optional<std::string_view> repeated(std::string const& name);
    bool has_fallback(ShellToken const& word) const;
    static bool passes_on(ShellToken const& word, std::string_view name);

    void operation(std::string_view what);
    void command(ShellWords words);
    ShellWords keywords(ShellWords words);

    /// The assignment that a word NAME=VALUE makes; null if it is none.
    Assignment* assign(ShellToken const& word, bool quoted_too);
    Assignment& add(ShellToken const& at, std::string_view name, std::optional<std::string> value);
    void remove(ShellToken const& at, std::string_view name);

    void run(std::string_view name, ShellWords words);
    void export_names(ShellWords words);
    void declare(ShellWords words);
    ShellWords env(ShellWords words);
    static bool expands_to_more(ShellWords words);
    void env_within(ShellWords words);
    void set(ShellWords words);
    void setenv(ShellWords words);
    void container(ShellWords words);
    bool names_container_tool(ShellToken const& word) const;
    void array(ShellWords words);
    void option_assignments(ShellWords words, std::initializer_list<std::string_view> options);
    void unset(ShellWords words);
    std::string file_name(ShellToken const& word);
    void finish();

    InputText const& input_;
    ShellLexer lexer_;
    AssignmentList assignments_;
    std::unordered_map<std::string, Name> names_ = {};
    ShellBlocks blocks_ = {};
    bool after_condition_ = false;  // behind && or ||
    bool exports_all_ = false;      // set -a
    bool builds_ = false;
    bool builds_images_ = false;
    bool learns_ = true;  // false where another environment is meant than that of the script
    ShellTexts texts_;
};

}  // namespace rocmtune
