// SPDX-License-Identifier: MIT
// The blocks of a shell script that are open, and the GPUs that their conditions name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "settings/shell_lexer.hpp"

namespace rocmtune {

class ShellBlocks {
  public:
    /// `kind`: i of if, c of case, d of loops, { and (.
    void open(char kind);
    /// Closes the innermost block if it is one of these kinds.
    void close(std::string_view kinds);

    /// A word that only structures the script: if, then, case, ...
    void keyword(std::string_view word);
    /// What stands between commands.
    void operation(std::string_view what);
    /// The words of a command, which may be a condition or the patterns of case.
    void words(std::span<ShellToken const> words);

    bool empty() const { return open_.empty(); }
    std::size_t size() const { return open_.size(); }
    bool is_in(char kind) const { return !open_.empty() && open_.back().kind == kind; }
    /// Whether an if or a case is open.
    bool has_branch() const { return branches_ > 0; }
    /// The beginnings of gfx targets ("gfx1030", "gfx11" of gfx11*) for which alone the script
    /// comes here; none where no condition names any.
    std::vector<std::string> const& gpus() const;

  private:
    struct Block {
        char kind;
        bool is_asking = false;  ///< its condition or pattern is not at its end
        bool denies = false;     ///< the condition has a "not" in it
        std::vector<std::string> gpus = {};
    };

    void ask(Block& block);

    std::vector<Block> open_ = {};
    std::size_t branches_ = 0;
    std::vector<std::string> line_gpus_ = {};  ///< of [[ ... ]] before &&
};

}  // namespace rocmtune
