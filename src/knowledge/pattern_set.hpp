// SPDX-License-Identifier: MIT
// Many RE2 expressions at once, at the speed of reading: by the literals that each needs.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

/// Where an expression matches, and what its named groups caught.
struct PatternMatch {
    std::size_t begin = 0, end = 0;  ///< bytes of the line
    std::vector<std::pair<std::string, std::string>> said = {};
};

class PatternSet {
  public:
    /// Literal bytes in a row that an expression should have: it is tried on every line otherwise.
    static constexpr std::size_t least_literal_bytes = 4;

    /// @throws Error for an expression that is none.
    explicit PatternSet(std::vector<std::string> const& expressions);
    PatternSet(PatternSet const&) = delete;
    PatternSet& operator=(PatternSet const&) = delete;
    ~PatternSet();

    /// The expressions that may match a line, by number, in ascending order: those whose literals
    /// it has. Lives until the next call.
    std::vector<int> const& candidates(std::string_view line);

    /// Whether an expression matches somewhere in the line.
    bool matches(int number, std::string_view line) const;

    /// The first match of it; false if there is none.
    bool match(int number, std::string_view line, PatternMatch& match) const;

    /// The expressions that have no literal.
    std::vector<int> const& without_literal() const;

  private:
    struct Engine;
    std::unique_ptr<Engine> engine_;
};

}  // namespace rocmtune
