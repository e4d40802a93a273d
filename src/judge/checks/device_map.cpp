// SPDX-License-Identifier: MIT
#include "judge/checks/checks.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/host.hpp"
#include "judge/checks/check.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

/// The value that the report prints, then what other sources said.
template <class T>
std::vector<Evidence> evidence_of(Fact<T> const& fact) {
    std::vector<Evidence> evidence{{source_text(fact.source()), fact_text(*fact)}};
    for (auto const& other : fact.others())
        evidence.push_back({source_text(other.source), fact_text(other.value)});
    return evidence;
}

/// "68702699520 by drm, 34351349760 by hip"
template <class T>
std::string claims_text(Fact<T> const& fact) {
    auto text = fmt::format("{} by {}", fact_text(*fact), fact.source().reader);
    for (auto const& other : fact.others())
        text += fmt::format(", {} by {}", fact_text(other.value), other.source.reader);
    return text;
}

// ---- RT1004: the target -------------------------------------------------------------------------

bool target_differs(Gpu const& gpu) {
    return gpu.gfx_target && gpu.gfx_target_reported && *gpu.gfx_target != *gpu.gfx_target_reported;
}

/// The overrides that are set: for all GPUs, or for one (HSA_OVERRIDE_GFX_VERSION_0).
std::vector<Evidence> overrides_of(Host const& host) {
    std::vector<Evidence> overrides;
    for (auto const& [name, value] : gfx_overrides(host))
        overrides.push_back({"environment: " + name, value});
    return overrides;
}

std::string target_message(Host const& host, Gpu const& gpu, bool overridden) {
    auto text =
        fmt::format("{} reports {}, the hardware is {}", gpu.gfx_target_reported.source().reader,
                    *gpu.gfx_target_reported, *gpu.gfx_target);
    if (overridden) return text + ": HSA_OVERRIDE_GFX_VERSION is set";
    return host.environment ? text + ", and no override is set" : text;
}

void judge_targets(Host const& host, Verdicts const& verdicts) {
    auto const overrides = overrides_of(host);
    for (auto const& gpu : host.gpus) {
        if (!target_differs(gpu)) continue;
        auto evidence = evidence_of(gpu.gfx_target);
        for (auto const& more : {evidence_of(gpu.gfx_target_reported), overrides})
            evidence.insert(evidence.end(), more.begin(), more.end());
        verdicts.about(subject_of(gpu))
            .warn(target_message(host, gpu, !overrides.empty()), std::move(evidence));
    }
}

// ---- RT1005: the numbers ------------------------------------------------------------------------

/// What stands for exactly one row. Identifiers of the chip are not among them: kernels before
/// Linux 7 give all partitions of a card one.
struct NumberRow {
    Number Gpu::*fact;
    std::string_view key;
};
constexpr NumberRow numbers[] = {{&Gpu::hip_index, "hip_index"},
                                 {&Gpu::rocr_index, "rocr_index"},
                                 {&Gpu::smi_index, "smi_index"},
                                 {&Gpu::kfd_node, "kfd_node"}};

bool is_number(std::string_view key) {
    return std::ranges::find(numbers, key, &NumberRow::key) != std::end(numbers);
}

/// One number for two GPUs. SMI numbers of two libraries are two countings.
void judge_shared_numbers(Host const& host, NumberRow const& number, Verdicts const& verdicts) {
    std::map<std::pair<std::string_view, std::uint64_t>, Gpu const*> first;
    for (auto const& gpu : host.gpus) {
        auto const& fact = gpu.*number.fact;
        if (!fact) continue;
        auto const [known, fresh] = first.try_emplace({fact.source().reader, *fact}, &gpu);
        if (fresh) continue;
        auto const& other = *known->second;
        verdicts.about(subject_of(gpu))
            .warn(fmt::format("{} {} stands for rows {} and {}", number.key, *fact,
                              other.row.value_or(0), gpu.row.value_or(0)),
                  {{source_text((other.*number.fact).source()), subject_of(other)},
                   {source_text(fact.source()), subject_of(gpu)}});
    }
}

void judge_numbers(Host const& host, Verdicts const& verdicts) {
    for (auto const& number : numbers) {
        // One GPU with two numbers.
        for (auto const& gpu : host.gpus)
            if (auto const& fact = gpu.*number.fact; fact && !fact.others().empty())
                verdicts.about(subject_of(gpu))
                    .warn(fmt::format("two numbers in {}: {}", number.key, claims_text(fact)),
                          evidence_of(fact));
        judge_shared_numbers(host, number, verdicts);
    }
}

// ---- RT1001: all other disputes -----------------------------------------------------------------

/// Turns the disputes of one entity into findings, but for those that have an id of their own.
struct Disputes {
    Verdicts verdicts;
    bool target_is_judged = false;

    template <class T>
    void operator()(Field const& field, Fact<T> const& fact) const {
        if (!fact || fact.others().empty() || has_own_id(field.key)) return;
        verdicts.warn(fmt::format("sources disagree about {}: {}", field.key, claims_text(fact)),
                      evidence_of(fact));
    }
    template <class T>
    void operator()(Field const&, T const&) const {}

  private:
    bool has_own_id(std::string_view key) const {
        if (key == "gfx_target" || key == "gfx_target_reported") return target_is_judged;
        return key == "hip_runtime_loaded" || is_number(key);
    }
};

void judge_disputes(Host const& host, Verdicts const& verdicts) {
    visit_fields(host, Disputes{verdicts});
    for (auto const& gpu : host.gpus)
        visit_fields(gpu, Disputes{verdicts.about(subject_of(gpu)), target_differs(gpu)});
}

// ---- RT1002: devices of one library only --------------------------------------------------------

/// The reader of runtimes states the maker of those rows that the kernel did not give.
bool only_a_library_reports(Gpu const& gpu) {
    static constexpr std::array<std::string_view, 4> libraries{"hsa", "hip", "rocm_smi", "amd_smi"};
    return gpu.vendor &&
           std::ranges::find(libraries, gpu.vendor.source().reader) != libraries.end();
}

/// "hsa, hip": who lists the device.
std::string libraries_of(Gpu const& gpu) {
    std::string names;
    for (auto const* index : {&gpu.rocr_index, &gpu.hip_index, &gpu.smi_index})
        if (*index) names.append(names.empty() ? "" : ", ").append(index->source().reader);
    return names.empty() ? std::string(gpu.vendor.source().reader) : names;
}

void judge_unknown_devices(Host const& host, Verdicts const& verdicts) {
    for (auto const& gpu : host.gpus) {
        if (!only_a_library_reports(gpu)) continue;
        std::vector<Evidence> found;
        for (auto const* fact : {&gpu.pci_address, &gpu.uuid, &gpu.gfx_target_reported})
            if (*fact) found.push_back(evidence(*fact));
        // In WSL the kernel has no device to show: this is how it is meant to be.
        auto& finding =
            verdicts.about(subject_of(gpu))
                .give(
                    Verdict::warn,
                    fmt::format("the kernel does not show the device in row {} ({}), listed by {}",
                                gpu.row.value_or(0), gpu.marketing_name.value_or("without a name"),
                                libraries_of(gpu)),
                    std::move(found));
        if (host.is_wsl.value_or(false)) finding.verdict = Verdict::info;
    }
}

// ---- RT1003: two runtimes in one process --------------------------------------------------------

void judge_loaded_runtimes(Host const& host, Verdicts const& verdicts) {
    auto const& loaded = host.hip_runtime_loaded;
    if (!loaded || loaded.others().empty()) return;
    auto files = *loaded;
    for (auto const& other : loaded.others()) files += ", " + other.value;
    verdicts.warn(
        fmt::format("{} HIP runtimes share one process: {}", loaded.others().size() + 1, files),
        evidence_of(loaded));
}

}  // namespace

std::vector<Finding> judge_device_map(Host const& host) {
    std::vector<Finding> findings;
    judge_disputes(host, {"RT1001", findings});
    judge_unknown_devices(host, {"RT1002", findings});
    judge_loaded_runtimes(host, {"RT1003", findings});
    judge_targets(host, {"RT1004", findings});
    judge_numbers(host, {"RT1005", findings});
    return findings;
}

}  // namespace rocmtune
