// SPDX-License-Identifier: MIT
// Words of commands that are printed for somebody to run.
#pragma once

#include <string>
#include <string_view>

namespace rocmtune {

/// A word in single quotes as POSIX shells, bash and zsh read it: nothing in it has a meaning.
std::string posix_quoted(std::string_view text);

/// The same word, with quotes only if it needs them.
std::string shell_word(std::string_view text);

}  // namespace rocmtune
