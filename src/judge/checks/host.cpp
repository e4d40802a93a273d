// SPDX-License-Identifier: MIT
// Settings of the kernel that AMD's guides speak of, and limits of this process and its container.
#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"
#include "judge/rules/shared_memory.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {
namespace {

/// An option in the comma list behind "pci=".
bool has_pci_option(Host const& host, std::string_view option) {
    if (!host.kernel_arguments) return false;
    for (auto const& word : *host.kernel_arguments) {
        if (!word.starts_with("pci=")) continue;
        for (auto const part : split(std::string_view(word).substr(4), ','))
            if (part == option) return true;
    }
    return false;
}

/// MI300A and its kin: an APU that is an accelerator.
bool is_accelerator_apu(Card const& card) {
    return card.is_server() && card.is_apu();
}

bool has_accelerator_apu(CheckContext const& context) {
    return std::ranges::any_of(context.cards, is_accelerator_apu);
}

/// The first GPU whose accesses the IOMMU translates: with `identity` it does not.
Gpu const* translated(CheckContext const& context) {
    for (auto const& card : context.cards)
        if (card.gpu->iommu_type && card.gpu->iommu_type->starts_with("DMA") && !card.is_apu())
            return card.gpu;
    return nullptr;
}

bool iommu_is_known(CheckContext const& context) {
    return context.host.iommu_units || context.host.iommu_units.reason() == Missing::absent ||
           std::ranges::any_of(context.cards,
                               [](Card const& card) { return card.gpu->iommu_type.has_value(); });
}

bool is_guest(CheckContext const& context) {
    return std::ranges::any_of(context.cards,
                               [](Card const& card) { return card.profile == Profile::guest; });
}

/// Memory that the firmware set aside for an APU serves programs only where KFD offers it.
void judge_carve_out(Host const& host, Card const& card, Verdicts const& verdicts) {
    auto const newer = newer_kernel(host, *card.gpu);
    auto const& own = card.gpu->vram_bytes;
    auto const& offered = card.gpu->compute_memory_bytes;
    if (!newer || *offered == *own) return;
    auto& finding =
        verdicts.about(card.subject)
            .give(Verdict::warn,
                  fmt::format("the firmware set {} aside for the GPU, but KFD offers programs {}",
                              human_bytes(*own), human_bytes(*offered)),
                  {evidence(own), evidence(offered)}, newer->step);
    finding.action = Action::reboot;
}

/// A driver that serves ROCm from the carve-out alone is older than Linux 6.10; one that serves it
/// from the larger of the two may still have the larger carve-out.
void judge_carve_out_alone(Host const& host, Gpu const& gpu, std::string const& text,
                           std::vector<Evidence> found, Verdicts const& verdicts) {
    auto const newer = newer_kernel(host, gpu);
    if (!newer) return verdicts.pass(text, std::move(found));
    found.push_back(evidence(gpu.vram_bytes));
    verdicts.info(text, std::move(found), newer->step);
}

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

std::uint64_t vram_of(std::vector<Card> const& cards) {
    std::uint64_t sum = 0;
    for (auto const& card : cards) sum += card.is_apu() ? 0 : card.gpu->vram_bytes.value_or(0);
    return sum;
}

bool has_rdma(Host const& host) {
    return host.rdma_devices && !host.rdma_devices->empty();
}

bool some_node_is_refused(Host const& host) {
    auto const refused = [](Fact<DeviceNode> const& node) { return node && !node->usable; };
    return refused(host.kfd_access) || std::ranges::any_of(host.gpus, [&](Gpu const& gpu) {
               return refused(gpu.render_access);
           });
}

void judge_iommu(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!iommu_is_known(context)) return (void)verdicts.have(host.iommu_units, "IOMMU");
    auto const* gpu = translated(context);
    // AMD's rule for 256 threads and more: without an IOMMU the last CPUs get no interrupts.
    constexpr std::uint64_t many_threads = 256;
    bool const off = !host.iommu_units || host.iommu_units->empty();
    if (off && gpu == nullptr && host.cpu_threads.value_or(0) >= many_threads && !is_guest(context))
        return verdicts.warn(fmt::format("{} logical CPUs and no IOMMU", *host.cpu_threads));
    if (gpu == nullptr) return verdicts.pass("no IOMMU translates for the GPUs");
    bool const matters = context.has_server() || context.discrete_cards() >= 2;
    std::vector<Evidence> found{evidence(gpu->iommu_type)};
    if (host.kernel_arguments)
        found.push_back({source_text(host.kernel_arguments.source()),
                         "iommu=" + kernel_argument(host, "iommu").value_or("")});
    if (kernel_argument(host, "iommu") == "pt")
        return verdicts.info(fmt::format("iommu=pt is set, yet the type is {}", *gpu->iommu_type),
                             std::move(found));
    auto const verdict = is_guest(context) || !matters ? Verdict::info
                         : context.rules.strict        ? Verdict::fail
                                                       : Verdict::warn;
    verdicts.give(verdict,
                  fmt::format("the IOMMU translates for the GPUs (type {}), iommu=pt is not set",
                              *gpu->iommu_type),
                  std::move(found));
}

void judge_pci_realloc(CheckContext const& context, Verdicts const& verdicts) {
    bool const asked = std::ranges::any_of(context.cards, [](Card const& card) {
        return card.is_server() && card.gpu->family.value() == "CDNA3";
    });
    if (!asked) return verdicts.skip("asked of servers with MI300 only");
    if (!verdicts.have(context.host.kernel_arguments, "kernel command line")) return;
    if (has_pci_option(context.host, "realloc=off")) return verdicts.pass("pci=realloc=off is set");
    verdicts.give(context.rules.strict ? Verdict::warn : Verdict::info,
                  "pci=realloc=off is not set, which AMD recommends for MI300 servers");
}

void judge_numa_balancing(CheckContext const& context, Verdicts const& verdicts) {
    auto const& balancing = context.host.numa_balancing;
    if (!verdicts.have(balancing, "NUMA balancing")) return;
    if (*balancing == 0) return verdicts.pass("automatic NUMA balancing is off");
    bool const several = context.host.numa_nodes && context.host.numa_nodes->size() > 1;
    verdicts.give(several && context.has_server() ? Verdict::warn : Verdict::info,
                  fmt::format("automatic NUMA balancing is on ({})", *balancing), balancing);
}

void judge_huge_pages(CheckContext const& context, Verdicts const& verdicts) {
    auto const& mode = context.host.transparent_hugepages;
    if (!verdicts.have(mode, "transparent huge pages")) return;
    if (has_accelerator_apu(context) && *mode != "always")
        verdicts.warn(fmt::format("transparent huge pages are [{}]; MI300A needs [always]", *mode),
                      mode);
    else if (*mode == "never") verdicts.warn("transparent huge pages are off", mode);
    else verdicts.pass(fmt::format("transparent huge pages: {}", *mode));
}

void judge_compaction(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!has_accelerator_apu(context)) return verdicts.skip("asked of MI300A only");
    bool sound = true;
    for (auto const& [fact, name] :
         {std::pair{&host.compaction_proactiveness, "vm.compaction_proactiveness"},
          std::pair{&host.compact_unevictable_allowed, "vm.compact_unevictable_allowed"}}) {
        if (fact->value() != 0U) continue;
        sound = false;
        verdicts.warn(fmt::format("{} is 0", name), *fact);
    }
    if (sound) verdicts.pass("memory compaction is on");
}

/// mi300a.rst: 33554432 pages of 4 KiB for each APU.
constexpr std::uint64_t accelerator_pages = 33554432;

void judge_accelerator_limit(CheckContext const& context, std::uint64_t apus,
                             Verdicts const& verdicts) {
    auto const& limit = context.host.ttm_limit_bytes;
    auto const pages = apus * accelerator_pages;
    auto const whole = pages * 4096;
    if (*limit >= whole)
        return verdicts.pass(fmt::format("GPUs may use {} of main memory", human_bytes(*limit)),
                             limit);
    verdicts.info(fmt::format("GPUs may use {} of {} (pages_limit of ttm)", human_bytes(*limit),
                              human_bytes(whole)),
                  limit, limit_step(context.host, limit_module(context.host), pages));
}

/// What KFD gives programs, and settings that do not do what they were made for.
void judge_apu_limit(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const* const gpu = only_shared_gpu(host);
    auto const shared = gpu != nullptr ? shared_memory(host, *gpu) : std::nullopt;
    if (!shared)
        return verdicts.pass(
            fmt::format("GPUs may use {} of main memory", human_bytes(*host.ttm_limit_bytes)),
            host.ttm_limit_bytes);
    std::vector<Evidence> found{evidence(host.ttm_limit_bytes), evidence(host.memory_bytes),
                                evidence(gpu->compute_memory_bytes)};
    auto text = "the GPU may take " + shared_text(host, *shared);
    for (auto const& mistake : shared->mistakes) {
        text = fmt::format("{}; {}", mistake.message, text);
        found.push_back({"found", mistake.evidence});
    }
    if (!shared->mistakes.empty())
        return (void)verdicts.give(shared->most ? Verdict::warn : Verdict::info, text,
                                   std::move(found), raise_step(host, *shared));
    if (shared->limit == SharedLimit::carve_out)
        return judge_carve_out_alone(host, *gpu, text, std::move(found), verdicts);
    bool const is_default = shared->limit == SharedLimit::kernel_default;
    if (!is_default || !shared->most) return verdicts.pass(text, std::move(found));
    verdicts.info(fmt::format("{}; {} can be allowed", text, human_bytes(*shared->most)),
                  std::move(found), raise_step(host, *shared));
}

void judge_ttm_limit(CheckContext const& context, Verdicts const& verdicts) {
    auto const& limit = context.host.ttm_limit_bytes;
    auto const apus =
        static_cast<std::uint64_t>(std::ranges::count_if(context.cards, is_accelerator_apu));
    bool const client = !context.cards.empty() && context.discrete_cards() == 0 && apus == 0;
    if (apus == 0 && !client) return verdicts.skip("the GPUs have their own memory");
    if (!verdicts.have(limit, "limit of GPU memory")) return;
    if (apus > 0) judge_accelerator_limit(context, apus, verdicts);
    else judge_apu_limit(context, verdicts);
    for (auto const& card : context.cards) judge_carve_out(context.host, card, verdicts);
}

void judge_cpu_governor(CheckContext const& context, Verdicts const& verdicts) {
    auto const& governor = context.host.cpu_governor;
    if (!verdicts.have(governor, "frequency governor")) return;
    // In the active mode of amd_pstate and intel_pstate `powersave` is the healthy default.
    bool const asked = context.rules.strict && context.has_server() && *governor != "performance";
    verdicts.give(asked ? Verdict::warn : Verdict::pass,
                  fmt::format("frequency governor: {}", *governor), governor);
}

void judge_locked_memory(CheckContext const& context, Verdicts const& verdicts) {
    auto const& limit = context.host.memlock_soft_bytes;
    if (is_unlimited(limit)) return verdicts.pass("locked memory is not limited");
    if (!verdicts.have(limit, "limit of locked memory")) return;
    // Network adapters lock the memory that they read; 32 GiB is what Primus asks of a node.
    constexpr auto enough = 32 * gib;
    bool const rdma = has_rdma(context.host);
    if (*limit >= enough) return verdicts.pass("locked memory: " + human_bytes(*limit));
    verdicts.give(rdma && context.has_server() ? Verdict::warn : Verdict::info,
                  fmt::format("locked memory is limited to {}{}", human_bytes(*limit),
                              rdma ? ", and this host has RDMA devices" : ""),
                  limit);
}

void judge_open_files(CheckContext const& context, Verdicts const& verdicts) {
    auto const& hard = context.host.open_files_hard;
    if (is_unlimited(hard)) return verdicts.pass("open files are not limited");
    if (!verdicts.have(hard, "limit of open files")) return;
    // The soft limit is 1024 everywhere: programs raise it up to the hard one.
    constexpr std::uint64_t enough = 65536;
    verdicts.give(*hard < enough && context.has_server() ? Verdict::warn : Verdict::pass,
                  fmt::format("a process may open {} files at most", *hard), hard);
}

void judge_shared_memory(CheckContext const& context, Verdicts const& verdicts) {
    auto const& size = context.host.shm_bytes;
    if (is_unlimited(size)) return verdicts.pass("/dev/shm is not limited");
    if (!verdicts.have(size, "size of /dev/shm")) return;
    // What Primus asks of a node.
    constexpr auto enough = 8 * gib;
    auto const message = fmt::format("/dev/shm has {}", human_bytes(*size));
    if (has_container_default(size, in_container(context.host))) {
        verdicts.warn(message + ", the default of containers", size,
                      context.host.container.value() == "kubernetes"
                          ? "rocmtune env --format k8s   # prints a volume of memory for /dev/shm, "
                            "for the pod"
                          : "start the container with --shm-size=16g or --ipc=host");
    } else if (context.rules.strict && *size < enough) verdicts.fail(message, size);
    else verdicts.pass(message, size);
}

void judge_host_memory(CheckContext const& context, Verdicts const& verdicts) {
    auto const& memory = context.host.memory_bytes;
    auto const vram = vram_of(context.cards);
    if (vram == 0) return verdicts.skip("no GPU with memory of its own");
    if (!verdicts.have(memory, "main memory")) return;
    bool const little = context.rules.strict && context.has_server() && *memory < vram;
    verdicts.give(
        little ? Verdict::warn : Verdict::pass,
        fmt::format("{} of main memory, {} on the GPUs", human_bytes(*memory), human_bytes(vram)),
        memory);
}

void judge_seccomp(CheckContext const& context, Verdicts const& verdicts) {
    auto const& filter = context.host.seccomp_filter;
    if (!in_container(context.host)) return verdicts.skip("asked of containers only");
    if (!verdicts.have(filter, "system call filter")) return;
    if (!*filter) return verdicts.pass("system calls are not filtered");
    // Every container has the filter by default; few programs notice.
    verdicts.info("system calls are filtered: NUMA memory policy may be refused", filter);
}

void judge_container_devices(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!in_container(host)) return verdicts.skip("asked of containers only");
    auto const all =
        std::ranges::count_if(host.gpus, [](Gpu const& gpu) { return gpu.sysfs_path.has_value(); });
    auto const given = std::ranges::count_if(
        host.gpus, [](Gpu const& gpu) { return gpu.render_access && gpu.render_access->usable; });
    // None at all is what kfd-access and render-access fail for, each with its command.
    if (given == 0) return verdicts.skip("render-access says why none is usable");
    verdicts.pass(
        fmt::format("{} of the host's {} GPUs are given to this {}", given, all, *host.container));
}

void judge_selinux(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have_or_skip(host.selinux_enforcing, "SELinux", "SELinux is not on")) return;
    bool const may_matter =
        *host.selinux_enforcing && in_container(host) && some_node_is_refused(host);
    verdicts.give(may_matter ? Verdict::info : Verdict::pass,
                  may_matter ? "SELinux enforces its policy, and a device node is refused here"
                  : *host.selinux_enforcing ? "SELinux enforces its policy"
                                            : "SELinux is permissive: it logs and allows",
                  host.selinux_enforcing);
}

void judge_idle_states(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have_or_skip(host.cpu_idle_states, "idle states of the processors",
                               "this kernel shows no idle states"))
        return;
    auto const& states = *host.cpu_idle_states;
    bool const deep = std::ranges::find(states, "C2") != states.end();
    // AMD advises it for the latency of networks; elsewhere C2 only saves power.
    bool const matters = deep && context.has_server() && has_rdma(host);
    verdicts.give(matters ? Verdict::info : Verdict::pass,
                  fmt::format("idle states: {}", fmt::join(states, ", ")), host.cpu_idle_states);
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check host_rows[] = {
    {"RT3201", "iommu", "host", quick, false, host_only, judge_iommu},
    {"RT3202", "pci-realloc", "host", quick, false, host_only, judge_pci_realloc},
    {"RT3203", "numa-balancing", "host", quick, false, host_only, judge_numa_balancing},
    {"RT3204", "huge-pages", "host", quick, false, host_only, judge_huge_pages},
    {"RT3205", "compaction", "host", quick, false, host_only, judge_compaction},
    {"RT3206", "gpu-memory-limit", "host", quick, false, driver, judge_ttm_limit},
    {"RT3207", "cpu-governor", "host", quick, false, host_only, judge_cpu_governor},
    {"RT3208", "locked-memory", "host", quick, false, anywhere, judge_locked_memory},
    {"RT3209", "open-files", "host", quick, false, anywhere, judge_open_files},
    {"RT3210", "shared-memory", "host", quick, false, anywhere, judge_shared_memory},
    {"RT3211", "host-memory", "host", quick, false, anywhere, judge_host_memory},
    {"RT3212", "system-call-filter", "container", quick, false, anywhere, judge_seccomp},
    {"RT3213", "container-devices", "container", quick, false, anywhere, judge_container_devices},
    {"RT3214", "selinux", "container", quick, false, anywhere, judge_selinux},
    {"RT3215", "idle-states", "host", quick, false, host_only, judge_idle_states},
};
// clang-format on

}  // namespace

std::span<Check const> host_checks() {
    return host_rows;
}

}  // namespace rocmtune
