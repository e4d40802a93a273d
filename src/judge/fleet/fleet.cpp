// SPDX-License-Identifier: MIT
// Which outlier is which finding.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "judge/fleet/fleet.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t values_of_a_split = 5;

/// Names are not unique in every site, chips are: both make a host.
std::uint64_t identity_of(ReadReport const& report) {
    auto hash = fnv1a(report.host.text("hostname"));
    bool has_chip = false;
    for (auto const& gpu : report.gpus) {
        auto chip = gpu.text("unique_id");
        if (chip.empty()) chip = gpu.text("uuid");
        has_chip = has_chip || !chip.empty();
        hash = fnv1a(chip.empty() ? gpu.text("pci_address") : chip, hash);
    }
    // Without a name and a chip nothing tells two hosts apart; their files do.
    if (!has_chip && report.host.text("hostname").empty()) hash = fnv1a(report.name, hash);
    return hash;
}

std::string host_name(ReadReport const& report) {
    auto const name = report.host.text("hostname");
    return name.empty() ? report.name : name;
}

std::vector<FleetUnit> named(std::vector<std::uint32_t> const& units, FleetPools const& pools) {
    std::vector<FleetUnit> result;
    for (auto const number : units) {
        auto const& unit = pools.units[number];
        auto& it = result.emplace_back(FleetUnit{.host = pools.texts[unit.host]});
        if (unit.gpu != 0) it.gpu = pools.texts[unit.gpu];
        if (unit.detail != 0) it.detail = text_of(pools.values[unit.detail]);
    }
    return result;
}

FleetOutlier outlier_of(std::string const& group, std::string_view scope, std::string kind,
                        std::string fact, ValueCount const& odd, ValueCount const& usual,
                        std::uint64_t total, FleetPools const& pools) {
    FleetOutlier outlier{.group = group,
                         .scope = std::string(scope),
                         .kind = std::move(kind),
                         .fact = std::move(fact),
                         .value = odd.value,
                         .usual = usual.value,
                         .count = odd.count,
                         .usual_count = usual.count,
                         .total = total,
                         .units = named(odd.units, pools)};
    outlier.more = odd.count - outlier.units.size();
    return outlier;
}

FleetSplit split_of(std::string const& group, std::string const& fact, ValueCounts const& counts) {
    FleetSplit split{.group = group, .fact = fact, .total = counts.total()};
    auto values = counts.values();
    std::ranges::sort(values, [](ValueCount const& a, ValueCount const& b) {
        return a.count != b.count ? a.count > b.count : text_of(a.value) < text_of(b.value);
    });
    values.resize(std::min(values.size(), values_of_a_split));
    for (auto const& it : values)
        split.values.push_back(
            fmt::format("{} ({})", is_null(it.value) ? "none" : text_of(it.value), it.count));
    return split;
}

/// What the counts of one group say.
class GroupView {
  public:
    GroupView(GroupKey const& key, Group const& group, FleetPools const& pools, FleetView& view)
        : key_(key), group_(group), pools_(pools), view_(view) {}

    void add() {
        FleetGroup it{.gpu_model = model(), .hosts = group_.hosts(), .gpus = group_.gpus()};
        if (!key_.product.empty()) it.product = key_.product;
        if (auto const* usual = group_.gpu_counts().majority())
            it.usual_gpus = std::get<std::uint64_t>(usual->value);
        it.name = name_ = title_of(it, group_);
        add_counts("host", "hardware", "gpus", group_.gpu_counts());
        add_counts("host", "setting", "partition_mode", group_.partition_modes());
        add_facts("host", group_.host_facts(), it);
        for (auto const& facts : group_.gpu_facts()) add_facts("gpu", facts, it);
        add_findings();
        for (auto const& [measured, counts] : group_.figures()) {
            view_.figures.push_back(counts->summary(name_, measured));
            std::ranges::move(counts->slow(name_, measured), std::back_inserter(view_.outliers));
        }
        if (group_.left_paths_out())
            view_.notes.push_back(name_ + ": lists and maps have more parts than are compared");
        view_.groups.push_back(std::move(it));
    }

  private:
    std::string model() const {
        if (key_.model.empty()) return "none";
        auto const name = group_.model_name();
        return name.empty() ? key_.model : name;
    }

    static std::string title_of(FleetGroup const& it, Group const& group) {
        auto const product = it.product.value_or("unknown product");
        if (it.gpu_model == "none") return product + ", no GPU";
        // Hosts name one model in several ways; how many there are they agree on.
        if (it.usual_gpus && group.models() == 1)
            return fmt::format("{}, {}x {}", product, *it.usual_gpus, it.gpu_model);
        auto const* usual = group.compositions().majority();
        return product + ", " + (usual == nullptr ? it.gpu_model : text_of(usual->value));
    }

    void add_facts(std::string_view scope, std::map<std::string, ValueCounts const*> const& facts,
                   FleetGroup& it) {
        for (auto const& [path, counts] : facts) {
            if (counts->varies()) continue;
            ++it.facts;
            it.uniform += counts->is_uniform() ? 1 : 0;
            add_counts(scope, std::string(word_of(counts->word()->kind)), path, *counts);
        }
    }

    void add_counts(std::string_view scope, std::string const& kind, std::string const& fact,
                    ValueCounts const& counts) {
        if (counts.varies() || counts.values().size() < 2) return;
        auto const* usual = counts.majority();
        if (usual == nullptr) return view_.splits.push_back(split_of(name_, fact, counts));
        for (auto const& odd : counts.values())
            if (&odd != usual)
                view_.outliers.push_back(
                    outlier_of(name_, scope, kind, fact, odd, *usual, counts.total(), pools_));
    }

    void add_findings() {
        for (auto const& [key, counted] : group_.findings()) {
            ValueCount odd = counted;
            odd.value = key.second;
            auto it =
                outlier_of(name_, "host", "finding", key.first, odd, {}, group_.hosts(), pools_);
            it.usual_count = group_.hosts() - counted.count;
            view_.outliers.push_back(std::move(it));
        }
    }

    GroupKey const& key_;
    Group const& group_;
    FleetPools const& pools_;
    FleetView& view_;
    std::string name_;
};

/// A host that shows no GPU at all has no model to be grouped by; its product tells what it lacks.
void add_hosts_without_gpus(std::map<GroupKey, Group> const& groups, FleetPools const& pools,
                            FleetView& view) {
    for (auto const& [key, group] : groups) {
        if (!key.model.empty() || key.product.empty()) continue;
        Group const* largest = nullptr;
        for (auto const& [other, candidate] : groups)
            if (other.product == key.product && !other.model.empty() &&
                (largest == nullptr || candidate.hosts() > largest->hosts()))
                largest = &candidate;
        if (largest == nullptr || largest->hosts() <= group.hosts()) continue;
        auto const* usual = largest->gpu_counts().majority();
        if (usual == nullptr) continue;
        for (auto const& none : group.gpu_counts().values())
            view.outliers.push_back(outlier_of(key.product + ", no GPU", "host", "hardware", "gpus",
                                               none, *usual, largest->hosts() + group.hosts(),
                                               pools));
    }
}

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

bool Fleet::add(ReadReport const& report) {
    auto const host = identity_of(report);
    if (!reports_.insert(fnv1a(report.command, host)).second) return false;
    ++count_;
    // What a second command reports belongs to the group that its host is in, even where it says
    // less of the host.
    auto& group = hosts_[host];
    if (group == nullptr) {
        group = &groups_.try_emplace(key_of(report), pools_).first->second;
        group->add_host(report, host_name(report));
    }
    group->add_results(report, host_name(report), host, findings_);
    return true;
}

FleetView Fleet::view() const {
    FleetView view{.reports = count_, .hosts = hosts_.size()};
    for (auto const& [key, group] : groups_) {
        view.gpus += group.gpus();
        if (group.is_lone()) GroupView(key, group.counted(), pools_, view).add();
        else GroupView(key, group, pools_, view).add();
    }
    add_hosts_without_gpus(groups_, pools_, view);
    return view;
}

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
