// SPDX-License-Identifier: MIT
// A text of unknown origin and length as clean lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace rocmtune {

/// Longer lines are cut into pieces.
inline constexpr std::size_t most_line_bytes = std::size_t{16} << 10;

/// The line without escape sequences (ECMA-48: colours, titles, links) and other control
/// characters, and with one blank for each run of blanks; none at its ends. `storage` keeps the
/// result where that is not the line itself.
std::string_view clean_line(std::string_view line, std::string& storage);

/// Cuts a text that comes in pieces into lines. A carriage return ends one, too: what a progress
/// bar writes over itself stands alone, and has the number of its line.
class LineReader {
  public:
    /// A clean line that is not empty, with its number from 1.
    using Sink = std::function<void(std::string_view line, std::uint64_t number)>;

    explicit LineReader(Sink sink) : sink_(std::move(sink)) {}

    void add(std::string_view piece);
    /// The text ends here: a last line without end counts.
    void end();

    /// Lines up to now.
    std::uint64_t lines() const { return number_; }

  private:
    void take(std::string_view line);
    void keep(std::string_view rest);

    Sink sink_;
    std::string begun_ = {};  ///< of a line whose end has not come
    std::string storage_ = {};
    std::uint64_t number_ = 0;
    bool is_inside_ = false;  ///< a part of the line was cut off and taken already
};

}  // namespace rocmtune
