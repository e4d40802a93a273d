// SPDX-License-Identifier: MIT
// Whether kernel and runtime see the same GPUs, and all of them.
#include <map>
#include <set>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"
#include "judge/rules/visibility.hpp"

namespace rocmtune {
namespace {

bool is_discrete(Gpu const& gpu) {
    return !gpu.is_apu.value_or(false);
}

/// A list "rocm" of the vendor that has not ended: the target is supported officially.
bool is_supported(ChipSet const& chips, Gpu const& gpu) {
    auto const* chip = gpu.gfx_target ? chips.find_chip(*gpu.gfx_target) : nullptr;
    return chip != nullptr &&
           std::ranges::any_of(chip->facts.support, [](SupportRange const& range) {
               return range.list == "rocm" && range.until.empty();
           });
}

bool is_masked(Host const& host) {
    if (!host.environment) return true;  // nobody can tell
    return std::ranges::any_of(
        mask_names, [&](auto name) { return host.environment->contains(std::string(name)); });
}

/// Compute partitions of a card in one mode (Linux amdgpu_xcp.h); CPX makes one of each die.
std::optional<std::uint64_t> partitions_in(std::string_view mode) {
    static constexpr std::pair<std::string_view, std::uint64_t> modes[] = {
        {"SPX", 1}, {"DPX", 2}, {"TPX", 3}, {"QPX", 4}};
    for (auto const& [name, count] : modes)
        if (name == mode) return count;
    return std::nullopt;
}

/// How many partitions the mode makes; of CPX the fullest card of the same model tells.
std::uint64_t expected_partitions(CheckContext const& context, Card const& card,
                                  std::string const& mode) {
    if (auto const count = partitions_in(mode)) return *count;
    auto const* product = product_of(context.chips, *card.gpu);
    std::uint64_t most = product != nullptr ? product->xcc_count.value_or(0) : 0;
    for (auto const& other : context.cards)
        if (other.gpu->pci_device_id.value() == card.gpu->pci_device_id.value() &&
            other.gpu->compute_partition.value() == mode)
            most = std::max(most, other.gpu->partition_count.value_or(0));
    return most;
}

/// The most partitions that a card of the same model has.
std::uint64_t most_of_equals(CheckContext const& context, Card const& card) {
    std::uint64_t most = 0;
    for (auto const& other : context.cards)
        if (card.gpu->pci_device_id &&
            other.gpu->pci_device_id.value() == card.gpu->pci_device_id.value())
            most = std::max(most, other.gpu->partition_count.value_or(0));
    return most;
}

/// SPX, DPX, TPX, QPX, and CPX of chips with 6 or 8 dies (MI300A, MI300X).
bool is_made_by_a_mode(std::uint64_t count) {
    static constexpr std::uint64_t counts[] = {1, 2, 3, 4, 6, 8};
    return std::ranges::find(counts, count) != std::end(counts);
}

void tell_missing_partitions(CheckContext const& context, Card const& card, std::uint64_t expected,
                             Verdicts const& verdicts) {
    auto const& mode = card.gpu->compute_partition;
    bool const confined = in_container(context.host) || in_slurm_job(context.host);
    auto const there = card.gpu->partition_count.value_or(1);
    auto& finding = verdicts.give(
        confined ? Verdict::info : Verdict::fail,
        mode ? fmt::format("{} of {} partitions of mode {} are there", there, expected, *mode)
             : fmt::format("{} of {} partitions are there: equal cards have {}", there, expected,
                           expected));
    if (mode) finding.evidence = {evidence(mode)};
    else finding.evidence = {{"kfd: partitions", std::to_string(there)}};
    auto const& conflicts = context.host.driver_conflicts;
    bool const ast = conflicts && std::ranges::any_of(*conflicts, [](std::string const& one) {
                         return one.starts_with("ast:");
                     });
    if (!ast) return;
    finding.evidence.push_back(evidence(conflicts));
    finding.next_step =
        "sudo modprobe -r ast && sudo modprobe -r amdgpu && sudo modprobe amdgpu   # when nothing "
        "uses a GPU; where ast is in use, boot with modprobe.blacklist=ast";
}

/// An override, for all GPUs or for one (HSA_OVERRIDE_GFX_VERSION_0).
std::optional<Evidence> override_of(Host const& host) {
    auto const overrides = gfx_overrides(host);
    if (overrides.empty()) return std::nullopt;
    return Evidence{"environment: " + overrides.begin()->first, overrides.begin()->second};
}

/// The driver was built without KFD; kfd-access says so once for all GPUs.
bool has_no_kfd(Host const& host) {
    return !host.kfd_nodes && host.kfd_nodes.reason() == Missing::absent && !host.kfd_access &&
           host.kfd_access.reason() == Missing::absent && !in_container(host);
}

/// A library that was cut off while it was asked, or that nobody could ask; one that fails by
/// itself says that there is nothing that it could work with.
Runtime const* silent_runtime(Host const& host) {
    if (!host.runtimes) return nullptr;
    for (auto const& runtime : *host.runtimes) {
        if (runtime.detail.value_or("").starts_with("it could not be started")) return &runtime;
        for (auto const* const end : {"signal", "timeout", "unkillable"})
            if (runtime.status == end) return &runtime;
    }
    return nullptr;
}

void judge_gpus_found(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!host.gpus.empty())
        verdicts.pass(fmt::format("{} of AMD found", counted(host.gpus.size(), "GPU")));
    else if (host.is_wsl.value_or(false))
        verdicts.unknown("WSL shows GPUs to libraries only, and none named one");
    else if (auto const* silent = silent_runtime(host))
        verdicts.unknown(
            fmt::format("no GPU of AMD is on the PCI bus, and {}, which might know of another one, "
                        "gave no answer ({})",
                        silent->name, silent->status));
    else if (host.pci_functions) verdicts.skip("no GPU of AMD is on the PCI bus");
    else
        verdicts.unknown(fmt::format("the PCI bus could not be read ({})",
                                     missing_name(host.pci_functions.reason())));
}

void judge_kfd_nodes(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    bool const confined = in_container(host) || in_slurm_job(host);
    for (auto const& gpu : host.gpus) {
        if (!gpu.sysfs_path) continue;
        if (gpu.driver ? *gpu.driver != "amdgpu" : gpu.driver.reason() == Missing::absent) continue;
        auto const at = verdicts.about(subject_of(gpu));
        auto const& node = gpu.kfd_node;
        // pcie-atomics names the reason of a refusal; one fault is one finding.
        auto const address = gpu.pci_address.value_or("");
        if (node) at.pass(fmt::format("KFD node {}", *node), node);
        else if (node.reason() == Missing::denied && confined) at.skip(kept_out_text(host));
        else if (node.reason() != Missing::absent) at.have(node, "KFD node");
        else if (rejects_atomics(context, address))
            at.skip("KFD refused it for want of PCIe atomics");
        else if (has_no_kfd(host)) at.skip("the kernel has no KFD, as RT3011 says");
        else if (!tell_from_log(context, address, verdicts))
            at.warn("the driver runs this GPU, but KFD does not: it cannot compute",
                    {{"kfd", node.detail()}});
    }
}

void judge_hip_devices(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const* hip = runtime_of(host, "hip");
    if (hip == nullptr || hip->status != "ok")
        return verdicts.skip("HIP was not asked, or did not answer");
    if (is_masked(host)) return verdicts.skip("masks are set: rocmtune probe says what they hide");
    for (auto const& gpu : host.gpus) {
        auto const at = verdicts.about(subject_of(gpu));
        if (gpu.hip_index) {
            at.pass(fmt::format("HIP device {}", *gpu.hip_index), gpu.hip_index);
        } else if (gpu.kfd_node && gpu.render_access && gpu.render_access->usable) {
            bool const expected = is_discrete(gpu) && is_supported(context.chips, gpu);
            at.give(
                expected ? Verdict::fail : Verdict::info,
                fmt::format("KFD has this GPU, HIP {} does not list it", hip->version.value_or("")),
                {evidence(gpu.kfd_node), {"hip", hip->library.value_or("")}});
        }
    }
}

void judge_partition_count(CheckContext const& context, Card const& card,
                           Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    auto const& mode = gpu.compute_partition;
    auto const there = gpu.partition_count.value_or(1);
    auto const expected =
        mode ? expected_partitions(context, card, *mode) : most_of_equals(context, card);
    bool const short_of = gpu.kfd_node && there < expected;
    // Without the mode only a number that no mode makes is surely wrong.
    if (!mode && (!short_of || is_made_by_a_mode(there)))
        verdicts.have(mode, "compute partition mode");
    else if (gpu.kfd_node && !short_of)
        verdicts.pass(fmt::format("{}, mode {}", counted(there, "partition"), *mode));
    else if (short_of) tell_missing_partitions(context, card, expected, verdicts);
}

/// The discrete GPUs by identifier: numbers change with masks and with the order of the slots.
/// Empty if the list would lose one, because it has no identifier of its own.
std::string discrete_mask(Host const& host) {
    std::set<std::string> identifiers;
    std::string mask;
    for (auto const& gpu : host.gpus) {
        if (!gpu.gfx_target || !gpu.kfd_node || !is_discrete(gpu)) continue;
        if (!gpu.unique_id || !identifiers.insert(*gpu.unique_id).second) return "";
        mask += fmt::format("{}GPU-{}", mask.empty() ? "" : ",", *gpu.unique_id);
    }
    return mask;
}

void judge_mixed_targets(CheckContext const& context, Verdicts const& verdicts) {
    std::map<std::string, std::vector<std::uint64_t>> rows_of;
    for (auto const& gpu : context.host.gpus)
        if (gpu.gfx_target && gpu.kfd_node) rows_of[*gpu.gfx_target].push_back(gpu.row.value_or(0));
    if (rows_of.size() < 2) return verdicts.pass("all GPUs have the same instruction set");
    std::string list;
    for (auto const& [target, rows] : rows_of)
        list += fmt::format("{}{} (row{} {})", list.empty() ? "" : ", ", target,
                            rows.size() == 1 ? "" : "s", fmt::join(rows, ", "));
    auto& finding = verdicts.give(
        Verdict::info, fmt::format("GPUs of {} instruction sets: {}", rows_of.size(), list));
    if (auto const mask = discrete_mask(context.host); !mask.empty())
        finding.next_step = "export ROCR_VISIBLE_DEVICES=" + mask;
}

void judge_target_override(CheckContext const& context, Verdicts const& verdicts) {
    if (!context.host.environment)
        return (void)verdicts.have(context.host.environment, "environment");
    auto const set = override_of(context.host);
    if (!set) return verdicts.pass("HSA_OVERRIDE_GFX_VERSION is not set");
    bool judged = false;
    bool needless = false;
    for (auto const& gpu : context.host.gpus) {
        // RT1004 already speaks of this GPU, with what the runtime reports.
        judged |= gpu.gfx_target && gpu.gfx_target_reported &&
                  *gpu.gfx_target != *gpu.gfx_target_reported;
        needless |= is_discrete(gpu) && is_supported(context.chips, gpu);
    }
    if (judged) return verdicts.skip("RT1004 says what the override does here");
    verdicts.give(needless ? Verdict::warn : Verdict::info,
                  fmt::format("{} is set{}", set->source.substr(set->source.rfind(' ') + 1),
                              needless ? ", though ROCm supports a GPU here as it is" : ""),
                  {*set});
}

void judge_same_place(CheckContext const& context, Verdicts const& verdicts) {
    std::map<std::string, std::set<std::uint64_t>> nodes_at;
    for (auto const& gpu : context.host.gpus) {
        if (gpu.pci_address && gpu.kfd_node) nodes_at[subject_of(gpu)].insert(*gpu.kfd_node);
    }
    bool sound = true;
    for (auto const& [subject, nodes] : nodes_at) {
        if (nodes.size() < 2) continue;
        sound = false;
        verdicts.about(subject).warn(
            fmt::format("{} KFD nodes state the same place on the PCI bus", nodes.size()));
    }
    if (sound) verdicts.pass("every KFD node has a place of its own");
}

// ---- masks --------------------------------------------------------------------------------------

std::vector<Evidence> masks_of(Host const& host) {
    std::vector<Evidence> masks;
    for (auto const name : mask_names)
        if (auto const value = variable_of(host, name))
            masks.push_back({fmt::format("environment: {}", name), *value});
    return masks;
}

/// What HIP has under the masks that are set. Says why the check has no answer if it has none.
std::optional<std::vector<VisibleDevice>> left_by_masks(CheckContext const& context,
                                                        Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have_or_skip(host.environment, "environment", "the masks are not known"))
        return std::nullopt;
    if (masks_of(host).empty()) return verdicts.pass("no mask hides GPUs"), std::nullopt;
    if (usable_gpus(host).empty())
        return verdicts.skip("no GPU here that a mask could hide"), std::nullopt;
    auto visible = simulate_visibility(host, *host.environment);
    if (!visible.hip.devices) verdicts.skip("what the masks leave cannot be told");
    return std::move(visible.hip.devices);
}

void judge_masked_out(CheckContext const& context, Verdicts const& verdicts) {
    auto const left = left_by_masks(context, verdicts);
    if (!left) return;
    if (!left->empty())
        return verdicts.pass("the masks leave " + counted(left->size(), "GPU"),
                             masks_of(context.host));
    verdicts.warn("the masks that are set leave HIP no GPU", masks_of(context.host));
}

void judge_small_only(CheckContext const& context, Verdicts const& verdicts) {
    auto const left = left_by_masks(context, verdicts);
    if (!left) return;
    if (left->empty()) return verdicts.skip("the masks leave no GPU, as RT3109 says");
    auto const gpus = usable_gpus(context.host);
    auto const is_small = [&](VisibleDevice const& device) {
        return std::ranges::any_of(gpus, [&](Gpu const* gpu) {
            return gpu->row.value() == device.row && gpu->is_apu.value_or(false);
        });
    };
    bool const has_card =
        std::ranges::any_of(gpus, [](Gpu const* gpu) { return is_discrete(*gpu); });
    if (!has_card || !std::ranges::all_of(*left, is_small))
        return verdicts.pass("the masks hide no card in favour of the processor's graphics");
    verdicts.warn("the masks that are set leave HIP only the graphics of the processor",
                  masks_of(context.host));
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check enumeration_rows[] = {
    {"RT3101", "gpus-found", "enumeration", quick, true, anywhere, judge_gpus_found},
    {"RT3102", "kfd-nodes", "enumeration", quick, true, driver, judge_kfd_nodes},
    {"RT3103", "hip-devices", "enumeration", quick, true, anywhere, judge_hip_devices},
    {"RT3104", "partition-count", "enumeration", quick, false, driver, judge_partition_count},
    {"RT3105", "mixed-targets", "enumeration", quick, false, anywhere, judge_mixed_targets},
    {"RT3106", "target-override", "enumeration", quick, false, anywhere, judge_target_override},
    {"RT3107", "same-place", "enumeration", quick, false, driver, judge_same_place},
    {"RT3109", "masked-out", "enumeration", quick, false, anywhere, judge_masked_out},
    {"RT3110", "masked-card", "enumeration", quick, false, anywhere, judge_small_only},
};
// clang-format on

}  // namespace

std::span<Check const> enumeration_checks() {
    return enumeration_rows;
}

}  // namespace rocmtune
