// SPDX-License-Identifier: MIT
// What a host was left with: a policy that containers meet, idle states, locks of dead processes.
#include "base/counted.hpp"
#include "host/installed.hpp"
#include "judge/checks/judgements.hpp"

namespace rocmtune {
namespace {

bool some_node_is_refused(Host const& host) {
    auto const refused = [](Fact<DeviceNode> const& node) { return node && !node->usable; };
    return refused(host.kfd_access) ||
           std::any_of(host.gpus.begin(), host.gpus.end(),
                       [&](Gpu const& gpu) { return refused(gpu.render_access); });
}

}  // namespace

void judge_selinux(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have_or_skip(host.selinux_enforcing, "SELinux", "SELinux is not on")) return;
    bool const may_matter =
        *host.selinux_enforcing && in_container(host) && some_node_is_refused(host);
    verdicts
        .give(may_matter ? Verdict::info : Verdict::pass, "host",
              may_matter ? "SELinux enforces its policy, and a device node is refused here"
              : *host.selinux_enforcing ? "SELinux enforces its policy"
                                        : "SELinux is permissive: it logs and allows")
        .evidence = {evidence(host.selinux_enforcing)};
}

void judge_idle_states(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have_or_skip(host.cpu_idle_states, "idle states of the processors",
                               "this kernel shows no idle states"))
        return;
    auto const& states = *host.cpu_idle_states;
    bool const deep = std::find(states.begin(), states.end(), "C2") != states.end();
    // AMD advises it for the latency of networks; elsewhere C2 only saves power.
    bool const matters =
        deep && context.has_server() && host.rdma_devices && !host.rdma_devices->empty();
    verdicts
        .give(matters ? Verdict::info : Verdict::pass, "host",
              fmt::format("idle states: {}", fmt::join(states, ", ")))
        .evidence = {evidence(host.cpu_idle_states)};
}

void judge_smi_locks(CheckContext const& context, Verdicts& verdicts) {
    auto const& locks = context.host.smi_locks;
    if (!verdicts.have_or_skip(locks, "locks of ROCm SMI", "ROCm SMI has left no locks")) return;
    auto const* const smi = runtime_of(context.host, "rocm_smi");
    static constexpr std::string_view harmless[] = {"ok", "absent", "suspended", "skipped"};
    bool const fails = smi != nullptr && std::find(std::begin(harmless), std::end(harmless),
                                                   smi->status) == std::end(harmless);
    // The files stay after every use; only one that a dead process holds does harm.
    verdicts
        .give(fails ? Verdict::warn : Verdict::pass, "host",
              fmt::format("{} of ROCm SMI{}", counted(locks->size(), "lock"),
                          fails ? ", and it fails: a dead process may hold one" : ""))
        .evidence = {evidence(locks)};
}

}  // namespace rocmtune
