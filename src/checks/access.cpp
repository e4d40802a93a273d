// SPDX-License-Identifier: MIT
// Whether this process may use the device nodes. Opening them is the only sure test; groups matter
// only where it fails.
#include "checks/judgements.hpp"
#include "host/subject.hpp"

namespace rocmtune {
namespace {

std::string group_of(DeviceNode const& node) {
    return node.group.value_or("render");
}

bool is_number(std::string const& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// The command that would have let the node open. A group that has no name here is the host's, and
/// a container is given it by number.
std::string way_in(Host const& host, DeviceNode const& node) {
    auto const group = group_of(node);
    if (node.error == "EPERM" && in_slurm_job(host) && !in_container(host))
        return "srun --gpus=1 rocmtune check   # this job was given no GPU";
    if (node.error == "EPERM" || in_container(host)) {
        // Where everybody may use the node, no group is missing.
        bool const open_to_all = node.mode && node.mode->ends_with('6');
        auto const more = open_to_all || !node.group_id
                              ? std::string()
                              : fmt::format(" --group-add {}", *node.group_id);
        return "start the container with --device /dev/kfd --device /dev/dri" + more;
    }
    if (is_number(group))
        return fmt::format(
            "sudo groupadd --gid {0} render; sudo usermod -aG render $USER   # then "
            "log in again",
            group);
    return fmt::format("sudo usermod -aG {} $USER   # then log in again", group);
}

std::string refusal(Host const& host, DeviceNode const& node) {
    auto const error = node.error.value_or("refused");
    if (error == "EACCES")
        return fmt::format("{}: permission denied, it belongs to the group {} (mode {})", node.path,
                           group_of(node), node.mode.value_or("?"));
    if (error == "EPERM")
        return fmt::format("{}: the device cgroup of this {} does not allow it", node.path,
                           in_slurm_job(host) && !in_container(host) ? "job" : "container");
    return fmt::format("{}: cannot be opened ({})", node.path, error);
}

void judge_node(Host const& host, Fact<DeviceNode> const& fact, std::string const& subject,
                Verdicts& verdicts) {
    if (fact->usable) {
        verdicts.pass(subject, fmt::format("{} can be opened", fact->path)).evidence = {
            evidence(fact)};
        return;
    }
    auto& finding = verdicts.fail(subject, refusal(host, *fact));
    finding.evidence = {evidence(fact)};
    if (host.groups) finding.evidence.push_back(evidence(host.groups));
    finding.next_step = way_in(host, *fact);
}

/// KFD's topology can be read and lists no GPU: then nothing needs its device node.
bool kfd_has_no_gpu(Host const& host) {
    return host.kfd_nodes && std::none_of(host.kfd_nodes->begin(), host.kfd_nodes->end(),
                                          [](KfdNode const& node) { return node.kind != "cpu"; });
}

/// A container or job that was given some GPUs only: the kernel hides the KFD node of the others.
bool is_kept_out(Host const& host, Gpu const& gpu) {
    bool const confined = in_container(host) || in_slurm_job(host);
    return confined && !gpu.kfd_node && gpu.kfd_node.reason() == Missing::denied;
}

bool some_usable(Host const& host) {
    return std::any_of(host.gpus.begin(), host.gpus.end(), [](Gpu const& gpu) {
        return gpu.render_access && gpu.render_access->usable;
    });
}

bool is_ours(Gpu const& gpu) {
    return gpu.driver ? *gpu.driver == "amdgpu" : gpu.driver.reason() != Missing::absent;
}

}  // namespace

void judge_kfd_access(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    auto const& fact = host.kfd_access;
    if (context.cards.empty() || kfd_has_no_gpu(host)) {
        verdicts.skip("host", "no GPU here computes through /dev/kfd");
    } else if (fact) {
        judge_node(host, fact, "host", verdicts);
    } else if (fact.reason() == Missing::absent || fact.reason() == Missing::invalid) {
        auto& finding = verdicts.fail(
            "host", fact.reason() == Missing::absent ? "/dev/kfd does not exist" : fact.detail());
        if (in_container(host)) finding.next_step = way_in(host, {.path = "/dev/kfd"});
    } else {
        verdicts.have(fact, "host", "/dev/kfd");
    }
}

void judge_render_access(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    for (auto const& gpu : host.gpus) {
        if (!gpu.sysfs_path || !is_ours(gpu)) continue;
        auto const subject = subject_of(gpu);
        auto const& fact = gpu.render_access;
        bool const refused = fact ? !fact->usable : fact.reason() == Missing::absent;
        if (refused && is_kept_out(host, gpu) && some_usable(host)) {
            verdicts.skip(subject, in_container(host) ? "not passed through to this container"
                                                      : "not among the GPUs of this Slurm job");
        } else if (fact) {
            judge_node(host, fact, subject, verdicts);
        } else if (fact.reason() == Missing::absent || fact.reason() == Missing::invalid) {
            auto& finding = verdicts.fail(
                subject, gpu.render_node
                             ? fmt::format("/dev/dri/{} is missing or no device", *gpu.render_node)
                             : "this GPU has no render node");
            finding.evidence = {{"access", fact.detail()}};
            if (in_container(host)) finding.next_step = way_in(host, {.path = "/dev/dri"});
        } else {
            verdicts.have(fact, subject, "render node");
        }
    }
}

}  // namespace rocmtune
