// SPDX-License-Identifier: MIT
#include "settings/ignore_comments.hpp"

#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view mark = "rocmtune: ignore=";

bool is_id(std::string_view text) {
    return text.size() == 6 && text.starts_with("RT") && to_unsigned(text.substr(2), 10);
}

/// Whether nothing but the sign of a comment stands before the mark.
bool stands_alone(std::string_view before) {
    return before.find_first_not_of(" \t#/-;<!") == before.npos;
}

}  // namespace

std::vector<IgnoreComment> ignore_comments(std::string_view text) {
    std::vector<IgnoreComment> comments;
    // Most texts have none: one search instead of a walk over their lines.
    if (text.find(mark) == text.npos) return comments;
    std::size_t number = 0;
    for (auto const line : split(text, '\n')) {
        ++number;
        auto const at = line.find(mark);
        if (at == line.npos) continue;
        auto const rest = line.substr(at + mark.size());
        auto const end = std::min(rest.find_first_of(" \t\r"), rest.size());
        IgnoreComment comment{.line = number + (stands_alone(line.substr(0, at)) ? 1 : 0),
                              .ids = {},
                              .reason = std::string(trim(rest.substr(end)))};
        for (auto const id : split(rest.substr(0, end), ','))
            if (is_id(id)) comment.ids.emplace_back(id);
        if (!comment.ids.empty()) comments.push_back(std::move(comment));
    }
    return comments;
}

}  // namespace rocmtune
