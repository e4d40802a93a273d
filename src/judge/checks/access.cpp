// SPDX-License-Identifier: MIT
// Whether this process may use the device nodes. Opening them is the only sure test; groups matter
// only where it fails.
#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

/// Why a node cannot be used.
enum class Refusal : std::uint8_t {
    missing,    ///< it does not exist here, or the device cgroup forbids it (EPERM)
    denied,     ///< EACCES by its group
    unmapped,   ///< EACCES, and its group has no number in this user namespace
    private_,   ///< EACCES, and no group is meant to use it
    labelled,   ///< EACCES, though mode and groups let this process in: SELinux, AppArmor, an ACL
    forbidden,  ///< EPERM outside a container
    broken,     ///< the driver refuses: ENODEV, EIO and others
};

/// Where a group has no number in a user namespace, the kernel shows this one
/// (/proc/sys/kernel/overflowgid).
constexpr std::uint64_t overflow_group = 65534;

/// A member of these groups can become root or read every disk.
constexpr std::array<std::string_view, 8> powerful_groups{"root", "wheel", "sudo",   "admin",
                                                          "disk", "kmem",  "shadow", "docker"};

bool is_number(std::string const& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::string group_of(DeviceNode const& node) {
    return node.group.value_or("render");
}

bool group_may(DeviceNode const& node) {
    auto const mode = to_unsigned(node.mode.value_or("0660"), 8);
    return !mode || (*mode & 0060U) == 0060U;
}

/// Whether the mode lets this process in, as one of all or as a member of the group.
bool is_let_in(Host const& host, DeviceNode const& node) {
    auto const mode = to_unsigned(node.mode.value_or("0660"), 8).value_or(0660);
    bool const member =
        host.groups && std::ranges::find(*host.groups, group_of(node)) != host.groups->end();
    return (mode & 0006U) == 0006U || (member && group_may(node));
}

bool is_powerful(DeviceNode const& node) {
    return node.group_id == 0U ||
           std::ranges::find(powerful_groups, group_of(node)) != powerful_groups.end();
}

Refusal cause_of(Host const& host, DeviceNode const& node) {
    if (node.error == "EPERM") return in_container(host) ? Refusal::missing : Refusal::forbidden;
    if (node.error != "EACCES") return Refusal::broken;
    if (is_let_in(host, node)) return Refusal::labelled;
    if (node.group_id == overflow_group) return Refusal::unmapped;
    // The configuration of such a container gives its nodes their owner, root unless it says more.
    if (is_powerful(node) && host.container.value() == "lxc") return Refusal::unmapped;
    return !group_may(node) || is_powerful(node) ? Refusal::private_ : Refusal::denied;
}

/// `{kind}` is the container, `{gid}` the number of the node's group, `{path}` the node, `{name}`
/// its last part.
struct Step {
    std::string_view container;
    Refusal cause;
    std::string_view text;
};

constexpr Step steps[] = {
    {"docker", Refusal::missing,
     "{kind} run --device /dev/kfd --device /dev/dri IMAGE   # start the container anew with the "
     "devices"},
    {"docker", Refusal::denied,
     "{kind} run --device /dev/kfd --device /dev/dri --group-add {gid} IMAGE   # start the "
     "container anew"},
    {"docker", Refusal::unmapped,
     "sudo setfacl -m u:$USER:rw /dev/kfd /dev/dri/renderD*   # on the host, until it boots: "
     "rootless Docker passes no groups on"},
    {"podman", Refusal::unmapped,
     "podman run --device /dev/kfd --device /dev/dri --group-add keep-groups IMAGE   # needs crun, "
     "and your user in the device's group on the host; or map that group in /etc/subgid"},
    {"kubernetes", Refusal::missing,
     "kubectl describe nodes | grep amd.com/gpu   # then ask for one in the container's "
     "resources.limits (amd.com/gpu: 1): AMD's device plugin gives the devices"},
    {"kubernetes", Refusal::denied,
     "kubectl explain pod.spec.securityContext.supplementalGroups   # the pod needs [{gid}] there, "
     "the group of {path} on its node"},
    {"kubernetes", Refusal::unmapped,
     "kubectl explain pod.spec.hostUsers   # the pod's user namespace hides the group of {path}: "
     "set hostUsers to true, and the group in supplementalGroups"},
    {"lxc", Refusal::missing,
     "incus config device add CONTAINER {name} unix-char path={path} gid=NUMBER   # on the host, "
     "with the NUMBER of getent group render in the container; LXD: lxc in place of incus; "
     "Proxmox: pct set ID --dev0 {path},gid=NUMBER, each device with a free number behind dev; "
     "plain LXC: lxc.mount.entry and lxc.cgroup2.devices.allow"},
    {"lxc", Refusal::denied,
     "getent group {gid} || sudo groupadd --gid {gid} render; sudo usermod -aG {gid} $USER   # in "
     "the container; then log in again"},
    {"lxc", Refusal::unmapped,
     "incus config device set CONTAINER {name} gid=NUMBER   # on the host, with the NUMBER of "
     "getent group render in the container; LXD: lxc in place of incus; Proxmox: pct set ID --dev0 "
     "{path},gid=NUMBER"},
    {"systemd-nspawn", Refusal::missing,
     "systemd-nspawn --private-users=no --bind=/dev/kfd --bind=/dev/dri "
     "--property='DeviceAllow=/dev/kfd rw' --property='DeviceAllow=char-drm rw' -D DIRECTORY   # "
     "start the container anew"},
    {"systemd-nspawn", Refusal::denied,
     "getent group {gid} || groupadd --gid {gid} render; usermod -aG {gid} $USER   # in the "
     "container; then log in again"},
    {"systemd-nspawn", Refusal::unmapped,
     "systemd-nspawn --private-users=no --bind=/dev/kfd --bind=/dev/dri "
     "--property='DeviceAllow=/dev/kfd rw' --property='DeviceAllow=char-drm rw' -D DIRECTORY   # "
     "shifted users have no group that may use the device"},
    {"apptainer", Refusal::missing,
     "apptainer exec --rocm IMAGE COMMAND   # binds /dev/kfd and /dev/dri"},
    {"apptainer", Refusal::denied,
     "sudo usermod -aG $(getent group {gid} | cut -d: -f1) $USER   # on the host, then log in "
     "again: the container has your groups"},
    {"apptainer", Refusal::unmapped,
     "ls -l {path}   # on the host: your user must be in its group (sudo usermod -aG render $USER, "
     "then log in again); the container keeps your groups, unless it is started with --fakeroot"},
    {"none", Refusal::denied, "sudo usermod -aG {group} $USER   # then log in again"},
    {"none", Refusal::unmapped,
     "cat /proc/self/gid_map   # this process is in a user namespace without the group of {path}: "
     "start it outside"},
    {"none", Refusal::forbidden,
     "cat /proc/self/cgroup   # the control group of this process forbids the device; a systemd "
     "unit needs DeviceAllow=/dev/kfd rw and DeviceAllow=char-drm rw"},
    // Of any container.
    {"", Refusal::missing, "start the container with --device /dev/kfd --device /dev/dri"},
    {"", Refusal::denied,
     "start the container with --device /dev/kfd --device /dev/dri --group-add {gid}"},
    {"", Refusal::unmapped,
     "cat /proc/self/gid_map   # the container's user namespace has no number for the group of "
     "{path}: map it, or start the container as root"},
    {"", Refusal::private_,
     "printf 'KERNEL==\"kfd\", GROUP=\"render\", MODE=\"0660\"\\nSUBSYSTEM==\"drm\", "
     "KERNEL==\"renderD*\", GROUP=\"render\", MODE=\"0660\"\\n' | sudo tee "
     "/etc/udev/rules.d/70-amdgpu.rules && sudo udevadm control --reload && sudo udevadm trigger   "
     "# no group may use {path}: this is the missing rule{where}"},
    {"docker", Refusal::labelled,
     "sudo setsebool -P container_use_devices on   # on the host with SELinux; or start the "
     "container with --security-opt label=disable"},
    {"", Refusal::labelled,
     "sudo dmesg | grep -i -e denied -e avc   # mode and groups let this process use {path}: "
     "SELinux, AppArmor or an access list refuses it"},
    {"", Refusal::broken,
     "sudo dmesg | grep -i -e amdgpu -e kfd | tail -n 40   # the driver refuses {path} ({error}); "
     "no group changes that"},
};

// ---- whose process it is ------------------------------------------------------------------------

/// Host::judged_process taken apart: "unit ollama.service, run by ollama". Empty: this process.
struct Judged {
    std::string unit = {};
    std::string user = {};
};

Judged judged_of(Host const& host) {
    auto const text = host.judged_process.value_or("");
    constexpr std::string_view by = ", run by ", of_unit = "unit ", of_user = "user ";
    auto const at = text.find(by);
    if (at == text.npos)
        return text.starts_with(of_user) ? Judged{{}, text.substr(of_user.size())} : Judged{};
    Judged judged{{}, text.substr(at + by.size())};
    if (text.starts_with(of_unit)) judged.unit = text.substr(of_unit.size(), at - of_unit.size());
    return judged;
}

/// The step for a unit of systemd; empty if the cause has none of its own.
std::string step_of_unit(Judged const& judged, Refusal cause, DeviceNode const& node) {
    auto const unit = shell_word(judged.unit);
    auto const edit = [&](std::string_view lines) {
        return fmt::format(
            "sudo systemctl edit {0}   # below [Service]: {1}; then sudo systemctl "
            "restart {0}",
            unit, lines);
    };
    bool const is_dynamic = judged.user.find(' ') != std::string::npos;
    if (cause == Refusal::missing) return edit("PrivateDevices=no");
    if (cause == Refusal::forbidden)
        return edit("DeviceAllow=/dev/kfd rw and DeviceAllow=char-drm rw");
    if (cause != Refusal::denied) return {};
    if (is_dynamic) return edit("SupplementaryGroups=" + group_of(node));
    return fmt::format("sudo usermod -aG {} {} && sudo systemctl restart {}",
                       shell_word(group_of(node)), shell_word(judged.user), unit);
}

std::string kind_of(Host const& host) {
    auto kind = host.container.value_or("none");
    return kind == "singularity" ? "apptainer" : kind;
}

/// The row of this kind of container, else that of any. Podman takes most words of Docker.
std::string_view text_for(std::string_view kind, Refusal cause) {
    for (auto const name :
         {kind, std::string_view(kind == "podman" ? "docker" : ""), std::string_view()})
        for (auto const& step : steps)
            if (step.container == name && step.cause == cause) return step.text;
    return {};
}

/// The user whose groups are meant, as a shell takes it.
std::string user_word(Host const& host) {
    auto const user = judged_of(host).user;
    return user.empty() ? "$USER" : shell_word(user);
}

std::string filled(Host const& host, std::string_view text, DeviceNode const& node) {
    auto const gid = node.group_id ? std::to_string(*node.group_id) : group_of(node);
    std::string result(text);
    for (auto const& [name, value] : {std::pair<std::string_view, std::string>{"{gid}", gid},
                                      {"{group}", group_of(node)},
                                      {"{kind}", kind_of(host)},
                                      {"{path}", node.path},
                                      {"{name}", node.path.substr(node.path.rfind('/') + 1)},
                                      {"{error}", node.error.value_or("refused")},
                                      {"$USER", user_word(host)},
                                      {"{where}", in_container(host) ? ", on the host" : ""}})
        for (auto at = result.find(name); at != result.npos; at = result.find(name, at))
            result.replace(at, name.size(), value), at += value.size();
    return result;
}

/// Render nodes have a number each: without it, many GPUs that say the same are one line.
std::string name_of(DeviceNode const& node) {
    return node.path == "/dev/kfd" ? node.path : "its render node";
}

std::string refusal(Host const& host, DeviceNode const& node) {
    auto const error = node.error.value_or("refused");
    auto const name = name_of(node);
    if (error == "EACCES" && node.group_id == overflow_group)
        return fmt::format("{}: permission denied, its group has no number in this container",
                           name);
    if (error == "EACCES")
        return fmt::format("{}: permission denied, it belongs to the group {} (mode {})", name,
                           group_of(node), node.mode.value_or("?"));
    if (auto const unit = judged_of(host).unit; error == "EPERM" && !unit.empty())
        return fmt::format("{}: {} is not allowed this device (DeviceAllow=)", name, unit);
    if (error == "EPERM")
        return fmt::format("{}: the device cgroup of this {} does not allow it", name,
                           in_slurm_job(host) && !in_container(host) ? "job" : "container");
    return fmt::format("{}: cannot be opened ({})", name, error);
}

void judge_node(Host const& host, Fact<DeviceNode> const& fact, Verdicts const& verdicts) {
    if (fact->usable) return verdicts.pass(name_of(*fact) + " can be opened", fact);
    auto& finding = verdicts.give(Verdict::fail, refusal(host, *fact), fact, way_in(host, *fact));
    if (host.groups) finding.evidence.push_back(evidence(host.groups));
}

bool is_gone(Fact<DeviceNode> const& fact) {
    return !fact && (fact.reason() == Missing::absent || fact.reason() == Missing::invalid);
}

/// KFD's topology can be read and lists no GPU: then nothing needs its device node.
bool kfd_has_no_gpu(Host const& host) {
    return host.kfd_nodes && std::ranges::none_of(*host.kfd_nodes, [](KfdNode const& node) {
               return node.kind != "cpu";
           });
}

/// A container or job that was given some GPUs only: the kernel hides the KFD node of the others.
bool is_kept_out(Host const& host, Gpu const& gpu) {
    bool const confined = in_container(host) || in_slurm_job(host);
    return confined && !gpu.kfd_node && gpu.kfd_node.reason() == Missing::denied;
}

std::string no_kfd(Host const& host) {
    bool const built_without =
        !in_container(host) && !host.kfd_nodes && host.kfd_nodes.reason() == Missing::absent;
    return built_without ? "/dev/kfd does not exist: the driver runs without KFD"
                         : "/dev/kfd does not exist";
}

bool some_usable(Host const& host) {
    return std::ranges::any_of(
        host.gpus, [](Gpu const& gpu) { return gpu.render_access && gpu.render_access->usable; });
}

bool is_ours(Gpu const& gpu) {
    return gpu.driver ? *gpu.driver == "amdgpu" : gpu.driver.reason() != Missing::absent;
}

void judge_kfd_access(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& fact = host.kfd_access;
    if (context.cards.empty() || kfd_has_no_gpu(host))
        verdicts.skip("no GPU here computes through /dev/kfd");
    else if (fact) judge_node(host, fact, verdicts);
    else if (is_gone(fact))
        verdicts.fail(fact.reason() == Missing::absent ? no_kfd(host) : fact.detail(), {},
                      way_to_missing(host, "/dev/kfd"));
    else verdicts.have(fact, "/dev/kfd");
}

void judge_render_access(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    for (auto const& gpu : host.gpus) {
        if (!gpu.sysfs_path || !is_ours(gpu)) continue;
        auto const at = verdicts.about(subject_of(gpu));
        auto const& fact = gpu.render_access;
        bool const refused = fact ? !fact->usable : fact.reason() == Missing::absent;
        if (refused && is_kept_out(host, gpu) && some_usable(host)) at.skip(kept_out_text(host));
        else if (fact) judge_node(host, fact, at);
        else if (is_gone(fact))
            at.fail(gpu.render_node ? "its render node is missing or no device"
                                    : "this GPU has no render node",
                    {{"access", fact.detail()}},
                    gpu.render_node
                        ? way_to_missing(host, "/dev/dri/" + *gpu.render_node)
                        : "sudo dmesg | grep -i -e amdgpu -e drm   # why the driver made none");
        else at.have(fact, "render node");
    }
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check access_rows[] = {
    {"RT3011", "kfd-access", "access", quick, true, driver, judge_kfd_access},
    {"RT3012", "render-access", "access", quick, true, driver, judge_render_access},
};
// clang-format on

}  // namespace

std::string way_in(Host const& host, DeviceNode const& node) {
    auto const cause = cause_of(host, node);
    auto const kind = kind_of(host);
    if (auto const judged = judged_of(host); !judged.unit.empty() && kind == "none")
        if (auto step = step_of_unit(judged, cause, node); !step.empty()) return step;
    bool const keeps_cgroup = kind == "none" || kind == "apptainer";
    if (node.error == "EPERM" && keeps_cgroup && in_slurm_job(host))
        return "srun --gpus=1 rocmtune check   # this job was given no GPU";
    if (cause == Refusal::denied && kind == "none" && is_number(group_of(node)))
        return filled(host,
                      "sudo groupadd --gid {gid} gpu-{gid}; sudo usermod -aG gpu-{gid} $USER   # "
                      "the group has no name here; then log in again",
                      node);
    return filled(host, text_for(kind, cause), node);
}

std::string way_to_missing(Host const& host, std::string const& path) {
    auto const judged = judged_of(host);
    bool const is_hidden = !judged.unit.empty() && host.kfd_nodes && !host.kfd_nodes->empty();
    if (is_hidden) return step_of_unit(judged, Refusal::missing, {path});
    if (in_container(host)) return filled(host, text_for(kind_of(host), Refusal::missing), {path});
    if (host.kfd_nodes.reason() == Missing::absent && path == "/dev/kfd")
        return "grep HSA_AMD /boot/config-$(uname -r)   # this kernel was built without "
               "CONFIG_HSA_AMD=y, or for a processor without KFD: install your distribution's "
               "usual kernel";
    return fmt::format(
        "ls -l {}; ls /sys/class/kfd /sys/class/drm   # the kernel has the device, /dev has not: "
        "in a chroot, mount the host's /dev; else restart the host",
        path);
}

std::span<Check const> access_checks() {
    return access_rows;
}

}  // namespace rocmtune
