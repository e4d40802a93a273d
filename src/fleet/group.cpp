// SPDX-License-Identifier: MIT
#include "fleet/group.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

// Bounds of what one group may take, whoever wrote its reports.
constexpr std::size_t most_paths = 4096;
constexpr std::size_t most_early = 256;
constexpr std::size_t most_figures = 512;
constexpr std::size_t most_findings = 1024;
constexpr std::size_t most_modes = 32;

/// The partition mode is counted once a host.
bool is_compared(FactWord const& word) {
    if (word.word == "compute_partition" || word.word == "memory_partition") return false;
    return word.kind != FactKind::state && word.kind != FactKind::identity;
}

/// What the chip states of itself. Names come from tables that differ from host to host, and one
/// device id covers several products.
std::string model_of(ReadFacts const& gpu) {
    auto const device = gpu.text("pci_device_id");
    if (device.empty()) return {};
    auto const revision = gpu.text("pci_revision");
    return revision.empty() ? device : device + " rev " + revision;
}

/// A GPU that lost its identity does not make its host another kind.
std::string models_of(ReadReport const& report) {
    std::set<std::string> models;
    for (auto const& gpu : report.gpus) models.insert(model_of(gpu));
    if (models.size() > 1) models.erase("");
    auto const text = fmt::format("{}", fmt::join(models, " and "));
    return text.empty() && !report.gpus.empty() ? "GPUs of unknown model" : text;
}

std::string partition_mode(ReadFacts const& gpu) {
    auto const compute = gpu.text("compute_partition");
    auto const memory = gpu.text("memory_partition");
    return compute.empty() || memory.empty() ? compute + memory : compute + ' ' + memory;
}

std::string shown_model(ReadReport const& report) {
    std::set<std::string> names;
    for (auto const& gpu : report.gpus)
        if (auto const name = gpu.text("marketing_name"); !name.empty()) names.insert(name);
    return fmt::format("{}", fmt::join(names, " and "));
}

CountedUnit unit_of(std::shared_ptr<std::string const> host, ReadFacts const* gpu = nullptr) {
    CountedUnit unit{.host = std::move(host)};
    if (gpu != nullptr) unit.gpu = std::make_shared<std::string const>(subject_of(*gpu));
    return unit;
}

/// "bandwidth triad, fp32, pinned": what tells figures of one group apart.
std::string measured_text(Measurement const& it) {
    auto text = fmt::format("{} {}", it.benchmark, it.metric);
    auto const& parameters = it.parameters;
    for (auto const& part : {parameters.dtype, parameters.mode, parameters.kernel,
                             parameters.library, parameters.distribution})
        if (part) text += ", " + *part;
    for (auto const& [name, part] :
         {std::pair{"bytes", parameters.bytes}, std::pair{"size", parameters.size},
          std::pair{"bins", parameters.bins}, std::pair{"ticks", parameters.ticks},
          std::pair{"devices", parameters.devices}})
        if (part) text += fmt::format(", {} {}", name, *part);
    return text;
}

FleetUnit measured_unit(ReadReport const& report, Measurement const& it, std::string const& host) {
    FleetUnit unit{.host = host};
    auto const row = it.gpu ? fmt::format("{}", *it.gpu) : std::string();
    for (auto const& gpu : report.gpus)
        if (it.gpu && gpu.text("row") == row) unit.gpu = subject_of(gpu);
    if (!unit.gpu) unit.gpu = fmt::format("{}:{}", it.backend, it.parameters.index.value_or(0));
    return unit;
}

}  // namespace

GroupKey key_of(ReadReport const& report) {
    return {report.host.text("system_product"), models_of(report)};
}

void Group::add_host(ReadReport const& report, std::string const& host) {
    ++hosts_;
    if (model_name_.empty()) model_name_ = shown_model(report);
    gpus_ += report.gpus.size();
    auto const name = std::make_shared<std::string const>(host);
    gpu_counts_.add(std::uint64_t{report.gpus.size()}, unit_of(name));
    add_facts(FactScope::host, host_scope_, report.host, unit_of(name));
    std::set<std::string> modes;
    for (auto const& gpu : report.gpus) {
        auto const mode = partition_mode(gpu);
        modes.insert(mode);
        auto const scope =
            gpu_scopes_.size() < most_modes || gpu_scopes_.contains(mode) ? mode : "";
        add_facts(FactScope::gpu, gpu_scopes_[scope], gpu, unit_of(name, &gpu));
    }
    modes.erase("");
    if (!modes.empty())
        partition_modes_.add(fmt::format("{}", fmt::join(modes, ", ")), unit_of(name));
}

/// The counts of a path; null where the fact is not compared or there are too many.
ValueCounts* Group::counts_for(FactScope which, Scope& scope, std::string const& path) {
    auto const found = scope.facts.find(path);
    if (found != scope.facts.end()) return &found->second;
    auto const* word = fact_of_path(which, path);
    if (word == nullptr || !is_compared(*word)) return nullptr;
    if (scope.facts.size() >= most_paths) {
        left_paths_out_ = true;
        return nullptr;
    }
    auto& counts = scope.facts.emplace(path, ValueCounts(word)).first->second;
    if (path.size() == word->word.size()) return &counts;
    // A part that was not seen so far: all that know the fact lack the part.
    std::vector<CountedUnit> lacking;
    for (std::size_t i = 0; i < scope.early.size(); ++i)
        if (scope.early_known[i][word->place]) lacking.push_back(scope.early[i]);
    counts.add_many({}, scope.known[word->place], std::move(lacking));
    return &counts;
}

void Group::add_facts(FactScope which, Scope& scope, ReadFacts const& facts,
                      CountedUnit const& unit) {
    auto known = facts.known;
    known.resize(words_of_facts(which).size());
    scope.known.resize(known.size());
    ++scope.units;
    for (auto const& fact : facts.facts) {
        if (is_null(fact.value)) continue;
        auto* const counts = counts_for(which, scope, fact.path);
        // A list may hold the same twice.
        if (counts == nullptr || counts->last_unit == scope.units) continue;
        counts->last_unit = scope.units;
        counts->add(fact.value, unit);
    }
    count_lacking(scope, facts, unit);
    for (std::size_t i = 0; i < known.size(); ++i) scope.known[i] += known[i] ? 1 : 0;
    if (scope.early.size() >= most_early) return;
    scope.early.push_back(unit);
    scope.early_known.push_back(std::move(known));
}

/// A list that is known and does not have a part says that the part is not there.
void Group::count_lacking(Scope& scope, ReadFacts const& facts, CountedUnit const& unit) {
    for (auto& [path, counts] : scope.facts) {
        if (counts.last_unit == scope.units) continue;
        auto const& word = *counts.word();
        bool const is_part = path.size() > word.word.size();
        if (is_part && word.place < facts.known.size() && facts.known[word.place])
            counts.add({}, unit);
    }
}

void Group::add_results(ReadReport const& report, std::string const& host, std::uint64_t identity,
                        std::unordered_set<std::uint64_t>& counted) {
    for (auto const& finding : report.findings) {
        if (finding.verdict != "warn" && finding.verdict != "fail") continue;
        std::pair const key{finding.id, finding.verdict};
        if (findings_.size() >= most_findings && !findings_.contains(key)) continue;
        if (!counted.insert(fnv1a(finding.verdict, fnv1a(finding.id, identity))).second) continue;
        auto& hosts = findings_[key];
        ++hosts.count;
        if (hosts.units.size() < ValueCounts::most_named)
            hosts.units.push_back(unit_of(std::make_shared<std::string const>(host)));
    }
    for (auto const& it : report.measurements) {
        if (it.status != "ok" || !it.value || !std::isfinite(*it.value) || *it.value <= 0) continue;
        if (it.backend == "cpu") continue;
        auto const key = measured_text(it) + ", " + it.unit;
        if (figures_.size() >= most_figures && !figures_.contains(key)) continue;
        figures_.try_emplace(key, it.unit, is_time_unit(it.unit))
            .first->second.add(*it.value, measured_unit(report, it, host));
    }
}

std::map<std::string, ValueCounts const*> Group::sorted(Scope const& scope) {
    std::map<std::string, ValueCounts const*> result;
    for (auto const& [path, counts] : scope.facts) result.emplace(path, &counts);
    return result;
}

std::map<std::string, std::map<std::string, ValueCounts const*>> Group::gpu_facts() const {
    std::map<std::string, std::map<std::string, ValueCounts const*>> result;
    for (auto const& [mode, scope] : gpu_scopes_) result.emplace(mode, sorted(scope));
    return result;
}

}  // namespace rocmtune
