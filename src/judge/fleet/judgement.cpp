// SPDX-License-Identifier: MIT
// Which outlier is which finding.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "judge/fleet/fleet.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

struct Row {
    std::string_view kind;
    std::string_view fact;  ///< empty: every fact of the kind
    std::string_view id;
    Verdict verdict;
};

/// The first row that fits counts.
constexpr std::array rows{
    Row{"hardware", "gpus", "RT7101", Verdict::fail},
    Row{"performance", "", "RT7102", Verdict::fail},
    Row{"hardware", "", "RT7103", Verdict::fail},
    Row{"firmware", "", "RT7104", Verdict::warn},
    Row{"software", "", "RT7105", Verdict::warn},
    Row{"setting", "", "RT7106", Verdict::warn},
    Row{"finding", "", "RT7107", Verdict::warn},
    Row{"health", "", "RT7108", Verdict::warn},
};

Row const& row_of(FleetOutlier const& it) {
    return *std::ranges::find_if(rows, [&](Row const& row) {
        return row.kind == it.kind && (row.fact.empty() || row.fact == it.fact);
    });
}

Verdict verdict_of(FleetOutlier const& it) {
    if (it.kind == "finding") return text_of(it.value) == "fail" ? Verdict::fail : Verdict::warn;
    return row_of(it).verdict;
}

std::string shown(PlainValue const& value) {
    auto const text = text_of(value);
    return is_null(value) ? "none" : text.empty() ? "(empty)" : text;
}

std::string message_of(FleetOutlier const& it) {
    if (it.kind == "performance")
        return fmt::format("{}: {}, {:.1f} % worse than the median of {} GPUs ({:.4g}), z {:.1f}",
                           it.fact, it.units.at(0).detail.value_or(""), -100 * *it.effect, it.total,
                           std::get<double>(it.usual), *it.z_score);
    if (it.kind == "finding")
        return fmt::format("{} says {} of {} of {} hosts", it.fact, shown(it.value), it.count,
                           it.total);
    return fmt::format("{} is {} on {} of {} {}s, {} on {}", it.fact, shown(it.value), it.count,
                       it.total, it.scope, shown(it.usual), it.usual_count);
}

std::string name_of(FleetUnit const& unit) {
    return unit.gpu ? fmt::format("{}/{}", unit.host, *unit.gpu) : unit.host;
}

std::string subject_of(FleetOutlier const& it) {
    std::set<std::string> hosts;
    for (auto const& unit : it.units) hosts.insert(unit.host);
    if (it.units.size() == 1 && it.more == 0) return name_of(it.units[0]);
    if (hosts.size() == 1 && it.more == 0) return *hosts.begin();
    return "fleet";
}

std::vector<Evidence> evidence_of(FleetOutlier const& it) {
    constexpr std::size_t most = 16;
    std::vector<Evidence> evidence{{"group", it.group}};
    for (std::size_t i = 0; i < std::min(most, it.units.size()); ++i)
        evidence.push_back({name_of(it.units[i]), it.units[i].detail.value_or(shown(it.value))});
    if (it.count > most && it.units.size() > most)
        evidence.push_back({"more", fmt::format("{}", it.count - most)});
    return evidence;
}

using OddHosts = std::map<std::string, OddHost>;

void note_hosts(FleetOutlier const& it, std::string const& id, Verdict verdict, OddHosts& hosts) {
    for (auto const& unit : it.units) {
        auto& host = hosts[unit.host];
        host.host = unit.host;
        host.verdict = std::max(host.verdict, verdict);
        if (std::ranges::find(host.ids, id) == host.ids.end()) host.ids.push_back(id);
    }
}

}  // namespace

std::vector<Finding> judge_fleet(FleetView& view) {
    std::vector<Finding> findings;
    OddHosts hosts;
    std::uint64_t unnamed = 0;
    for (auto const& it : view.outliers) {
        auto const verdict = verdict_of(it);
        auto finding = make_finding(row_of(it).id, verdict, subject_of(it), message_of(it));
        finding.evidence = evidence_of(it);
        note_hosts(it, finding.id, verdict, hosts);
        unnamed = std::max(unnamed, it.more);
        findings.push_back(std::move(finding));
    }
    std::ranges::sort(findings, [](Finding const& a, Finding const& b) {
        return std::tie(a.id, a.subject, a.message) < std::tie(b.id, b.subject, b.message);
    });
    for (auto& [name, host] : hosts) {
        std::ranges::sort(host.ids);
        view.odd_hosts.push_back(std::move(host));
    }
    if (unnamed > 0)
        view.notes.push_back(
            fmt::format("of a value that many have, {} hosts or GPUs at most are named: the list "
                        "of odd hosts is not complete",
                        ValueCounts::most_named));
    return findings;
}

}  // namespace rocmtune
