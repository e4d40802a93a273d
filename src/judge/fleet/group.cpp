// SPDX-License-Identifier: MIT
#include "judge/fleet/group.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

// Bounds of what one group may take, whoever wrote its reports.
constexpr std::size_t most_paths = 4096;
constexpr std::size_t most_early = 256;
constexpr std::size_t most_figures = 512;
constexpr std::size_t most_findings = 1024;
constexpr std::size_t most_scopes = 64;

/// The partition mode is counted once a host.
bool is_compared(FactWord const& word) {
    if (word.key == "compute_partition" || word.key == "memory_partition") return false;
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

/// What the GPUs of one host are, with what people call them.
class Models {
  public:
    explicit Models(ReadReport const& report) {
        for (auto const& gpu : report.gpus)
            if (auto const model = model_of(gpu); !model.empty()) add(model, gpu);
    }

    /// A GPU that lost its identity does not make its host another kind: it is taken for one of the
    /// others, where these are of one model.
    std::string of(ReadFacts const& gpu) const {
        auto const model = model_of(gpu);
        return model.empty() && names_.size() == 1 ? names_.begin()->first : model;
    }

    /// Model and name; the name is empty where no GPU of the model has one.
    std::map<std::string, std::string> const& names() const { return names_; }

    std::string key() const {
        std::vector<std::string_view> keys;
        for (auto const& [model, name] : names_) keys.push_back(model);
        return fmt::format("{}", fmt::join(keys, " and "));
    }

  private:
    void add(std::string const& model, ReadFacts const& gpu) {
        auto& name = names_[model];
        if (name.empty()) name = gpu.text("marketing_name");
    }

    std::map<std::string, std::string> names_;
};

std::string shown_model(std::string const& model, std::string const& name) {
    if (!name.empty()) return name;
    return model.empty() ? "GPU of unknown model" : "GPU " + model;
}

/// "2x AMD Instinct MI25 and 1x AMD Instinct MI50".
std::string composition_of(ReadReport const& report, Models const& models) {
    std::map<std::string, std::size_t> counts;
    for (auto const& gpu : report.gpus) ++counts[models.of(gpu)];
    std::vector<std::pair<std::string, std::size_t>> most_first(counts.begin(), counts.end());
    std::ranges::sort(most_first, [](auto const& a, auto const& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<std::string> parts;
    for (auto const& [model, count] : most_first) {
        auto const known = models.names().find(model);
        auto const name = known == models.names().end() ? std::string() : known->second;
        parts.push_back(fmt::format("{}x {}", count, shown_model(model, name)));
    }
    return fmt::format("{}", fmt::join(parts, " and "));
}

std::string partition_mode(ReadFacts const& gpu) {
    auto const compute = gpu.text("compute_partition");
    auto const memory = gpu.text("memory_partition");
    return compute.empty() || memory.empty() ? compute + memory : compute + ' ' + memory;
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

/// The GPU that was measured, if the report has it.
ReadFacts const* measured_gpu(ReadReport const& report, Measurement const& it) {
    if (!it.gpu) return nullptr;
    auto const row = fmt::format("{}", *it.gpu);
    auto const found = std::ranges::find_if(
        report.gpus, [&](ReadFacts const& gpu) { return gpu.text("row") == row; });
    return found == report.gpus.end() ? nullptr : &*found;
}

FleetUnit measured_unit(ReadFacts const* gpu, Measurement const& it, std::string const& host) {
    FleetUnit unit{.host = host};
    unit.gpu = gpu != nullptr ? subject_of(*gpu)
                              : fmt::format("{}:{}", it.backend, it.parameters.index.value_or(0));
    return unit;
}

}  // namespace

GroupKey key_of(ReadReport const& report) {
    auto const key = Models(report).key();
    return {report.host.text("system_product"),
            key.empty() && !report.gpus.empty() ? "GPUs of unknown model" : key};
}

std::uint32_t Group::unit_of(std::string const& host, ReadFacts const* gpu) {
    auto const name = pools_.texts.number_of(host);
    auto const place = pools_.texts.number_of(gpu == nullptr ? std::string() : subject_of(*gpu));
    return pools_.units.number_of({.host = name, .gpu = place});
}

void Group::add_host(ReadReport const& report, std::string const& host) {
    ++hosts_;
    Models const models(report);
    for (auto const& [model, name] : models.names())
        if (auto& known = model_names_[model]; known.empty()) known = name;
    gpus_ += report.gpus.size();
    auto const unit = unit_of(host);
    gpu_counts_.add(std::uint64_t{report.gpus.size()}, unit, pools_);
    compositions_.add(composition_of(report, models), unit, pools_);
    if (hosts_ > 1) count_lone();
    add_facts({}, report.host, unit);
    std::set<std::string> modes;
    for (auto const& gpu : report.gpus) {
        auto const mode = partition_mode(gpu);
        modes.insert(mode);
        add_facts(GpuKind{models.of(gpu), mode}, gpu, unit_of(host, &gpu));
    }
    modes.erase("");
    if (!modes.empty())
        partition_modes_.add(fmt::format("{}", fmt::join(modes, ", ")), unit, pools_);
}

void Group::add_facts(std::optional<GpuKind> const& kind, ReadFacts const& facts,
                      std::uint32_t unit) {
    if (hosts_ == 1) lone_.push_back(packed(kind, facts, unit));
    else count(kind, facts, unit);
}

PackedFacts Group::packed(std::optional<GpuKind> const& kind, ReadFacts const& facts,
                          std::uint32_t unit) const {
    PackedFacts result{.kind = kind, .unit = unit, .known = facts.known};
    for (auto const& fact : facts.facts) {
        auto const* word = fact_of_path(kind ? FactScope::gpu : FactScope::host, fact.path);
        if (word != nullptr && is_compared(*word) && !is_null(fact.value))
            result.facts.emplace_back(pools_.texts.number_of(fact.path),
                                      pools_.values.number_of(fact.value));
    }
    result.facts.shrink_to_fit();
    return result;
}

void Group::count_lone() {
    for (auto const& it : std::exchange(lone_, {})) {
        ReadFacts facts{.known = it.known};
        for (auto const& [path, value] : it.facts)
            facts.facts.push_back({pools_.texts[path], pools_.values[value]});
        count(it.kind, facts, it.unit);
    }
}

Group Group::counted() const {
    auto result = *this;
    result.count_lone();
    return result;
}

Group::Scope* Group::scope_of(std::optional<GpuKind> const& kind) {
    if (!kind) return &host_scope_;
    if (gpu_scopes_.size() < most_scopes || gpu_scopes_.contains(*kind)) return &gpu_scopes_[*kind];
    left_paths_out_ = true;
    return nullptr;
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
    if (path.size() == word->key.size()) return &counts;
    // A part that was not seen so far: all that know the fact lack the part.
    std::vector<std::uint32_t> lacking;
    for (std::size_t i = 0; i < scope.early.size(); ++i)
        if (scope.early_known[i][word->place]) lacking.push_back(scope.early[i]);
    counts.add_many({}, scope.known[word->place], std::move(lacking));
    return &counts;
}

void Group::count(std::optional<GpuKind> const& kind, ReadFacts const& facts, std::uint32_t unit) {
    auto* const chosen = scope_of(kind);
    if (chosen == nullptr) return;
    auto& scope = *chosen;
    auto const which = kind ? FactScope::gpu : FactScope::host;
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
        counts->add(fact.value, unit, pools_);
    }
    count_lacking(scope, facts, unit);
    for (std::size_t i = 0; i < known.size(); ++i) scope.known[i] += known[i] ? 1 : 0;
    if (scope.early.size() >= most_early) return;
    scope.early.push_back(unit);
    scope.early_known.push_back(std::move(known));
}

/// A list that is known and does not have a part says that the part is not there.
void Group::count_lacking(Scope& scope, ReadFacts const& facts, std::uint32_t unit) {
    for (auto& [path, counts] : scope.facts) {
        if (counts.last_unit == scope.units) continue;
        auto const& word = *counts.word();
        bool const is_part = path.size() > word.key.size();
        if (is_part && word.place < facts.known.size() && facts.known[word.place])
            counts.add({}, unit, pools_);
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
        if (hosts.units.size() < ValueCounts::most_named) hosts.units.push_back(unit_of(host));
    }
    if (report.measurements.empty()) return;
    Models const models(report);
    for (auto const& it : report.measurements) {
        if (it.status != "ok" || !it.value || !std::isfinite(*it.value) || *it.value <= 0) continue;
        if (it.backend == "cpu") continue;
        auto const* const gpu = measured_gpu(report, it);
        auto const kind =
            gpu == nullptr ? GpuKind{} : GpuKind{models.of(*gpu), partition_mode(*gpu)};
        std::pair const key{measured_text(it) + ", " + it.unit, kind};
        if (figures_.size() >= most_figures && !figures_.contains(key)) continue;
        figures_.try_emplace(key, it.unit, is_time_unit(it.unit))
            .first->second.add(*it.value, measured_unit(gpu, it, host));
    }
}

std::map<std::string, ValueCounts const*> Group::sorted(Scope const& scope) {
    std::map<std::string, ValueCounts const*> result;
    for (auto const& [path, counts] : scope.facts) result.emplace(path, &counts);
    return result;
}

std::vector<std::map<std::string, ValueCounts const*>> Group::gpu_facts() const {
    std::vector<std::map<std::string, ValueCounts const*>> result;
    for (auto const& [kind, scope] : gpu_scopes_) result.push_back(sorted(scope));
    return result;
}

std::string Group::model_name() const {
    std::vector<std::string> names;
    for (auto const& [model, name] : model_names_) names.push_back(shown_model(model, name));
    return fmt::format("{}", fmt::join(names, " and "));
}

std::string Group::name_of(GpuKind const& kind) const {
    auto const found = model_names_.find(kind.model);
    auto const name =
        shown_model(kind.model, found == model_names_.end() ? std::string() : found->second);
    return kind.mode.empty() ? name : name + ' ' + kind.mode;
}

std::map<std::string, FigureCounts const*> Group::figures() const {
    std::map<std::string, std::size_t> kinds;
    for (auto const& [key, counts] : figures_) ++kinds[key.first];
    std::map<std::string, FigureCounts const*> result;
    for (auto const& [key, counts] : figures_) {
        auto const& [measured, kind] = key;
        auto const is_alone = kinds.at(measured) == 1;
        result.emplace(is_alone ? measured : measured + ", " + name_of(kind), &counts);
    }
    return result;
}

}  // namespace rocmtune
