// SPDX-License-Identifier: MIT
// Follows libhsakmt topology.c (rocm-systems 04c92c1e), topology_sysfs_check_node_supported:
// a node that answers EPERM and one whose render node gives ENOENT or EPERM are left out; any
// other failure ends the whole start.
#include <fmt/format.h>
#include <algorithm>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/rules/masks.hpp"
#include "judge/rules/visibility.hpp"

namespace rocmtune {
namespace {

std::string gpu_name(Gpu const& gpu) {
    return gpu.row ? fmt::format("GPU {}", *gpu.row) : "a GPU";
}

/// Ends with a known answer: ROCr shows nothing.
void nothing(HsakmtGpus& view, std::string const& note) {
    view.gpus.clear();
    view.notes.assign(1, note);
    view.complete = false;
}

void not_known(HsakmtGpus& view, std::string const& note) {
    view.known = false;
    nothing(view, note);
}

/// True if /dev/kfd is known to be closed to this process.
bool kfd_refused(Host const& host, HsakmtGpus& view) {
    auto const& access = host.kfd_access;
    auto const reason = access.reason();
    if (access && access->usable) return false;
    if (!access && reason != Missing::absent && reason != Missing::invalid) {
        view.notes.push_back(fmt::format("assumes that /dev/kfd opens ({})", missing_name(reason)));
        return false;
    }
    nothing(view, access                      ? fmt::format("ROCr cannot open /dev/kfd ({})",
                                                            access->error.value_or("refused"))
                  : reason == Missing::absent ? "there is no /dev/kfd"
                                              : "/dev/kfd is not the device of KFD");
    return true;
}

/// True if the topology cannot be judged; notes nodes that the device cgroup hides.
bool bad_nodes(Host const& host, HsakmtGpus& view) {
    std::size_t hidden = 0;
    for (auto const& node : *host.kfd_nodes) {
        if (!node.problem) continue;
        if (node.kind != "gpu") {
            not_known(view,
                      fmt::format("KFD node {} could not be read ({})", node.node, *node.problem));
            return true;
        }
        ++hidden;
    }
    if (hidden == 0) return false;
    view.complete = false;
    view.notes.push_back(fmt::format("{} KFD node{} hidden from this process (device cgroup)",
                                     hidden, hidden == 1 ? " is" : "s are"));
    return false;
}

enum class Opens { yes, left_out, ends_the_start };

Opens render_opens(Gpu const& gpu, HsakmtGpus& view) {
    auto const& access = gpu.render_access;
    if (access && access->usable) return Opens::yes;
    if (!access && access.reason() != Missing::absent) {
        view.notes.push_back(fmt::format("assumes that the render node of {} opens ({})",
                                         gpu_name(gpu), missing_name(access.reason())));
        return Opens::yes;
    }
    auto const error = access ? access->error.value_or("refused") : "ENOENT";
    bool const skipped = error == "ENOENT" || error == "EPERM";
    auto const note = fmt::format("its render node gives {}", error);
    if (!skipped) nothing(view, fmt::format("ROCr fails to start: {}, {}", gpu_name(gpu), note));
    else view.notes.push_back(fmt::format("ROCr leaves {} out: {}", gpu_name(gpu), note));
    return skipped ? Opens::left_out : Opens::ends_the_start;
}

std::vector<Gpu const*> gpus_by_node(Host const& host) {
    std::vector<Gpu const*> gpus;
    for (auto const& gpu : host.gpus)
        if (gpu.kfd_node) gpus.push_back(&gpu);
    std::ranges::sort(gpus, [](Gpu const* a, Gpu const* b) { return *a->kfd_node < *b->kfd_node; });
    return gpus;
}

/// True if the topology is there; otherwise the view says what that means.
bool has_topology(Host const& host, HsakmtGpus& view) {
    if (host.kfd_nodes) return true;
    if (host.is_wsl.value_or(false))
        not_known(view, "WSL shows GPUs through /dev/dxg, which is not simulated");
    else if (host.kfd_nodes.reason() == Missing::absent)
        nothing(view, "the kernel has no KFD topology");
    else
        not_known(view, fmt::format("the KFD topology is not known ({})",
                                    missing_name(host.kfd_nodes.reason())));
    return false;
}

bool is_hexadecimal_id(std::string_view text) {
    return text.size() == 16 && is_lower_hexadecimal(text);
}

using Variables = std::map<std::string, std::string>;

MaskValue value_of(Variables const& variables, std::string_view name) {
    auto const found = variables.find(std::string(name));
    return found == variables.end() ? MaskValue{} : MaskValue{found->second};
}

template <class T>
void append(std::vector<T>& all, std::vector<T> const& more) {
    all.insert(all.end(), more.begin(), more.end());
}

// ---- ROCr and HIP -----------------------------------------------------------------------------

using Gpus = std::vector<Gpu const*>;

std::vector<DeviceId> ids_of(Gpus const& gpus) {
    std::vector<DeviceId> ids;
    for (auto const* gpu : gpus) ids.push_back(device_id(*gpu));
    return ids;
}

Gpus chosen(Gpus const& gpus, MaskSelection const& selection) {
    Gpus result;
    for (auto const index : selection.indices) result.push_back(gpus[index]);
    return result;
}

VisibleDevice device(std::uint64_t index, Gpu const& gpu) {
    VisibleDevice result{.index = index, .row = gpu.row.value(), .kfd_node = gpu.kfd_node.value()};
    result.pci_address = gpu.pci_address.value();
    if (is_partition(gpu)) result.partition_index = gpu.partition_index.value();
    return result;
}

std::vector<VisibleDevice> devices_of(Gpus const& gpus) {
    std::vector<VisibleDevice> devices;
    for (auto const* gpu : gpus) devices.push_back(device(devices.size(), *gpu));
    return devices;
}

/// The GPUs of a stage; absent if they cannot be known.
using Shown = std::optional<Gpus>;

Shown fill_rocr(HsakmtGpus const& hsakmt, Variables const& variables, VisibleStage& stage) {
    auto const value = value_of(variables, "ROCR_VISIBLE_DEVICES");
    if (value) stage.variable = "ROCR_VISIBLE_DEVICES";
    stage.notes = hsakmt.notes;
    if (!hsakmt.known) return std::nullopt;
    auto const selection = select_rocr(value, ids_of(hsakmt.gpus));
    append(stage.notes, selection.notes);
    if (selection.unknown) return std::nullopt;
    auto gpus = chosen(hsakmt.gpus, selection);
    stage.devices = devices_of(gpus);
    return gpus;
}

Shown fill_hip(Shown const& rocr, Variables const& variables, VisibleStage& stage) {
    if (variables.contains("GPU_DEVICE_ORDINAL"))
        stage.notes.emplace_back("GPU_DEVICE_ORDINAL is read by OpenCL only");
    auto const selection =
        select_hip(value_of(variables, "HIP_VISIBLE_DEVICES"),
                   value_of(variables, "CUDA_VISIBLE_DEVICES"), ids_of(rocr.value_or(Gpus{})));
    if (selection.decided)
        stage.variable = selection.reads_cuda ? "CUDA_VISIBLE_DEVICES" : "HIP_VISIBLE_DEVICES";
    if (!rocr) return std::nullopt;
    append(stage.notes, selection.notes);
    if (selection.unknown) return std::nullopt;
    auto gpus = chosen(*rocr, selection);
    stage.devices = devices_of(gpus);
    return gpus;
}

// ---- PyTorch ----------------------------------------------------------------------------------

/// amdsmi lists all GPUs of the driver whatever the masks say. What it lists of devices that this
/// process may not use differs between releases, so their number is known to be in a range only.
struct Listed {
    std::size_t least = 0;
    Gpus most = {};
};

Listed listed_by_amdsmi(Host const& host, HsakmtGpus const& hsakmt) {
    Listed listed;
    std::size_t numbered = 0;
    for (auto const& gpu : host.gpus) {
        if (gpu.driver && *gpu.driver != "amdgpu") continue;
        listed.most.push_back(&gpu);
        if (gpu.smi_index) ++numbered;
    }
    listed.least = hsakmt.complete ? listed.most.size() : hsakmt.gpus.size();
    if (numbered == 0) return listed;
    std::erase_if(listed.most, [](Gpu const* gpu) { return !gpu->smi_index; });
    listed.least = numbered;
    return listed;
}

struct CountRange {
    std::optional<std::size_t> least, most;
};

CountRange torch_counts(TorchMask const& mask, Listed const& listed) {
    if (mask.items.empty()) return {0, 0};
    if (!mask.uuids)
        return {torch_count(mask, listed.least), torch_count(mask, listed.most.size())};
    auto const count = listed.least == listed.most.size()
                           ? torch_uuid_count(mask, ids_of(listed.most))
                           : std::nullopt;
    return {count, count};
}

void add_torch_notes(Variables const& variables, Listed const& listed, VisibleTorch& torch,
                     std::size_t in_hip) {
    if (torch.variable == "ROCR_VISIBLE_DEVICES" && variables.contains("CUDA_VISIBLE_DEVICES"))
        torch.notes.emplace_back(
            "PyTorch counts the tokens of ROCR_VISIBLE_DEVICES only; HIP applies "
            "CUDA_VISIBLE_DEVICES too");
    if (!torch.count && listed.least != listed.most.size())
        torch.notes.push_back(
            fmt::format("amdsmi may list {} to {} GPUs here", listed.least, listed.most.size()));
    else if (!torch.count) torch.notes.emplace_back("a GPU's UUID is not known here");
    else if (*torch.count > in_hip)
        torch.notes.push_back(
            fmt::format("PyTorch with amdsmi counts {}, HIP has {}: using cuda:{} fails",
                        *torch.count, in_hip, in_hip));
    else if (*torch.count < in_hip)
        torch.notes.push_back(
            fmt::format("PyTorch with amdsmi counts {} of HIP's {}", *torch.count, in_hip));
}

void fill_torch(Host const& host, HsakmtGpus const& hsakmt, Shown const& hip,
                Variables const& variables, VisibleTorch& torch) {
    auto const mask = parse_torch_mask(value_of(variables, "ROCR_VISIBLE_DEVICES"),
                                       value_of(variables, "HIP_VISIBLE_DEVICES"),
                                       value_of(variables, "CUDA_VISIBLE_DEVICES"));
    torch.variable = mask.variable;
    torch.error = mask.error;
    if (mask.error || !hsakmt.known || !hip) return;
    auto const listed = listed_by_amdsmi(host, hsakmt);
    auto const counts = torch_counts(mask, listed);
    if (counts.least == counts.most) torch.count = counts.least;
    torch.count_without_amdsmi = mask.items.empty() ? 0 : hip->size();
    if (counts.least && (torch.count || *counts.least >= hip->size())) {
        auto gpus = *hip;
        gpus.resize(std::min(gpus.size(), *counts.least));
        torch.devices = devices_of(gpus);
    }
    add_torch_notes(variables, listed, torch, hip->size());
}

}  // namespace

HsakmtGpus hsakmt_gpus(Host const& host) {
    HsakmtGpus view;
    if (!has_topology(host, view) || kfd_refused(host, view) || bad_nodes(host, view)) return view;
    for (auto const* gpu : gpus_by_node(host)) {
        auto const opens = render_opens(*gpu, view);
        if (opens == Opens::ends_the_start) return view;
        if (opens == Opens::yes) view.gpus.push_back(gpu);
        else view.complete = false;
    }
    return view;
}

/// ROCr prints KFD's unique_id as GPU-%016lx, and GPU-XX where that is 0 or missing.
DeviceId device_id(Gpu const& gpu) {
    if (gpu.uuid && gpu.uuid->starts_with("GPU-") && is_hexadecimal_id(gpu.uuid->substr(4)))
        return {.unique_id = gpu.uuid->substr(4)};
    if (gpu.unique_id && is_hexadecimal_id(*gpu.unique_id)) return {.unique_id = *gpu.unique_id};
    bool const none = !gpu.unique_id && (gpu.unique_id.reason() == Missing::absent ||
                                         gpu.unique_id.reason() == Missing::unsupported);
    return {.known = none};
}

std::vector<Gpu const*> usable_gpus(Host const& host) {
    std::vector<Gpu const*> driven;
    for (auto const& gpu : host.gpus)
        if (gpu.driver.value() == "amdgpu") driven.push_back(&gpu);
    auto const known = hsakmt_gpus(host);
    auto const shown = [&](Gpu const* gpu) {
        return std::ranges::find(known.gpus, gpu) != known.gpus.end();
    };
    if (known.known && std::ranges::any_of(driven, shown))
        std::erase_if(driven, [&](Gpu const* gpu) { return !shown(gpu); });
    return driven;
}

Visibility simulate_visibility(Host const& host, Variables const& variables) {
    Visibility result;
    for (auto const name : mask_names)
        if (auto const value = value_of(variables, name)) result.variables.emplace(name, *value);
    auto const hsakmt = hsakmt_gpus(host);
    auto const rocr = fill_rocr(hsakmt, result.variables, result.rocr);
    auto const hip = fill_hip(rocr, result.variables, result.hip);
    fill_torch(host, hsakmt, hip, result.variables, result.pytorch);
    return result;
}

}  // namespace rocmtune
