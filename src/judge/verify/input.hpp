// SPDX-License-Identifier: MIT
// What a user gives: settings in a file (--env-file), the number that a command prints (--metric),
// and how its results are compared (--check).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/environment_change.hpp"

namespace rocmtune::verify {

/// The lines NAME=VALUE of a file, `export` before them or not, values plain or in quotes; other
/// lines are blank or begin with #. @throws Error with the line for anything else, and for values
/// that a shell would expand.
std::vector<EnvironmentChange> settings_of_text(std::string_view text, std::string const& file);

/// A number as it was printed, or why there is none.
struct Reading {
    std::optional<double> value = {};  ///< above 0 and finite
    std::string unit = {};             ///< the word behind the number; empty: there is none
    std::string problem = {};
};

/// A JSON pointer ("/result/throughput") or a regular expression (ECMAScript), whose first group,
/// or the number behind the match, is the value. Of several lines that match the last counts.
class MetricReader {
  public:
    /// @throws Error for a text that is neither.
    explicit MetricReader(std::string const& text);
    ~MetricReader();
    MetricReader(MetricReader&&) noexcept;
    MetricReader& operator=(MetricReader&&) noexcept;

    Reading read(std::string_view output) const;

  private:
    struct Pattern;
    std::unique_ptr<Pattern> pattern_;
};

/// What --check, --check-file and --tolerance ask for.
struct ResultRule {
    std::optional<std::string> pattern = {};  ///< a line of the output has it
    std::optional<std::string> file = {};     ///< which each run writes anew
    /// Ratio by which numbers in the file may differ; absent: byte for byte.
    std::optional<double> tolerance = {};

    bool compares() const { return pattern || file; }
};

/// "with the file out.txt, numbers within 0.1 %", "by the exit code alone".
std::string text_of(ResultRule const& rule);

}  // namespace rocmtune::verify
