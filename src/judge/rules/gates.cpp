// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <set>

#include "base/host.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/rules/condition.hpp"
#include "judge/rules/gates.hpp"
#include "judge/rules/masks.hpp"
#include "judge/rules/settings.hpp"
#include "judge/rules/shared_memory.hpp"
#include "judge/rules/visibility.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

/// Python packages that are a framework; several names where builds for ROCm have their own.
struct FrameworkPackages {
    FrameworkChoice framework;
    std::array<std::string_view, 3> packages;
};

constexpr std::array<FrameworkPackages, 5> framework_packages{{
    {FrameworkChoice::pytorch, {"torch", "", ""}},
    {FrameworkChoice::vllm, {"vllm", "vllm-rocm", ""}},
    {FrameworkChoice::jax, {"jax", "", ""}},
    {FrameworkChoice::tensorflow, {"tensorflow-rocm", "tensorflow", ""}},
    {FrameworkChoice::onnxruntime, {"onnxruntime-rocm", "onnxruntime-migraphx", "onnxruntime"}},
}};

Decision installed(FrameworkChoice framework, Host const& host) {
    Decision best{.truth = Truth::no};
    for (auto const& row : framework_packages) {
        if (row.framework != framework) continue;
        for (auto const package : row.packages) {
            if (package.empty()) continue;
            auto const version = installed_version(host, package);
            if (version.there > best.truth) best = {version.there, {version.fact}};
        }
    }
    return best;
}

/// A version against a bound that covers all its sub-versions: 7.2.4 is not after 7.2.
bool is_after(std::string_view version, std::string_view bound) {
    auto parts = version_parts(version);
    auto const limit = version_parts(bound);
    if (!parts || !limit) return false;
    if (parts->size() > limit->size()) parts->resize(limit->size());
    return *parts > *limit;
}

/// The newest version that the rule's texts are about; empty if none is stated.
std::string_view newest_checked(RuleValidity const& validity) {
    auto newest = validity.checked;
    for (auto const version : validity.versions) {
        if (newest.empty() || is_before(newest, version)) newest = version;
    }
    return newest;
}

/// The oldest version that it was observed in, where nothing else says from when on it holds.
std::string_view oldest_observed(RuleValidity const& validity) {
    if (validity.kind != "observed" || !validity.since.empty()) return {};
    std::string_view oldest;
    for (auto const version : validity.versions)
        if (oldest.empty() || is_before(version, oldest)) oldest = version;
    return oldest;
}

/// The rule's bounds against the installed version.
void compare_installed(Rule const& rule, Host const& host, ValidityHere& here) {
    auto const& stated = rule.validity;
    auto const bounded = !stated.since.empty() || !stated.until.empty();
    auto const newest = newest_checked(stated);
    if (stated.of.empty() || (!bounded && newest.empty())) return;
    auto const version = installed_version(host, stated.of);
    if (version.there == Truth::no) {
        if (bounded) here.held = Held{};
        return;
    }
    if (version.there == Truth::unknown) {
        if (!bounded) return;
        here.held = Held{
            "missing-fact", fmt::format("the version of {} decides", stated.of), {version.fact}};
        return;
    }
    auto const& text = *version.fact.value;
    here.because.push_back(version.fact);
    if ((!stated.since.empty() && is_before(text, stated.since)) ||
        (!stated.until.empty() && !is_before(text, stated.until))) {
        here.held = Held{};
    } else if (!newest.empty() && is_after(text, newest)) {
        here.validity.kind = "unknown";
        here.held = Held{"validity-unknown",
                         fmt::format("{} {} is newer than {}, the newest whose text was read",
                                     stated.of, text, newest)};
    } else if (auto const oldest = oldest_observed(stated);
               !oldest.empty() && is_before(text, oldest)) {
        here.validity.kind = "unknown";
        here.held = Held{"validity-unknown",
                         fmt::format("{} {} is older than {}, the oldest in which it was observed",
                                     stated.of, text, oldest)};
    }
}

/// The default of the installed component; absent if it depends on what is not known here.
std::optional<std::string_view> default_here(Variable const& variable, Host const& host) {
    if (variable.former_defaults.empty()) return variable.default_value;
    if (variable.readers.empty()) return std::nullopt;
    auto const package = variable.readers.front()->package;
    // ROCm's libraries have no versions of their own that texts speak of.
    auto const of_rocm = package.empty() || package.starts_with("lib");
    auto const version = installed_version(host, of_rocm ? "rocm" : package);
    if (version.there != Truth::yes) return std::nullopt;
    FormerDefault const* held = nullptr;
    for (auto const& former : variable.former_defaults) {
        auto const order = compare_versions(*version.fact.value, former.until);
        if (!order) return std::nullopt;  // a date says nothing about a version
        if (*order < 0 && (!held || is_before(former.until, held->until))) held = &former;
    }
    return held ? std::optional(held->value) : variable.default_value;
}

using Gpus = std::vector<Gpu const*>;

/// ROCr's own names of these GPUs, in the order of their rows: UUIDs where every GPU has one that
/// no other shares (partitions of a card do, on some kernels), else positions in ROCr's list.
std::optional<std::string> rocr_tokens(SelectedHost const& selected, Gpus const& wanted) {
    auto const hsakmt = hsakmt_gpus(*selected.host);
    if (!hsakmt.known || wanted.empty()) return std::nullopt;
    std::multiset<std::string> ids;
    for (auto const* gpu : hsakmt.gpus) ids.insert(device_id(*gpu).unique_id);
    auto const unique = std::ranges::all_of(wanted, [&](Gpu const* gpu) {
        auto const id = device_id(*gpu).unique_id;
        return !id.empty() && ids.count(id) == 1;
    });
    std::vector<std::string> tokens;
    for (auto const* gpu : wanted) {
        auto const place = std::ranges::find(hsakmt.gpus, gpu);
        if (place == hsakmt.gpus.end()) return std::nullopt;
        tokens.push_back(unique ? "GPU-" + device_id(*gpu).unique_id
                                : std::to_string(place - hsakmt.gpus.begin()));
    }
    return fmt::format("{}", fmt::join(tokens, ","));
}

HostValue selected_gpus(SelectedHost const& selected) {
    return {rocr_tokens(selected, selected.gpus)};
}

HostValue discrete_gpus(SelectedHost const& selected) {
    Gpus discrete;
    for (auto const* gpu : selected.gpus) {
        if (!gpu->is_apu) return {};
        if (!*gpu->is_apu) discrete.push_back(gpu);
    }
    return {rocr_tokens(selected, discrete)};
}

/// Lowers a number of cores to what this process may use of them: the CPUs that it is bound to
/// (taskset, cpusets of containers and batch systems) and the time that control groups grant.
/// False if that is not known; the value then holds what is missing.
bool limit_to_this_process(Host const& host, std::uint64_t& cores, HostValue& value) {
    auto const cpus = host.allowed_cpus ? parse_cpu_list(*host.allowed_cpus) : std::nullopt;
    auto const quota = presence(host.cpu_quota_cpus);
    for (auto const& [is_known, field] : {std::pair(cpus && !cpus->empty(), "allowed_cpus"),
                                          std::pair(quota != Truth::unknown, "cpu_quota_cpus")}) {
        if (is_known) continue;
        value = {{}, {{"host", field, std::nullopt}}};
        return false;
    }
    cores = std::min<std::uint64_t>(cores, cpus->size());
    value.because.push_back({"host", "allowed_cpus", *host.allowed_cpus});
    if (quota == Truth::no) return true;
    cores = std::min(cores, static_cast<std::uint64_t>(*host.cpu_quota_cpus));
    value.because.push_back({"host", "cpu_quota_cpus", fmt::format("{}", *host.cpu_quota_cpus)});
    return true;
}

/// Threads of one process of several: its share of the cores.
HostValue cores_per_gpu(SelectedHost const& selected) {
    auto const& host = *selected.host;
    if (!host.cpu_cores) return {{}, {{"host", "cpu_cores", std::nullopt}}};
    auto cores = *host.cpu_cores;
    HostValue value{{}, {{"host", "cpu_cores", std::to_string(cores)}}};
    if (!selected.elsewhere && !limit_to_this_process(host, cores, value)) return value;
    value.text = std::to_string(std::max<std::uint64_t>(1, cores / selected.gpus.size()));
    return value;
}

/// AMD's figure for MI300A: all 128 GiB of every APU, in pages of 4 KiB.
HostValue ttm_pages_limit(SelectedHost const& selected) {
    constexpr std::uint64_t pages_per_apu = (std::uint64_t{128} << 30) / 4096;
    std::set<std::string> modules;
    for (auto const* gpu : selected.gpus) {
        if (!gpu->module) return {};
        modules.insert(*gpu->module);
    }
    if (modules.empty()) return {};
    return {std::to_string(pages_per_apu * modules.size())};
}

/// The same for the GPU of a laptop's or desktop's processor.
HostValue shared_memory_pages(SelectedHost const& selected) {
    auto const& host = *selected.host;
    auto const* const gpu = only_shared_gpu(host);
    auto const shared = gpu != nullptr ? shared_memory(host, *gpu) : std::nullopt;
    if (!shared || !shared->most) return {.is_needless = true};
    auto const because = [](std::string_view field, Number const& fact) {
        return Because{"host", std::string(field), std::to_string(*fact)};
    };
    HostValue value{std::to_string(*shared->most / 4096),
                    {because("memory_bytes", host.memory_bytes),
                     because("ttm_limit_bytes", host.ttm_limit_bytes)}};
    if (shared->module != "ttm")
        *value.text += fmt::format(" (of the module {}, which this driver has)", shared->module);
    return value;
}

struct Value {
    std::string_view word;
    HostValue (*make)(SelectedHost const&);
};

constexpr std::array<Value, value_words.size()> values{{
    {"selected-gpus", selected_gpus},
    {"discrete-gpus", discrete_gpus},
    {"cores-per-gpu", cores_per_gpu},
    {"ttm-pages-limit", ttm_pages_limit},
    {"shared-memory-pages", shared_memory_pages},
}};

}  // namespace

SelectedHost select_gpus(Host const& host, Selection const& selection) {
    SelectedHost selected{.host = &host, .elsewhere = selection.elsewhere};
    auto const usable = usable_gpus(host);
    if (selection.rows.empty()) {
        selected.gpus = usable;
        return selected;
    }
    for (auto const& gpu : host.gpus) {
        if (is_among(selection.rows, gpu)) selected.gpus.push_back(&gpu);
        else if (std::ranges::find(usable, &gpu) != usable.end()) ++selected.unselected;
    }
    return selected;
}

std::vector<GpuProfile> profiles_of(SelectedHost const& selected, ChipSet const& chips) {
    std::vector<GpuProfile> all;
    for (auto const* gpu : selected.gpus) {
        GpuProfile profile{.gpu = gpu};
        if (gpu->gfx_target) {
            profile.chip = chips.find_chip(*gpu->gfx_target);
            if (!profile.chip) profile.chip = chips.find_family(*gpu->gfx_target);
            profile.stands_in = profile.chip && profile.chip->gfx_target != *gpu->gfx_target;
        }
        all.push_back(profile);
    }
    return all;
}

Decision covers(Rule const& rule, GpuProfile const& profile) {
    if (rule.everywhere) return {.truth = Truth::yes};
    auto const& target = profile.gpu->gfx_target;
    Because fact{subject_of(*profile.gpu), "gfx_target", target.value()};
    if (!target) return {Truth::unknown, {std::move(fact)}};
    auto const inherits = profile.chip && std::ranges::find(profile.chip->lineage, rule.profile) !=
                                              profile.chip->lineage.end();
    return {truth_of(inherits), {std::move(fact)}};
}

std::size_t rank_of(Rule const& rule, std::vector<GpuProfile> const& profiles) {
    for (auto const& profile : profiles) {
        if (!profile.chip) continue;
        auto const& lineage = profile.chip->lineage;
        auto const place = std::ranges::find(lineage, rule.profile);
        if (place != lineage.end()) return static_cast<std::size_t>(lineage.end() - place) - 1;
    }
    return 0;
}

Decision framework_verdict(Rule const& rule, FrameworkChoice choice, Host const& host) {
    if (rule.frameworks.empty()) return {.truth = Truth::yes};
    Decision best{.truth = Truth::no};
    for (auto const framework : rule.frameworks) {
        if (choice == framework) return {.truth = Truth::yes};
        if (choice != FrameworkChoice::automatic) continue;
        auto one = installed(framework, host);
        if (one.truth > best.truth) best = std::move(one);
    }
    return best;
}

ValidityHere validity_here(Rule const& rule, Level level, Host const& host) {
    ValidityHere here{.validity = validity_of(rule.validity)};
    compare_installed(rule, host, here);
    if (here.held && here.held->reason != "validity-unknown") return here;
    if (here.validity.kind == "unknown" && !here.held)
        here.held = Held{"validity-unknown", "nobody says for which versions this holds"};
    if (level == Level::aggressive) here.held.reset();
    return here;
}

std::optional<Held> catalogue_gate(Rule const& rule, std::string_view value,
                                   Catalogue const& catalogue, Host const& host) {
    if (rule.kind != SettingKind::environment && rule.kind != SettingKind::allocator)
        return std::nullopt;
    if (finds_code(rule.name))
        return Held{"not-settable", "programs find code by it, so it is never set"};
    auto const* variable = catalogue.find(rule.name);
    if (!variable) return Held{"not-settable", "the catalogue does not know this variable"};
    if (variable->status == "dead" || variable->status == "never-existed")
        return Held{"not-settable", "nothing reads this variable"};
    if (variable->use != "runtime")
        return Held{"not-settable",
                    fmt::format("it is a variable of class {}, which is never set", variable->use)};
    if (auto const usual = default_here(*variable, host);
        usual && means_default(*variable, value, *usual))
        return Held{"component-default",
                    fmt::format("{} is what its component does anyway", value)};
    return std::nullopt;
}

std::optional<Held> environment_gate(Rule const& rule, Host const& host) {
    for (auto const name : rule.unless_set)
        if (is_set(host, name)) return Held{"conflict", fmt::format("{} is set already", name)};
    return std::nullopt;
}

HostValue host_value(std::string_view word, SelectedHost const& selected) {
    auto const found = std::ranges::find(values, word, &Value::word);
    return found == values.end() ? HostValue{} : found->make(selected);
}

}  // namespace rocmtune
