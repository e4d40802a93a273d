// SPDX-License-Identifier: MIT
#include "base/bounded_json.hpp"

#include <algorithm>

namespace rocmtune {
namespace {

/// Behind the closing quote of the string whose content begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    for (at = text.find_first_of("\"\\", at); at < text.size() && text[at] == '\\';)
        at = text.find_first_of("\"\\", std::min(at + 2, text.size()));
    return at < text.size() ? at + 1 : text.size();
}

}  // namespace

bool nests_deeper(std::string_view text, std::size_t levels) {
    std::size_t open = 0;
    for (std::size_t at = text.find_first_of("\"[]{}"); at < text.size();
         at = text.find_first_of("\"[]{}", at)) {
        if (text[at] == '"') {
            at = end_of_string(text, at + 1);
            continue;
        }
        bool const opens = text[at] == '[' || text[at] == '{';
        if (opens && ++open > levels) return true;
        if (!opens && open > 0) --open;
        ++at;
    }
    return false;
}

}  // namespace rocmtune
