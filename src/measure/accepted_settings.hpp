// SPDX-License-Identifier: MIT
// Findings of lint that somebody has accepted: in the texts themselves, in an earlier report
// (--baseline), in a list with dates (--ignore).
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "judge/checks/checks.hpp"
#include "measure/arguments.hpp"
#include "rocmtune/finding.hpp"
#include "settings/ignore_comments.hpp"

namespace rocmtune {

class AcceptedSettings {
  public:
    /// @throws Error for a file that is no report or no list of accepted findings.
    explicit AcceptedSettings(Arguments const& arguments);

    /// Whether comments of its text or --ignore accept a finding. Threads may ask side by side.
    bool accepts(std::vector<IgnoreComment> const& comments, Finding const& finding) const;

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
