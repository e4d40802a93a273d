// SPDX-License-Identifier: MIT
#include "judge/checks/checks.hpp"

#include "host/cut_short.hpp"
#include "host/subject.hpp"
#include "judge/checks/check.hpp"
#include "knowledge/steps.hpp"

namespace rocmtune {
namespace {

constexpr auto quick = CheckLevel::quick;
constexpr auto medium = CheckLevel::medium;
constexpr auto long_ = CheckLevel::long_;
constexpr auto anywhere = Where::anywhere;
constexpr auto driver = Where::with_kernel_driver;
constexpr auto host_only = Where::on_the_host;
constexpr auto in_wsl = Where::in_wsl;

// One row each, in the order of ids; a new check takes the next number of its theme, and no number
// is used twice.
// clang-format off
constexpr Check checks[] = {
    {"RT3001", "driver-loaded", "driver", quick, true, driver, judge_driver_loaded},
    {"RT3002", "driver-origin", "driver", quick, false, host_only, judge_driver_origin},
    {"RT3003", "driver-build", "driver", quick, false, host_only, judge_driver_build},
    {"RT3004", "driver-blacklist", "driver", quick, false, host_only, judge_driver_blacklist},
    {"RT3005", "driver-bound", "driver", quick, false, driver, judge_driver_bound},
    {"RT3006", "driver-parameters", "driver", quick, false, driver, judge_driver_parameters},
    {"RT3011", "kfd-access", "access", quick, true, driver, judge_kfd_access},
    {"RT3012", "render-access", "access", quick, true, driver, judge_render_access},
    {"RT3101", "gpus-found", "enumeration", quick, true, anywhere, judge_gpus_found},
    {"RT3102", "kfd-nodes", "enumeration", quick, true, driver, judge_kfd_nodes},
    {"RT3103", "hip-devices", "enumeration", quick, true, anywhere, judge_hip_devices},
    {"RT3104", "partition-count", "enumeration", quick, false, driver, judge_partition_count},
    {"RT3105", "mixed-targets", "enumeration", quick, false, anywhere, judge_mixed_targets},
    {"RT3106", "target-override", "enumeration", quick, false, anywhere, judge_target_override},
    {"RT3107", "same-place", "enumeration", quick, false, driver, judge_same_place},
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
    {"RT3301", "link-width", "pcie", quick, false, driver, judge_link_width},
    {"RT3302", "link-speed", "pcie", quick, false, driver, judge_link_speed},
    {"RT3303", "pcie-replays", "pcie", quick, false, driver, judge_replays},
    {"RT3304", "pcie-errors", "pcie", quick, false, driver, judge_pcie_errors},
    {"RT3305", "pcie-atomics", "pcie", quick, false, driver, judge_atomics},
    {"RT3306", "visible-memory", "pcie", quick, false, driver, judge_visible_memory},
    {"RT3307", "numa-place", "pcie", quick, false, driver, judge_numa_place},
    {"RT3321", "xgmi-links", "xgmi", quick, false, driver, judge_xgmi_links},
    {"RT3322", "xgmi-errors", "xgmi", quick, false, driver, judge_xgmi_errors},
    {"RT3323", "xgmi-speed", "xgmi", quick, false, driver, judge_xgmi_speed},
    {"RT3401", "power-state", "power", quick, false, driver, judge_power_state},
    {"RT3402", "power-cap", "power", quick, false, driver, judge_power_cap},
    {"RT3403", "performance-level", "power", quick, false, driver, judge_performance_level},
    {"RT3404", "clocks", "power", quick, false, driver, judge_clocks},
    {"RT3405", "temperature", "power", quick, false, driver, judge_temperature},
    {"RT3406", "throttling", "power", quick, false, driver, judge_throttling},
    {"RT3407", "clock-floor", "power", quick, false, driver, judge_clock_floor},
    {"RT3411", "memory-used", "occupancy", quick, false, driver, judge_memory_used},
    {"RT3412", "processes", "occupancy", quick, false, driver, judge_processes},
    {"RT3413", "busy", "occupancy", quick, false, driver, judge_busy},
    {"RT3421", "partition-modes", "alike", quick, false, driver, judge_partition_modes},
    {"RT3422", "firmware", "alike", quick, false, driver, judge_firmware},
    {"RT3423", "vbios", "alike", quick, false, driver, judge_vbios},
    {"RT3424", "metrics", "alike", quick, false, driver, judge_metrics},
    {"RT3501", "ras-present", "ras", quick, false, driver, judge_ras_present},
    {"RT3502", "ras-counters", "ras", quick, false, driver, judge_ras_counters},
    {"RT3503", "bad-pages", "ras", quick, false, driver, judge_bad_pages},
    {"RT3601", "log-resets", "kernel-log", quick, false, driver, judge_log_resets},
    {"RT3602", "log-page-faults", "kernel-log", quick, false, driver, judge_log_page_faults},
    {"RT3603", "log-hardware-errors", "kernel-log", quick, false, driver,
     judge_log_hardware_errors},
    {"RT3604", "log-driver-errors", "kernel-log", quick, false, driver, judge_log_driver_errors},
    {"RT3605", "log-lost-links", "kernel-log", quick, false, driver, judge_log_lost_links},
    {"RT3606", "log-warnings", "kernel-log", quick, false, driver, judge_log_warnings},
    {"RT3701", "rocm-installed", "rocm", quick, false, anywhere, judge_rocm_installed},
    {"RT3702", "rocm-selected", "rocm", quick, false, anywhere, judge_rocm_selected},
    {"RT3703", "rocm-several", "rocm", quick, false, anywhere, judge_rocm_several},
    {"RT3704", "rocm-mixed", "rocm", quick, false, anywhere, judge_rocm_mixed},
    {"RT3705", "libraries", "rocm", quick, false, anywhere, judge_libraries},
    {"RT3706", "smi-locks", "rocm", quick, false, anywhere, judge_smi_locks},
    {"RT3711", "framework-build", "frameworks", quick, false, anywhere, judge_framework_build},
    {"RT3712", "framework-targets", "frameworks", quick, false, anywhere, judge_framework_targets},
    {"RT3721", "masks", "environment", quick, false, anywhere, judge_masks},
    {"RT3722", "debug-variables", "environment", quick, false, anywhere, judge_debug_variables},
    {"RT3731", "cache-filesystem", "caches", quick, false, anywhere, judge_cache_filesystem},
    {"RT3732", "cache-permissions", "caches", quick, false, anywhere, judge_cache_permissions},
    {"RT3733", "cache-files", "caches", quick, false, anywhere, judge_cache_files},
    {"RT3734", "cache-targets", "caches", quick, false, anywhere, judge_cache_targets},
    {"RT3735", "tuning-results", "caches", quick, false, anywhere, judge_tuning_results},
    {"RT3741", "wsl-device", "wsl", quick, true, in_wsl, judge_wsl_device},
    {"RT3742", "wsl-bridge", "wsl", quick, false, in_wsl, judge_wsl_bridge},
    {"RT3743", "wsl-wheels", "wsl", quick, false, in_wsl, judge_wsl_wheels},
    {"RT3744", "wsl-distribution", "wsl", quick, false, in_wsl, judge_wsl_distribution},
    {"RT3801", "liveness", "liveness", quick, true, anywhere, judge_liveness},
    {"RT3802", "kernels", "measured", medium, true, anywhere, judge_kernels},
    {"RT3803", "memory-rate", "measured", medium, false, anywhere, judge_memory_rate},
    {"RT3804", "matrix-rate", "measured", medium, false, anywhere, judge_matrix_rate},
    {"RT3805", "sustained-rate", "measured", long_, false, anywhere, judge_sustained_rate},
};
// clang-format on

bool is_meant(std::vector<std::string> const& words, Check const& check) {
    return std::any_of(words.begin(), words.end(),
                       [&](auto const& word) { return means(word, check); });
}

/// Why the check has no answer on this kind of host; empty if it has.
std::string_view unfit(Check const& check, Host const& host) {
    if (check.where == Where::in_wsl) return host.is_wsl.value_or(false) ? "" : "asked of WSL only";
    // What would be wrong with a host for GPUs is no fault of one without.
    // The log may know one that is gone.
    bool const log_knows =
        check.theme == "kernel-log" && host.kernel_messages && !host.kernel_messages->empty();
    if (host.gpus.empty() && check.judge != judge_gpus_found && !log_knows)
        return "no AMD GPU was found";
    if (check.where == Where::anywhere) return {};
    if (host.is_wsl.value_or(false)) return "WSL shows GPUs through /dev/dxg, without this driver";
    if (check.where == Where::on_the_host && in_container(host))
        return "a container does not show or change this of its host";
    return {};
}

/// The host with the rows that were asked for; a copy only where some are not.
std::optional<Host> narrowed(Host const& host, std::vector<std::uint64_t> const& rows) {
    if (rows.empty()) return std::nullopt;
    auto copy = host;
    std::erase_if(copy.gpus, [&](Gpu const& gpu) {
        return std::find(rows.begin(), rows.end(), gpu.row.value_or(0)) == rows.end();
    });
    if (!host.kernel_messages) return copy;
    auto messages = *host.kernel_messages;
    std::erase_if(messages, [&](KernelMessage const& message) {
        return message.pci_address && std::ranges::none_of(copy.gpus, [&](Gpu const& gpu) {
                   return gpu.pci_address.value() == *message.pci_address;
               });
    });
    copy.kernel_messages = {};
    copy.kernel_messages.offer(std::move(messages), host.kernel_messages.source());
    return copy;
}

/// Whether reading ended before its end: of the devices, or of the software only, which is read
/// after them.
struct Cut {
    bool devices = false;
    bool software = false;

    template <class T>
    void operator()(Field const&, Fact<T> const& fact) {
        if (fact || !is_cut_short(fact.detail())) return;
        software = true;
        devices |= fact.detail().starts_with("/sys/");
    }
    template <class T>
    void operator()(Field const&, T const&) {}
};

/// What was not read might be what is wrong: a list may have had more names, a card another one
/// beside it. What is known to be wrong stays so.
void withdraw_passes(Host const& host, std::vector<Finding>& findings) {
    constexpr std::string_view of_software[] = {"rocm", "frameworks", "environment", "caches"};
    Cut cut;
    visit_fields(host, cut);
    for (auto const& gpu : host.gpus) visit_fields(gpu, cut);
    if (!cut.software) return;
    for (auto& finding : findings) {
        auto const* check = find_check(finding.id);
        bool const software =
            check != nullptr && std::find(std::begin(of_software), std::end(of_software),
                                          check->theme) != std::end(of_software);
        if (finding.verdict != Verdict::pass || (!cut.devices && !software)) continue;
        finding.verdict = Verdict::unknown;
        finding.message = "reading was cut short; what was read says: " + finding.message;
    }
}

/// A command without a GPU would act on all of them.
void fill_steps(Host const& host, std::vector<Finding>& findings) {
    auto const distribution = host.distribution_id.value_or("");
    StepPlaces places{.distribution = distribution,
                      .dkms = host.amdgpu_origin.value() == "dkms",
                      .in_container = in_container(host)};
    for (auto& finding : findings) {
        auto const gpu = finding.subject == "host"
                             ? std::string()
                             : finding.subject.substr(0, finding.subject.find('/'));
        places.gpu = gpu;
        finding.next_step = filled_step(finding.next_step, places);
    }
}

/// Whether this check lets GPUs work and compares what comes back.
bool is_work(Check const& check) {
    return check.judge == judge_liveness || check.judge == judge_kernels;
}

bool has_answer(Finding const& finding) {
    return finding.verdict == Verdict::pass || finding.verdict == Verdict::info ||
           finding.verdict == Verdict::warn || finding.verdict == Verdict::fail;
}

}  // namespace

std::span<Check const> all_checks() {
    return checks;
}

Check const* find_check(std::string_view word) {
    for (auto const& check : checks)
        if (check.name == word || check.id == word) return &check;
    return nullptr;
}

bool means(std::string_view word, Check const& check) {
    return word == check.id || word == check.name || word == check.theme;
}

bool is_selected(Check const& check, CheckSelection const& selection) {
    if (check.level > selection.level || is_meant(selection.skip, check)) return false;
    return selection.only.empty() || is_meant(selection.only, check);
}

std::vector<Finding> run_checks(Host const& host, ChipSet const& chips,
                                CheckSelection const& selection) {
    auto const part = narrowed(host, selection.rows);
    auto const& judged = part ? *part : host;
    auto const cards = cards_of(judged, chips);
    CheckContext const context{
        judged, chips, cards, selection.rules, selection.trials, selection.measurements};
    std::vector<Finding> findings;
    for (auto const& check : checks) {
        if (!is_selected(check, selection)) continue;
        Verdicts verdicts(check.id, findings);
        auto const before = findings.size();
        if (auto const reason = unfit(check, judged); !reason.empty())
            verdicts.skip("host", std::string(reason));
        else check.judge(context, verdicts);
        if (findings.size() == before) verdicts.skip("host", "no GPU here that it could judge");
    }
    withdraw_passes(judged, findings);
    fill_steps(judged, findings);
    return findings;
}

CheckSummary summary_of(Host const& host, std::vector<Finding> const& findings,
                        std::vector<std::uint64_t> const& rows) {
    CheckSummary summary;
    bool some_essential = false;
    std::vector<std::string_view> judged;
    std::vector<std::string_view> exercised;
    bool some_worked = false;
    for (auto const& finding : findings) {
        ++summary.counts[static_cast<std::size_t>(finding.verdict)];
        auto const* check = find_check(finding.id);
        if (check == nullptr || !check->essential) continue;
        some_essential = true;
        if (has_answer(finding)) judged.push_back(finding.subject);
        if (is_work(*check) && finding.subject != "host") {
            some_worked = true;
            if (finding.verdict == Verdict::pass) exercised.push_back(finding.subject);
        }
        bool const unknown =
            finding.verdict == Verdict::unknown || finding.verdict == Verdict::timeout;
        summary.essential_unknown |= unknown;
        if (unknown && summary.undetermined.empty())
            summary.undetermined =
                fmt::format("{} {}: {}", finding.id, finding.subject, finding.message);
    }
    for (auto const& gpu : host.gpus) {
        if (!is_among(rows, gpu)) continue;
        ++summary.gpus;
        auto const subject = subject_of(gpu);
        // A finding about the host says nothing about one GPU; one without an address has been
        // listed by HIP, and hip-devices speaks of it.
        bool const named = subject != "host" || gpu.hip_index;
        if (!named) continue;
        if (std::ranges::find(judged, subject) != judged.end()) ++summary.gpus_judged;
        bool const worked = std::ranges::find(exercised, subject) != exercised.end();
        if (some_worked) summary.gpus_exercised = summary.gpus_exercised.value_or(0) + worked;
    }
    if (summary.undetermined.empty() && summary.gpus > 0 && summary.gpus_judged == 0)
        summary.undetermined =
            some_essential ? "no GPU was judged"
                           : "no GPU was judged: no essential check was among those asked for";
    return summary;
}

Exit exit_of(CheckSummary const& summary, Verdict fail_on) {
    bool const found = fail_on != Verdict::pass &&
                       (summary.count(Verdict::fail) > 0 ||
                        (fail_on == Verdict::warn && summary.count(Verdict::warn) > 0));
    if (found) return Exit::findings;
    if (summary.essential_unknown) return Exit::undetermined;
    if (summary.gpus == 0) return Exit::no_device;
    return summary.gpus_judged == 0 ? Exit::undetermined : Exit::ok;
}

}  // namespace rocmtune
