// SPDX-License-Identifier: MIT
// Limits of this process and its container.
#include "base/text.hpp"
#include "host/shared_memory.hpp"
#include "host/unlimited.hpp"
#include "judge/checks/judgements.hpp"

namespace rocmtune {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

std::uint64_t vram_of(std::vector<Card> const& cards) {
    std::uint64_t sum = 0;
    for (auto const& card : cards) sum += card.is_apu() ? 0 : card.gpu->vram_bytes.value_or(0);
    return sum;
}

}  // namespace

void judge_locked_memory(CheckContext const& context, Verdicts& verdicts) {
    auto const& limit = context.host.memlock_soft_bytes;
    if (is_unlimited(limit)) return (void)verdicts.pass("host", "locked memory is not limited");
    if (!verdicts.have(limit, "host", "limit of locked memory")) return;
    // Network adapters lock the memory that they read; 32 GiB is what Primus asks of a node.
    constexpr auto enough = 32 * gib;
    bool const rdma = context.host.rdma_devices && !context.host.rdma_devices->empty();
    if (*limit >= enough)
        return (void)verdicts.pass("host", "locked memory: " + human_bytes(*limit));
    verdicts
        .give(rdma && context.has_server() ? Verdict::warn : Verdict::info, "host",
              fmt::format("locked memory is limited to {}{}", human_bytes(*limit),
                          rdma ? ", and this host has RDMA devices" : ""))
        .evidence = {evidence(limit)};
}

void judge_open_files(CheckContext const& context, Verdicts& verdicts) {
    auto const& hard = context.host.open_files_hard;
    if (is_unlimited(hard)) return (void)verdicts.pass("host", "open files are not limited");
    if (!verdicts.have(hard, "host", "limit of open files")) return;
    // The soft limit is 1024 everywhere: programs raise it up to the hard one.
    constexpr std::uint64_t enough = 65536;
    verdicts
        .give(*hard < enough && context.has_server() ? Verdict::warn : Verdict::pass, "host",
              fmt::format("a process may open {} files at most", *hard))
        .evidence = {evidence(hard)};
}

void judge_shared_memory(CheckContext const& context, Verdicts& verdicts) {
    auto const& size = context.host.shm_bytes;
    if (is_unlimited(size)) return (void)verdicts.pass("host", "/dev/shm is not limited");
    if (!verdicts.have(size, "host", "size of /dev/shm")) return;
    // What Primus asks of a node.
    constexpr auto enough = 8 * gib;
    auto const message = fmt::format("/dev/shm has {}", human_bytes(*size));
    if (has_container_default(size, in_container(context.host))) {
        auto& finding = verdicts.warn("host", message + ", the default of containers");
        finding.evidence = {evidence(size)};
        finding.next_step = context.host.container.value() == "kubernetes"
                                ? "rocmtune env --format k8s   # prints a volume of memory for "
                                  "/dev/shm, for the pod"
                                : "start the container with --shm-size=16g or --ipc=host";
    } else if (context.rules.strict && *size < enough)
        verdicts.fail("host", message).evidence = {evidence(size)};
    else verdicts.pass("host", message).evidence = {evidence(size)};
}

void judge_host_memory(CheckContext const& context, Verdicts& verdicts) {
    auto const& memory = context.host.memory_bytes;
    auto const vram = vram_of(context.cards);
    if (vram == 0) return (void)verdicts.skip("host", "no GPU with memory of its own");
    if (!verdicts.have(memory, "host", "main memory")) return;
    bool const little = context.rules.strict && context.has_server() && *memory < vram;
    verdicts
        .give(little ? Verdict::warn : Verdict::pass, "host",
              fmt::format("{} of main memory, {} on the GPUs", human_bytes(*memory),
                          human_bytes(vram)))
        .evidence = {evidence(memory)};
}

void judge_seccomp(CheckContext const& context, Verdicts& verdicts) {
    auto const& filter = context.host.seccomp_filter;
    if (!in_container(context.host)) return (void)verdicts.skip("host", "asked of containers only");
    if (!verdicts.have(filter, "host", "system call filter")) return;
    if (!*filter) return (void)verdicts.pass("host", "system calls are not filtered");
    // Every container has the filter by default; few programs notice.
    verdicts.info("host", "system calls are filtered: NUMA memory policy may be refused")
        .evidence = {evidence(filter)};
}

void judge_container_devices(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    if (!in_container(host)) return (void)verdicts.skip("host", "asked of containers only");
    auto const all = std::count_if(host.gpus.begin(), host.gpus.end(),
                                   [](Gpu const& gpu) { return gpu.sysfs_path.has_value(); });
    auto const given = std::count_if(host.gpus.begin(), host.gpus.end(), [](Gpu const& gpu) {
        return gpu.render_access && gpu.render_access->usable;
    });
    // None at all is what kfd-access and render-access fail for, each with its command.
    if (given == 0) return (void)verdicts.skip("host", "render-access says why none is usable");
    verdicts.pass("host", fmt::format("{} of the host's {} GPUs are given to this {}", given, all,
                                      *host.container));
}

}  // namespace rocmtune
