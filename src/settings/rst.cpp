// SPDX-License-Identifier: MIT
// Code blocks and literal blocks of reStructuredText, each read as what it says it is.
// https://docutils.sourceforge.io/docs/ref/rst/directives.html#code
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "settings/code_block.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

using std::string_view;

bool is_empty(string_view line) {
    return trim(line).empty();
}

/// The language of the block that begins behind this line; nothing if none begins.
std::optional<std::string> language_of(string_view line) {
    auto const text = trim(line);
    for (string_view const directive : {".. code-block::", ".. code::", ".. sourcecode::"})
        if (text.starts_with(directive)) return lower(trim(text.substr(directive.size())));
    bool const is_literal = text.ends_with("::") && !text.starts_with("..");
    return is_literal ? std::optional(std::string()) : std::nullopt;
}

class RstReader {
  public:
    explicit RstReader(InputText const& input)
        : input_(input), assignments_(input), lines_(split(input.text, '\n')) {}

    std::vector<Assignment> read() {
        for (std::size_t i = 0; i < lines_.size();) {
            auto const language = language_of(lines_[i]);
            i = language ? block(*language, indentation(lines_[i]), i + 1) : i + 1;
        }
        return assignments_.take();
    }

  private:
    /// @returns the line behind the block, which is indented deeper than what it belongs to.
    std::size_t block(string_view language, std::size_t outer, std::size_t first) {
        // Options of the directive stand right below it.
        while (first < lines_.size() && trim(lines_[first]).starts_with(':')) ++first;
        while (first < lines_.size() && is_empty(lines_[first])) ++first;
        auto end = first;
        while (end < lines_.size() && (is_empty(lines_[end]) || indentation(lines_[end]) > outer))
            ++end;
        if (first == end) return end;
        auto const indent = indentation(lines_[first]);
        std::string text;
        for (auto i = first; i < end; ++i) {
            auto const line = lines_[i];
            text.append(line.substr(std::min(indent, indentation(line)))).append("\n");
        }
        add_code_block({.language = language,
                        .text = text,
                        .first_line = input_.first_line + first,
                        .indentation = indent},
                       assignments_);
        return end;
    }

    InputText const& input_;
    AssignmentList assignments_;
    std::vector<string_view> lines_;
};

}  // namespace

std::vector<Assignment> read_rst(InputText const& input) {
    return RstReader(input).read();
}

}  // namespace rocmtune
