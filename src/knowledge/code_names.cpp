// SPDX-License-Identifier: MIT
#include "knowledge/code_names.hpp"

#include <algorithm>
#include <array>

namespace rocmtune {

bool finds_code(std::string_view name) {
    constexpr std::array<std::string_view, 12> names{
        "PATH",           "IFS",  "ENV",   "BASH_ENV",   "SHELLOPTS",   "PS4",
        "PROMPT_COMMAND", "HOME", "SHELL", "GCONV_PATH", "GITHUB_PATH", "NODE_OPTIONS"};
    constexpr std::array<std::string_view, 6> prefixes{"LD_",  "DYLD_",     "PYTHON",
                                                       "PERL", "BASH_FUNC", "_rocmtune"};
    auto const begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    return std::ranges::find(names, name) != names.end() || std::ranges::any_of(prefixes, begins);
}

}  // namespace rocmtune
