// SPDX-License-Identifier: MIT
#include "judge/fleet/fleet.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

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

}  // namespace rocmtune
