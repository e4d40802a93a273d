// SPDX-License-Identifier: MIT
// Reader `access`: who this process is, and whether it may use the GPU device nodes.
#include <fmt/format.h>

#include "base/host.hpp"
#include "machine/posix_file.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view access_reader = "access";

/// include/drm/drm.h (libdrm): all DRM nodes have this major number.
constexpr unsigned drm_major = 226;

using GroupNames = std::map<std::uint64_t, std::string>;

std::string group_name(GroupNames const& names, std::uint64_t gid) {
    auto const known = names.find(gid);
    return known == names.end() ? std::to_string(gid) : known->second;
}

/// Opens the node, as that is the only sure test: mode bits know nothing of device cgroups.
void try_node(HostRoot const& root, std::string const& path, FileStatus const& status,
              GroupNames const& names, Fact<DeviceNode>& fact) {
    auto const open = root.open_device(path);
    // Without an errno nobody tried: the answer was not recorded, or not in time.
    if (!open && open.error == 0) return miss(fact, open);
    DeviceNode node;
    node.path = path;
    node.usable = open.value.has_value();
    if (!open) node.error = errno_name(open.error);
    node.group = group_name(names, status.gid);
    node.group_id = status.gid;
    node.mode = fmt::format("{:04o}", status.mode);
    fact.offer(std::move(node), {access_reader, path});
}

/// The status of a character device; anything else in its place is no device (container runtimes
/// make a directory when told to mount a device that the host does not have).
Answer<FileStatus> device_status(HostRoot const& root, std::string const& path) {
    auto status = root.status(path);
    if (!status || status->kind == 'c') return status;
    return {std::nullopt, Missing::invalid, 0,
            path + (status->kind == 'd' ? ": a directory" : ": a file") + " in place of a device"};
}

/// KFD's major number is given out at load time, so a node kept in a container may be of a driver
/// that is gone.
void read_kfd(HostRoot const& root, GroupNames const& names, Host& host) {
    std::string const path = "/dev/kfd";
    auto const status = device_status(root, path);
    if (!status) return miss(host.kfd_access, status);
    auto const number = fmt::format("{}:{}", status->major, status->minor);
    auto const expected = root.read("/sys/class/kfd/kfd/dev");
    if (expected && *expected != number)
        return host.kfd_access.miss(
            Missing::invalid, fmt::format("{} is device {}, but KFD is device {}", path, number,
                                          printable(expected->substr(0, 20))));
    try_node(root, path, *status, names, host.kfd_access);
}

/// Only WSL has it; elsewhere nobody asks.
void read_dxg(HostRoot const& root, GroupNames const& names, Host& host) {
    std::string const path = "/dev/dxg";
    auto const status = device_status(root, path);
    if (status) try_node(root, path, *status, names, host.dxg_access);
    else miss(host.dxg_access, status);
}

/// The number in "renderD128", which is the minor number of the device.
std::optional<std::uint64_t> render_number(std::string_view name) {
    constexpr std::string_view prefix = "renderD";
    if (!name.starts_with(prefix)) return std::nullopt;
    return to_unsigned(name.substr(prefix.size()), 10);
}

void read_render_node(ProbeContext const& context, GroupNames const& names, Gpu& gpu) {
    auto& fact = gpu.render_access;
    if (!gpu.render_node) return fact.miss(gpu.render_node.reason(), gpu.render_node.detail());
    auto const number = render_number(*gpu.render_node);
    if (!number)
        return fact.miss(Missing::invalid, "no render node: " + printable(*gpu.render_node));
    auto const path = "/dev/dri/" + *gpu.render_node;
    auto const status = device_status(context.root, path);
    if (!status) return miss(fact, status);
    if (status->major != drm_major || status->minor != *number)
        return fact.miss(Missing::invalid,
                         fmt::format("{} is device {}:{}, not {}:{}", path, status->major,
                                     status->minor, drm_major, *number));
    // amdgpu resumes a sleeping GPU when a file of it is opened (amdgpu_driver_open_kms).
    if (is_asleep(gpu) && !context.options.wake)
        return fact.miss(Missing::suspended, path + ": opening it would wake the GPU");
    try_node(context.root, path, *status, names, fact);
}

/// Only a process that stands in for another has an answer.
void read_judged_process(HostRoot const& root, Host& host) {
    auto const who = root.call("identity.of");
    if (who) host.judged_process.offer(printable(*who), {access_reader, "identity.of"});
    else host.judged_process.miss(Missing::absent, "this process");
}

void read_identity(HostRoot const& root, GroupNames const& names, Host& host) {
    read_judged_process(root, host);
    auto const uid = root.call("identity.uid");
    auto const number = uid ? to_unsigned(trim(*uid), 10) : std::nullopt;
    if (number) host.user_id.offer(*number, {access_reader, "identity.uid"});
    else if (!uid) miss(host.user_id, uid);
    else host.user_id.miss(Missing::invalid, "identity.uid");

    auto const gids = root.call("identity.gids");
    if (!gids) return miss(host.groups, gids);
    std::vector<std::string> groups;
    for (auto const word : words(*gids)) {
        auto const gid = to_unsigned(word, 10);
        if (!gid) return host.groups.miss(Missing::invalid, "identity.gids");
        groups.push_back(group_name(names, *gid));
    }
    host.groups.offer(std::move(groups), {access_reader, "identity.gids"});
}

}  // namespace

std::map<std::uint64_t, std::string> parse_group_file(std::string_view text) {
    std::map<std::uint64_t, std::string> names;
    for (auto const line : lines(text)) {
        auto const part = split(line, ':');
        auto const gid = part.size() < 3 ? std::nullopt : to_unsigned(part[2], 10);
        if (gid && !part[0].empty() && !part[0].starts_with('#'))
            names.emplace(*gid, std::string(part[0]));
    }
    return names;
}

void read_access(ProbeContext const& context, Host& host) {
    auto const file = context.root.read("/etc/group");
    auto const names = file ? parse_group_file(*file) : GroupNames{};
    read_identity(context.root, names, host);
    read_kfd(context.root, names, host);
    read_dxg(context.root, names, host);
    for (auto& gpu : host.gpus) read_render_node(context, names, gpu);
}

}  // namespace rocmtune
