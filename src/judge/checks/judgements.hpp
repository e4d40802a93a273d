// SPDX-License-Identifier: MIT
// The judgements of the table in checks.cpp, by file. Each looks at facts only and states one
// result for each subject that it concerns; criteria stand beside the code.
#pragma once

#include "judge/checks/check.hpp"

namespace rocmtune {

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

}  // namespace rocmtune
