// SPDX-License-Identifier: MIT
// Judgement over many reports, one after the other: groups, majorities, outliers.
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codec/read_report.hpp"
#include "judge/fleet/group.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/fleet.hpp"

namespace rocmtune {

/// Takes reports in any number. Memory is bounded by groups and by what deviates in them, but for
/// some hundred bytes a report: what tells a host that comes twice, the names of hosts and GPUs.
class Fleet {
  public:
    Fleet() = default;
    Fleet(Fleet const&) = delete;
    Fleet& operator=(Fleet const&) = delete;

    /// Counts a report; false if one of this host was counted before, and nothing was added. A
    /// report of another command adds its findings and figures to the host's.
    bool add(ReadReport const& report);

    /// What all of them say together.
    FleetView view() const;

  private:
    FleetPools pools_;
    std::map<GroupKey, Group> groups_;
    std::unordered_map<std::uint64_t, Group*> hosts_;  ///< where each is counted
    std::unordered_set<std::uint64_t> reports_;
    std::unordered_set<std::uint64_t> findings_;  ///< of hosts
    std::uint64_t count_ = 0;
};

/// The parts of a report that add() looks at.
inline constexpr ReportParts fleet_parts{
    .reasons = false, .samples = false, .momentary = false, .texts_of_findings = false};

/// RT7101 to RT7108 for the outliers of a view; adds the hosts they name to view.odd_hosts.
std::vector<Finding> judge_fleet(FleetView& view);

}  // namespace rocmtune
