// SPDX-License-Identifier: MIT
// Check: one question about a host, and what the answers are made of.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "host/source_text.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/messages.hpp"
#include "knowledge/product_of.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/measurement.hpp"
#include "rocmtune/records.hpp"

namespace rocmtune {

enum class Profile : std::uint8_t {
    server,   ///< Instinct on bare metal, MI300A included
    guest,    ///< a virtual function, or a GPU passed through to a virtual machine
    desktop,  ///< any other card; usually it drives a display
    apu,      ///< graphics of a processor
};

/// One card: its first row, with what the criteria need to know of it.
struct Card {
    Gpu const* gpu;
    std::string subject;  ///< its PCI address; "host" for a device without one
    Profile profile;
    bool instinct;

    bool is_server() const { return profile == Profile::server; }
    bool is_apu() const { return gpu->is_apu.value_or(false); }
};

/// Whether this is a virtual machine, as far as the firmware's product name tells.
bool is_virtual_machine(Host const& host);

/// An Instinct accelerator, by name or by the family that has no other products.
bool is_instinct(ChipSet const& chips, Gpu const& gpu);

/// The cards that the driver amdgpu runs, in the order of rows. Partitions share one.
std::vector<Card> cards_of(Host const& host, ChipSet const& chips);

bool in_container(Host const& host);

/// A process of a Slurm job: its cgroup may keep it from GPUs that are not the job's.
bool in_slurm_job(Host const& host);

enum class TrialEnd : std::uint8_t {
    verified,      ///< what came back was right
    wrong,         ///< what came back was not what was sent
    refused,       ///< a call of the runtime failed
    crashed,       ///< the process died in a call
    late,          ///< it did not answer in time, and was killed
    unkillable,    ///< likewise, and SIGKILL did not reach it: it is stuck in the driver
    no_runtime,    ///< this host has no HIP runtime to try it with
    not_possible,  ///< this process is not shown the GPU
    not_allowed,   ///< it would disturb: a job, or a GPU that sleeps
    not_known,     ///< the trial itself failed: nothing is known of the GPU
};

struct Trial {
    std::uint64_t row = 0;  ///< of the GPU, as probe prints it
    TrialEnd end = TrialEnd::not_known;
    std::string message = {};  ///< what happened, without the GPU's name
    std::vector<Evidence> evidence = {};
};

inline std::string fact_text(std::string const& value) {
    return value;
}
inline std::string fact_text(bool value) {
    return value ? "yes" : "no";
}
inline std::string fact_text(std::vector<std::string> const& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}
inline std::string fact_text(DeviceNode const& node) {
    auto text = fmt::format("mode {}, group {}", node.mode.value_or("?"), node.group.value_or("?"));
    return node.usable ? text : fmt::format("{}, open: {}", text, node.error.value_or("refused"));
}
template <class T>
std::string fact_text(T const& value) {
    // Lists of records have no short text: a judgement names the record that it means.
    if constexpr (std::is_arithmetic_v<T>) return fmt::format("{}", value);
    else return {};
}

/// The value of a fact and where it was read.
template <class T>
Evidence evidence(Fact<T> const& fact) {
    return {source_text(fact.source()), fact_text(*fact)};
}

/// Collects the results of one check. The findings that the calls return live until the next call.
class Verdicts {
  public:
    Verdicts(std::string_view id, std::vector<Finding>& findings) : id_(id), findings_(findings) {}

    Finding& pass(std::string subject, std::string message);
    Finding& skip(std::string subject, std::string message);
    Finding& info(std::string subject, std::string message);
    Finding& warn(std::string subject, std::string message);
    Finding& fail(std::string subject, std::string message);
    Finding& unknown(std::string subject, std::string message);
    Finding& give(Verdict verdict, std::string subject, std::string message);

    /// True if the fact has a value. If not, says why the check has no answer about the subject:
    /// skip for what this GPU or host does not have and for a GPU that sleeps, timeout for a
    /// kernel that did not answer, unknown for everything that could not be read.
    template <class T>
    bool have(Fact<T> const& fact, std::string const& subject, std::string_view what) {
        if (fact) return true;
        miss(fact.reason(), fact.detail(), subject, what);
        return false;
    }

    /// The same for what most hosts do not have, and what snapshots that were made before it was
    /// asked for do not hold: of those the check says `otherwise`, as skip.
    template <class T>
    bool have_or_skip(Fact<T> const& fact, std::string_view what, std::string_view otherwise) {
        bool const gone =
            fact.reason() == Missing::absent || fact.reason() == Missing::not_recorded;
        if (fact || !gone) return have(fact, "host", what);
        skip("host", std::string(otherwise));
        return false;
    }

  private:
    void miss(Missing reason, std::string const& detail, std::string const& subject,
              std::string_view what);

    std::string_view id_;
    std::vector<Finding>& findings_;
};

/// How much time a run may take; a level includes those before it.
enum class CheckLevel : std::uint8_t { quick, medium, long_ };
inline constexpr std::array<std::string_view, 3> check_level_words{"quick", "medium", "long"};

/// Status of a measurement that the end of the run cut off: the GPU may be slow or hang, or not.
inline constexpr std::string_view unfinished_status = "unfinished";

/// What the site said beforehand; it makes some criteria stricter.
struct CheckRules {
    bool strict = false;  ///< the file of expectations says so: a gate, not a look
    bool idle = false;    ///< no GPU should be in use
};

/// What a check judges. All of it lives longer than the check.
struct CheckContext {
    Host const& host;
    ChipSet const& chips;
    std::vector<Card> const& cards;
    CheckRules const& rules;
    std::vector<Trial> const& trials;
    std::vector<Measurement> const& measurements;

    /// The card at this PCI address, or null.
    Card const* card_at(std::string_view address) const {
        auto const found = std::find_if(cards.begin(), cards.end(),
                                        [&](Card const& card) { return card.subject == address; });
        return found == cards.end() ? nullptr : &*found;
    }
    bool has_server() const {
        return std::any_of(cards.begin(), cards.end(),
                           [](Card const& card) { return card.is_server(); });
    }
    std::size_t discrete_cards() const {
        return static_cast<std::size_t>(std::count_if(
            cards.begin(), cards.end(), [](Card const& card) { return !card.is_apu(); }));
    }
};

/// Where a check has no answer, whatever it would find.
enum class Where : std::uint8_t {
    anywhere,
    with_kernel_driver,  ///< not in WSL, where the GPU is behind /dev/dxg
    on_the_host,         ///< neither there nor in a container, which cannot change the host
    in_wsl,              ///< only there
};

/// One row of the table in checks.cpp.
struct Check {
    std::string_view id;    ///< of its findings: "RT3001"
    std::string_view name;  ///< for --only and --skip
    std::string_view theme;
    CheckLevel level;
    bool essential;  ///< without an answer nothing is known of the GPUs: exit code 3
    Where where;
    void (*judge)(CheckContext const&, Verdicts&);
};

/// What lies further back is past: the window of AMD's Primus.
inline constexpr double log_window_seconds = 900;

/// A message with its class, and whether a later one ended what it says.
struct LogEvent {
    MessageClass const* kind;
    KernelMessage const* message;
    bool ended = false;

    /// What lies further back is only worth knowing: it was dealt with, or the GPU's state shows
    /// it. A state that does not heal stays.
    bool is_past() const;
    /// How bad it is now.
    Verdict verdict(bool server) const;
};

/// All events, oldest first; messages whose class this program does not know are left out.
std::vector<LogEvent> log_events(Host const& host);

/// The newest message about this GPU that has the class of this name, or null.
KernelMessage const* find_message(Host const& host, std::string const& address,
                                  std::string_view class_name);

/// Gives the worst that the log holds of the classes of this finding, "RT3006", about the subject,
/// a PCI address or "host"; false if it holds nothing.
bool tell_from_log(CheckContext const& context, std::string_view finding,
                   std::string const& subject, Verdicts& verdicts);

/// The message with which KFD refuses this GPU for want of PCIe atomics, or null.
KernelMessage const* rejects_atomics(CheckContext const& context, std::string const& address);

// driver.cpp
void judge_driver_loaded(CheckContext const&, Verdicts&);
void judge_driver_origin(CheckContext const&, Verdicts&);
void judge_driver_build(CheckContext const&, Verdicts&);
void judge_driver_blacklist(CheckContext const&, Verdicts&);
void judge_driver_bound(CheckContext const&, Verdicts&);
void judge_driver_parameters(CheckContext const&, Verdicts&);
// access.cpp
void judge_kfd_access(CheckContext const&, Verdicts&);
void judge_render_access(CheckContext const&, Verdicts&);
// enumeration.cpp
void judge_gpus_found(CheckContext const&, Verdicts&);
void judge_kfd_nodes(CheckContext const&, Verdicts&);
void judge_hip_devices(CheckContext const&, Verdicts&);
void judge_partition_count(CheckContext const&, Verdicts&);
void judge_mixed_targets(CheckContext const&, Verdicts&);
void judge_target_override(CheckContext const&, Verdicts&);
void judge_same_place(CheckContext const&, Verdicts&);
// host_settings.cpp
void judge_iommu(CheckContext const&, Verdicts&);
void judge_pci_realloc(CheckContext const&, Verdicts&);
void judge_numa_balancing(CheckContext const&, Verdicts&);
void judge_huge_pages(CheckContext const&, Verdicts&);
void judge_compaction(CheckContext const&, Verdicts&);
void judge_ttm_limit(CheckContext const&, Verdicts&);
void judge_cpu_governor(CheckContext const&, Verdicts&);
// limits.cpp
void judge_locked_memory(CheckContext const&, Verdicts&);
void judge_open_files(CheckContext const&, Verdicts&);
void judge_shared_memory(CheckContext const&, Verdicts&);
void judge_host_memory(CheckContext const&, Verdicts&);
void judge_seccomp(CheckContext const&, Verdicts&);
void judge_container_devices(CheckContext const&, Verdicts&);
// pcie.cpp
void judge_link_width(CheckContext const&, Verdicts&);
void judge_link_speed(CheckContext const&, Verdicts&);
void judge_replays(CheckContext const&, Verdicts&);
void judge_pcie_errors(CheckContext const&, Verdicts&);
void judge_atomics(CheckContext const&, Verdicts&);
void judge_visible_memory(CheckContext const&, Verdicts&);
void judge_numa_place(CheckContext const&, Verdicts&);
// xgmi.cpp
void judge_xgmi_links(CheckContext const&, Verdicts&);
void judge_xgmi_errors(CheckContext const&, Verdicts&);
void judge_xgmi_speed(CheckContext const&, Verdicts&);
// leftovers.cpp
void judge_selinux(CheckContext const&, Verdicts&);
void judge_idle_states(CheckContext const&, Verdicts&);
void judge_smi_locks(CheckContext const&, Verdicts&);
// power.cpp
void judge_power_state(CheckContext const&, Verdicts&);
void judge_power_cap(CheckContext const&, Verdicts&);
void judge_performance_level(CheckContext const&, Verdicts&);
void judge_clocks(CheckContext const&, Verdicts&);
void judge_temperature(CheckContext const&, Verdicts&);
void judge_clock_floor(CheckContext const&, Verdicts&);
void judge_throttling(CheckContext const&, Verdicts&);
// occupancy.cpp
void judge_memory_used(CheckContext const&, Verdicts&);
void judge_processes(CheckContext const&, Verdicts&);
void judge_busy(CheckContext const&, Verdicts&);
// alike.cpp
void judge_partition_modes(CheckContext const&, Verdicts&);
void judge_firmware(CheckContext const&, Verdicts&);
void judge_vbios(CheckContext const&, Verdicts&);
void judge_metrics(CheckContext const&, Verdicts&);
// ras.cpp
void judge_ras_present(CheckContext const&, Verdicts&);
void judge_ras_counters(CheckContext const&, Verdicts&);
void judge_bad_pages(CheckContext const&, Verdicts&);
// kernel_log.cpp
void judge_log_resets(CheckContext const&, Verdicts&);
void judge_log_page_faults(CheckContext const&, Verdicts&);
void judge_log_hardware_errors(CheckContext const&, Verdicts&);
void judge_log_driver_errors(CheckContext const&, Verdicts&);
void judge_log_lost_links(CheckContext const&, Verdicts&);
void judge_log_warnings(CheckContext const&, Verdicts&);
// rocm.cpp
void judge_rocm_installed(CheckContext const&, Verdicts&);
void judge_rocm_selected(CheckContext const&, Verdicts&);
void judge_rocm_several(CheckContext const&, Verdicts&);
void judge_rocm_mixed(CheckContext const&, Verdicts&);
void judge_libraries(CheckContext const&, Verdicts&);
// frameworks.cpp
void judge_framework_build(CheckContext const&, Verdicts&);
void judge_framework_targets(CheckContext const&, Verdicts&);
void judge_masks(CheckContext const&, Verdicts&);
void judge_debug_variables(CheckContext const&, Verdicts&);
// caches.cpp
void judge_cache_filesystem(CheckContext const&, Verdicts&);
void judge_cache_permissions(CheckContext const&, Verdicts&);
void judge_cache_files(CheckContext const&, Verdicts&);
void judge_cache_targets(CheckContext const&, Verdicts&);
void judge_tuning_results(CheckContext const&, Verdicts&);
// liveness.cpp
void judge_wsl_device(CheckContext const&, Verdicts&);
void judge_wsl_bridge(CheckContext const&, Verdicts&);
void judge_wsl_wheels(CheckContext const&, Verdicts&);
void judge_wsl_distribution(CheckContext const&, Verdicts&);
void judge_liveness(CheckContext const&, Verdicts&);
// measured.cpp
void judge_kernels(CheckContext const&, Verdicts&);
void judge_memory_rate(CheckContext const&, Verdicts&);
void judge_matrix_rate(CheckContext const&, Verdicts&);
void judge_sustained_rate(CheckContext const&, Verdicts&);

/// The step for a node whose open failed.
std::string way_in(Host const& host, DeviceNode const& node);

/// The step for a node that does not exist; `path` is /dev/kfd or a render node.
std::string way_to_missing(Host const& host, std::string const& path);

/// The step for a kernel that drives the GPUs without KFD, which computes for ROCm.
std::string way_to_kfd();

struct TorchAdvice {
    std::string command;  ///< installs the build that fits; empty if none is known
    std::vector<Evidence> evidence;
};

/// The newest build with code for all these gfx targets, of those whose ROCm lists them all; where
/// AMD lists a target for none, of all that have code for it. Drivers are not compared: a wheel
/// brings its own ROCm, and no table states which numbers of drivers each release runs with.
TorchAdvice torch_for(ChipSet const& chips, std::vector<std::string> const& targets);

/// The first ROCm release of AMD's main list that supports a target, if `release` is older than
/// that and no wheel of it, or of one before it, has code for the target; else empty. Lists of
/// previews and of Ryzen say nothing here.
std::string first_release_after(ChipSet const& chips, std::string const& target,
                                std::string_view release);

/// A process that computes; not another check, nor a daemon that only watches.
bool is_job(GpuProcess const& process);

}  // namespace rocmtune
