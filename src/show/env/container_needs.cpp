// SPDX-License-Identifier: MIT
#include "show/env/container_needs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "host/environment.hpp"
#include "host/shared_memory.hpp"
#include "host/subject.hpp"
#include "judge/checks/kind.hpp"
#include "judge/rules/scene.hpp"
#include "judge/rules/visibility.hpp"

namespace rocmtune {
namespace {

using Gpus = std::vector<Gpu const*>;

/// The selected GPUs that a container of this host could compute on.
Gpus gpus_for_container(Report const& report) {
    auto gpus = usable_gpus(*report.host);
    std::erase_if(gpus, [&](Gpu const* gpu) { return !is_among(report.settings->rows, *gpu); });
    return gpus;
}

void note_gpus_left_out(Report const& report, Gpus const& used, ContainerNeeds& needs) {
    std::vector<std::uint64_t> rows;
    for (auto const& gpu : report.host->gpus)
        if (is_among(report.settings->rows, gpu) && std::ranges::find(used, &gpu) == used.end())
            rows.push_back(gpu.row.value_or(0));
    if (!rows.empty())
        needs.notes.push_back(fmt::format("a process here cannot use GPU{} {}: left out",
                                          rows.size() == 1 ? "" : "s", fmt::join(rows, ", ")));
}

/// How many of the GPUs the masks of the settings leave. What a mask leaves cannot be told where no
/// process here can use a GPU, and chosen rows come without one.
std::size_t count_unmasked(Report const& report, Gpus const& gpus) {
    std::map<std::string, std::string> masks;
    for (auto const& setting : report.settings->items)
        if (setting.value && is_device_mask(setting.name)) masks[setting.name] = *setting.value;
    if (masks.empty() || !report.settings->rows.empty()) return gpus.size();
    auto const shown = simulate_visibility(*report.host, masks).hip.devices;
    return shown && !shown->empty() ? shown->size() : gpus.size();
}

void add_node(Fact<DeviceNode> const& node, std::string const& what,
              std::set<std::uint64_t>& groups, ContainerNeeds& needs) {
    if (!node) {
        needs.notes.push_back(fmt::format("{} is not known here ({}): it is left out", what,
                                          missing_name(node.reason())));
        return;
    }
    if (std::find(needs.devices.begin(), needs.devices.end(), node->path) == needs.devices.end())
        needs.devices.push_back(node->path);
    if (!node->group_id)
        needs.notes.push_back(
            fmt::format("the group of {} is not known here: it is left out", node->path));
    else if (*node->group_id != 0) groups.insert(*node->group_id);
}

/// Whether there is such a node, though nobody looked at it, as at that of a sleeping GPU.
bool is_there_unseen(Gpu const& gpu) {
    if (gpu.render_access || !gpu.render_node) return false;
    auto const reason = gpu.render_access.reason();
    return reason != Missing::absent && reason != Missing::invalid;
}

void add_render_node(Gpu const& gpu, std::set<std::uint64_t>& groups, ContainerNeeds& needs) {
    auto const what = fmt::format("the render node of GPU {}", gpu.row.value_or(0));
    if (!is_there_unseen(gpu)) return add_node(gpu.render_access, what, groups, needs);
    auto const path = "/dev/dri/" + *gpu.render_node;
    needs.devices.push_back(path);
    needs.notes.push_back(fmt::format("the group of {} is not known here ({}): it is left out",
                                      path, missing_name(gpu.render_access.reason())));
}

/// The limits of this shell are not what a container needs: RT3208 and RT3209 warn of them.
/// Network adapters and the runtime lock memory; data loaders and RCCL open files and sockets.
constexpr std::uint64_t soft_open_files = 65536;
constexpr std::uint64_t hard_open_files = 1048576;

}  // namespace

ContainerNeeds container_needs(Report const& report) {
    ContainerNeeds needs;
    auto const& host = *report.host;
    std::set<std::uint64_t> groups;
    auto const gpus = gpus_for_container(report);
    needs.gpus_to_use = count_unmasked(report, gpus);
    note_gpus_left_out(report, gpus, needs);
    if (!gpus.empty()) add_node(host.kfd_access, "/dev/kfd", groups, needs);
    for (auto const* gpu : gpus) add_render_node(*gpu, groups, needs);
    needs.group_ids.assign(groups.begin(), groups.end());
    needs.shm_bytes = std::max(host.shm_bytes.value_or(0), advised_shm_bytes);
    needs.limits = {{"memlock", std::nullopt, std::nullopt},
                    {"nofile", soft_open_files, hard_open_files}};
    if (host.rdma_devices && !host.rdma_devices->empty())
        needs.notes.push_back(
            fmt::format("RDMA devices are here ({}): jobs on several hosts also need "
                        "/dev/infiniband and the host's network",
                        fmt::join(*host.rdma_devices, ", ")));
    return needs;
}

}  // namespace rocmtune
