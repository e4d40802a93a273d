// SPDX-License-Identifier: MIT
// What a user gives: settings in a file (--env-file), and the number that a command prints
// (--metric).
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

}  // namespace rocmtune::verify
