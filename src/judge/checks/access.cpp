// SPDX-License-Identifier: MIT
// Whether this process may use the device nodes. Opening them is the only sure test; groups matter
// only where it fails.
#include "host/subject.hpp"
#include "judge/checks/judgements.hpp"
#include "judge/checks/way_in.hpp"

namespace rocmtune {
namespace {

std::string group_of(DeviceNode const& node) {
    return node.group.value_or("render");
}

/// Render nodes have a number each: without it, many GPUs that say the same are one line.
std::string name_of(DeviceNode const& node) {
    return node.path == "/dev/kfd" ? node.path : "its render node";
}

std::string refusal(Host const& host, DeviceNode const& node) {
    auto const error = node.error.value_or("refused");
    auto const name = name_of(node);
    constexpr std::uint64_t overflow_group = 65534;  // as in way_in.cpp
    if (error == "EACCES" && node.group_id == overflow_group)
        return fmt::format("{}: permission denied, its group has no number in this container",
                           name);
    if (error == "EACCES")
        return fmt::format("{}: permission denied, it belongs to the group {} (mode {})", name,
                           group_of(node), node.mode.value_or("?"));
    if (error == "EPERM")
        return fmt::format("{}: the device cgroup of this {} does not allow it", name,
                           in_slurm_job(host) && !in_container(host) ? "job" : "container");
    return fmt::format("{}: cannot be opened ({})", name, error);
}

void judge_node(Host const& host, Fact<DeviceNode> const& fact, std::string const& subject,
                Verdicts& verdicts) {
    if (fact->usable) {
        verdicts.pass(subject, name_of(*fact) + " can be opened").evidence = {evidence(fact)};
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

std::string no_kfd(Host const& host) {
    bool const built_without =
        !in_container(host) && !host.kfd_nodes && host.kfd_nodes.reason() == Missing::absent;
    return built_without ? "/dev/kfd does not exist: the driver runs without KFD"
                         : "/dev/kfd does not exist";
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
        verdicts.fail("host", fact.reason() == Missing::absent ? no_kfd(host) : fact.detail())
            .next_step = way_to_missing(host, "/dev/kfd");
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
            auto& finding =
                verdicts.fail(subject, gpu.render_node ? "its render node is missing or no device"
                                                       : "this GPU has no render node");
            finding.evidence = {{"access", fact.detail()}};
            if (gpu.render_node)
                finding.next_step = way_to_missing(host, "/dev/dri/" + *gpu.render_node);
            else
                finding.next_step =
                    "sudo dmesg | grep -i -e amdgpu -e drm   # why the driver made none";
        } else {
            verdicts.have(fact, subject, "render node");
        }
    }
}

}  // namespace rocmtune
