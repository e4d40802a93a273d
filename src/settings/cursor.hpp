// SPDX-License-Identifier: MIT
// A place in a text that knows its line and column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/text.hpp"

namespace rocmtune {

/// Between the words of a line, which may end as on Windows.
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/// How many blanks a line begins with.
inline std::size_t indentation(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

class Cursor {
  public:
    Cursor(std::string_view text, std::size_t first_line) : text_(text), line_(first_line) {}

    bool at_end() const { return place_ >= text_.size(); }
    /// The byte here or some bytes later; NUL behind the end.
    char peek(std::size_t ahead = 0) const {
        return place_ + ahead < text_.size() ? text_[place_ + ahead] : '\0';
    }
    bool starts_with(std::string_view word) const { return text_.substr(place_).starts_with(word); }
    char take() {
        auto const c = text_[place_++];
        if (c == '\n') ++line_, line_start_ = place_;
        return c;
    }
    void skip(std::size_t bytes) {
        while (bytes-- > 0 && !at_end()) take();
    }
    void skip_blanks() {
        while (is_blank(peek())) take();
    }
    /// The text from here on.
    std::string_view rest() const { return text_.substr(std::min(place_, text_.size())); }
    /// The rest of the line, without its end.
    std::string_view take_line() {
        auto const rest = text_.substr(place_);
        auto const line = rest.substr(0, rest.find('\n'));
        place_ += line.size();
        return line;
    }

    /// Bytes before this place.
    std::size_t place() const { return place_; }
    std::size_t line() const { return line_; }
    std::size_t column() const { return place_ - line_start_ + 1; }

  private:
    std::string_view text_;
    std::size_t place_ = 0;
    std::size_t line_start_ = 0;
    std::size_t line_;
};

}  // namespace rocmtune
