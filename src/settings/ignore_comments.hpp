// SPDX-License-Identifier: MIT
// "# rocmtune: ignore=RT5006 why": findings that somebody accepted, in the text itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// One comment. It speaks of its own line; alone on a line, of the next one.
struct IgnoreComment {
    std::size_t line = 0;          ///< that it speaks of, from 1
    std::vector<std::string> ids;  ///< "RT5006"; never empty
    std::string reason = {};       ///< may be empty
};

/// In the order of the lines that they speak of.
std::vector<IgnoreComment> ignore_comments(std::string_view text);

}  // namespace rocmtune
