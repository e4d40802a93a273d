// SPDX-License-Identifier: MIT
#include "render/env/container_needs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "checks/kind.hpp"
#include "host/environment.hpp"
#include "host/shared_memory.hpp"
#include "host/subject.hpp"
#include "host/unlimited.hpp"
#include "rules/scene.hpp"
#include "rules/visibility.hpp"

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

void add_limit(std::string name, Number const& soft, Number const& hard, ContainerNeeds& needs) {
    bool const known = (soft || is_unlimited(soft)) && (hard || is_unlimited(hard));
    if (known) needs.limits.push_back({std::move(name), soft.value(), hard.value()});
    else
        needs.notes.push_back(
            fmt::format("the limit {} is not known here ({})", name, missing_name(soft.reason())));
}

void add_memory(Host const& host, ContainerNeeds& needs) {
    needs.shm_bytes = host.shm_bytes.value();
    if (has_container_default(host.shm_bytes, in_container(host))) {
        needs.shm_bytes = advised_shm_bytes;
        needs.notes.push_back(
            fmt::format("/dev/shm has {} here, the default of containers, which RT3210 warns of: "
                        "this one gets {}",
                        human_bytes(*host.shm_bytes), human_bytes(advised_shm_bytes)));
    }
    if (host.shm_bytes) return;
    needs.notes.push_back(is_unlimited(host.shm_bytes)
                              ? std::string("/dev/shm has no limit on this host")
                              : fmt::format("the size of /dev/shm is not known here ({})",
                                            missing_name(host.shm_bytes.reason())));
}

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
    add_memory(host, needs);
    add_limit("memlock", host.memlock_soft_bytes, host.memlock_hard_bytes, needs);
    add_limit("nofile", host.open_files_soft, host.open_files_hard, needs);
    if (host.rdma_devices && !host.rdma_devices->empty())
        needs.notes.push_back(
            fmt::format("RDMA devices are here ({}): jobs on several hosts also need "
                        "/dev/infiniband and the host's network",
                        fmt::join(*host.rdma_devices, ", ")));
    return needs;
}

}  // namespace rocmtune
