// SPDX-License-Identifier: MIT
// Findings of lint that somebody has accepted: in the texts themselves, in an earlier report
// (--baseline), in a list with dates (--ignore).
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "checks/expectations.hpp"
#include "cli/arguments.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

class AcceptedSettings {
  public:
    /// @throws Error for a file that is no report or no list of accepted findings.
    explicit AcceptedSettings(Arguments const& arguments);

    /// Takes out of the findings of one text what its comments or --ignore accept. @returns how
    /// many. Threads may do this side by side.
    std::size_t take_accepted(std::string_view text, std::vector<Finding>& findings) const;

    /// Takes out what the baseline has. Each of its entries accepts one finding, the first.
    std::size_t take_known(std::vector<Finding>& findings);

    /// What to tell of entries of --ignore that have run out.
    std::vector<std::string> expired() const;

  private:
    /// Identifier, file, variable, value: lines move, these stay.
    using Key = std::tuple<std::string, std::string, std::string, std::string>;

    bool is_listed(Finding const& finding) const;
    bool is_in_baseline(Finding const& finding);

    std::string today_;
    std::string ignore_file_;
    std::vector<Accepted> list_;
    std::map<Key, std::size_t> baseline_ = {};  // how often; each accepts one finding
};

}  // namespace rocmtune
