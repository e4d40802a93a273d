// SPDX-License-Identifier: MIT
#include "judge/rules/visibility.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/environment.hpp"
#include "host/subject.hpp"
#include "judge/rules/thunk.hpp"
#include "judge/rules/torch_mask.hpp"

namespace rocmtune {
namespace {

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

Shown fill_rocr(ThunkView const& thunk, Variables const& variables, VisibleStage& stage) {
    auto const value = value_of(variables, "ROCR_VISIBLE_DEVICES");
    if (value) stage.variable = "ROCR_VISIBLE_DEVICES";
    stage.notes = thunk.notes;
    if (!thunk.known) return std::nullopt;
    auto const selection = select_rocr(value, ids_of(thunk.gpus));
    append(stage.notes, selection.notes);
    if (selection.unknown) return std::nullopt;
    auto gpus = chosen(thunk.gpus, selection);
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

Listed listed_by_amdsmi(Host const& host, ThunkView const& thunk) {
    Listed listed;
    std::size_t numbered = 0;
    for (auto const& gpu : host.gpus) {
        if (gpu.driver && *gpu.driver != "amdgpu") continue;
        listed.most.push_back(&gpu);
        if (gpu.smi_index) ++numbered;
    }
    listed.least = thunk.complete ? listed.most.size() : thunk.gpus.size();
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

void fill_torch(Host const& host, ThunkView const& thunk, Shown const& hip,
                Variables const& variables, VisibleTorch& torch) {
    auto const mask = parse_torch_mask(value_of(variables, "ROCR_VISIBLE_DEVICES"),
                                       value_of(variables, "HIP_VISIBLE_DEVICES"),
                                       value_of(variables, "CUDA_VISIBLE_DEVICES"));
    torch.variable = mask.variable;
    torch.error = mask.error;
    if (mask.error || !thunk.known || !hip) return;
    auto const listed = listed_by_amdsmi(host, thunk);
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

Visibility simulate_visibility(Host const& host, Variables const& variables) {
    Visibility result;
    for (auto const name : mask_names)
        if (auto const value = value_of(variables, name)) result.variables.emplace(name, *value);
    auto const thunk = thunk_view(host);
    auto const rocr = fill_rocr(thunk, result.variables, result.rocr);
    auto const hip = fill_hip(rocr, result.variables, result.hip);
    fill_torch(host, thunk, hip, result.variables, result.pytorch);
    return result;
}

}  // namespace rocmtune
