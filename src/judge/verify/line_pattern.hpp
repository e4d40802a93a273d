// SPDX-License-Identifier: MIT
// An expression that a line of an output must have.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::verify {

class LinePattern {
  public:
    /// An expression of ECMAScript, as that of --metric. @throws Error for what is none; `option`
    /// has named it.
    LinePattern(std::string_view option, std::string const& text) : text_(text) {
        try {
            pattern_ = std::regex(text);
        } catch (std::regex_error const&) {
            throw Error(fmt::format("{} '{}' is no regular expression", option, printable(text)),
                        fmt::format("for example {} 'loss: 0\\.0'", option));
        }
    }

    /// Whether a line has it, within its first bytes: std::regex needs stack for each byte.
    bool is_in(std::string_view output) const {
        constexpr std::size_t most = 1024;
        return std::ranges::any_of(lines(output), [&](std::string_view line) {
            auto const part = line.substr(0, most);
            return std::regex_search(part.begin(), part.end(), pattern_);
        });
    }

    std::string const& text() const { return text_; }

  private:
    std::string text_;
    std::regex pattern_ = {};
};

}  // namespace rocmtune::verify
