// SPDX-License-Identifier: MIT
// What a site says of its hosts beforehand: files of expectations, earlier reports, and lists of
// what was accepted until a date.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "judge/checks/checks.hpp"
#include "measure/input_files.hpp"
#include "rocmtune/finding.hpp"
#include "settings/collect.hpp"

namespace rocmtune {

// ---- of check -----------------------------------------------------------------------------------

/// A file of --expect. @throws Error with file and key for what cannot be expected.
Expectations read_expectations(std::string const& file, FilePatience patience);

/// Adds a value of --expect-gpus: "8" or "modules=4". @throws Error for anything else.
void expect_count(std::string const& text, Expectations& expected);

/// The text of an --expect file.
std::string expectations_text(Expectations const& expected);

/// What a report that rocmtune wrote as JSON says of GPUs. @throws Error for anything else, also
/// for one without GPUs: nothing could be compared with it.
Baseline read_baseline(std::string const& file, FilePatience patience);

/// The lines of an --ignore file of check. @throws Error that names the line.
std::vector<Accepted> read_accepted_checks(std::string const& file, FilePatience patience);

/// Today in UTC, as the dates of --ignore are written.
std::string today_in_utc();

// ---- of lint ------------------------------------------------------------------------------------

/// Findings that somebody has accepted: in the texts themselves, in an earlier report of lint
/// (--baseline), in a list with dates (--ignore).
class AcceptedSettings {
  public:
    /// @throws Error for a file that is no report or no list of accepted findings.
    AcceptedSettings(std::optional<std::string> const& baseline,
                     std::optional<std::string> const& ignore, FilePatience patience);

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
