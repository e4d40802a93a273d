// SPDX-License-Identifier: MIT
#include "render/env/container_needs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "host/subject.hpp"
#include "host/unlimited.hpp"

namespace rocmtune {
namespace {

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

void add_limit(std::string name, Number const& soft, Number const& hard, ContainerNeeds& needs) {
    bool const known = (soft || is_unlimited(soft)) && (hard || is_unlimited(hard));
    if (known) needs.limits.push_back({std::move(name), soft.value(), hard.value()});
    else
        needs.notes.push_back(
            fmt::format("the limit {} is not known here ({})", name, missing_name(soft.reason())));
}

void add_memory(Host const& host, ContainerNeeds& needs) {
    needs.shm_bytes = host.shm_bytes.value();
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
    if (!host.gpus.empty()) add_node(host.kfd_access, "/dev/kfd", groups, needs);
    for (auto const& gpu : host.gpus)
        if (is_among(report.settings->rows, gpu))
            add_node(gpu.render_access,
                     fmt::format("the render node of GPU {}", gpu.row.value_or(0)), groups, needs);
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
