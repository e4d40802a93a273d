// SPDX-License-Identifier: MIT
// The revision that is a list, v1.9: Instinct MI300 and later with the drivers of 2026
// (amdgpu 6.16.13 of ROCm 7.2.4 among them). Numbers: enum amdgpu_metrics_attr_id of
// kgd_pp_interface.h; units and types: SMU_13_0_6_METRICS_FIELDS and SMU_15_0_8_METRICS_FIELDS of
// the drivers in pm/swsmu.
#include "probe/gpu_metrics_tables.hpp"

namespace rocmtune::gpu_metrics {
namespace {

using L = ListUnit;

// Not here: the numbers above 48, which moved from one kernel to the next, and what GpuMetrics
// leaves out.
// clang-format off
constexpr Attribute all_attributes[] = {
    {0, L::celsius, "temperature_hotspot", Unit::celsius, &M::temperature_hotspot_celsius},
    {1, L::celsius, "temperature_mem", Unit::celsius, &M::temperature_mem_celsius},
    {2, L::celsius, "temperature_vrsoc", Unit::celsius, &M::temperature_vrsoc_celsius},
    {3, L::watts, "curr_socket_power", Unit::watts, &M::current_socket_power_watts},
    {4, L::percent, "average_gfx_activity", Unit::percent, &M::average_gfx_activity_percent},
    {5, L::percent, "average_umc_activity", Unit::percent, &M::average_umc_activity_percent},
    {6, L::gb_per_s, "mem_max_bandwidth", Unit::count, &M::mem_max_bandwidth_gb_per_s},
    {7, L::none, "energy_accumulator", Unit::energy_ticks, &M::energy_accumulator},
    {7, L::none, "energy_accumulator", Unit::energy_joules, &M::energy_joules},
    {8, L::nanoseconds, "system_clock_counter", Unit::nanoseconds, &M::system_clock_seconds},
    {9, L::none, "accumulation_counter", Unit::count, &M::accumulation_counter},
    {10, L::none, "prochot_residency_acc", Unit::count, &M::prochot_residency_acc},
    {11, L::none, "ppt_residency_acc", Unit::count, &M::ppt_residency_acc},
    {12, L::none, "socket_thm_residency_acc", Unit::count, &M::socket_thm_residency_acc},
    {13, L::none, "vr_thm_residency_acc", Unit::count, &M::vr_thm_residency_acc},
    {14, L::none, "hbm_thm_residency_acc", Unit::count, &M::hbm_thm_residency_acc},
    {15, L::none, "gfxclk_lock_status", Unit::count, &M::gfxclk_lock_status},
    {16, L::none, "pcie_link_width", Unit::lanes, &M::pcie_link_width},
    {17, L::tenth_gt_per_s, "pcie_link_speed", Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
    {18, L::none, "xgmi_link_width", Unit::count, &M::xgmi_link_width},
    {19, L::gt_per_s, "xgmi_link_speed", Unit::count, &M::xgmi_link_speed_gbps},
    {20, L::any, "gfx_activity_acc", Unit::count, &M::gfx_activity_acc},
    {21, L::any, "mem_activity_acc", Unit::count, &M::mem_activity_acc},
    {22, L::any, "pcie_bandwidth_acc", Unit::count, &M::pcie_bandwidth_acc},
    {23, L::gb_per_s, "pcie_bandwidth_inst", Unit::count, &M::pcie_bandwidth_inst},
    {24, L::none, "pcie_l0_to_recov_count_acc", Unit::count, &M::pcie_l0_to_recov_count_acc},
    {25, L::none, "pcie_replay_count_acc", Unit::count, &M::pcie_replay_count_acc},
    {26, L::none, "pcie_replay_rover_count_acc", Unit::count, &M::pcie_replay_rover_count_acc},
    {27, L::none, "pcie_nak_sent_count_acc", Unit::count, &M::pcie_nak_sent_count_acc},
    {28, L::none, "pcie_nak_rcvd_count_acc", Unit::count, &M::pcie_nak_rcvd_count_acc},
    {29, L::kilobytes, "xgmi_read_data_acc", Unit::count, &M::xgmi_read_data_acc_kb},
    {30, L::kilobytes, "xgmi_write_data_acc", Unit::count, &M::xgmi_write_data_acc_kb},
    {31, L::none, "xgmi_link_status", Unit::link_state, &M::xgmi_link_status},
    {32, L::ten_nanoseconds, "firmware_timestamp", Unit::ten_nanoseconds,
     &M::firmware_timestamp_seconds},
    {33, L::mhz, "current_gfxclk", Unit::mhz, &M::current_gfxclk_mhz},
    {33, L::mhz, "current_gfxclk", Unit::mhz, &M::current_gfxclk_mhz_by_xcc},
    {34, L::mhz, "current_socclk", Unit::mhz, &M::current_socclk_mhz},
    {35, L::mhz, "current_vclk0", Unit::mhz, &M::current_vclk0_mhz},
    {36, L::mhz, "current_dclk0", Unit::mhz, &M::current_dclk0_mhz},
    {37, L::mhz, "current_uclk", Unit::mhz, &M::current_uclk_mhz},
    {39, L::none, "pcie_lc_perf_other_end_recovery", Unit::count,
     &M::pcie_lc_perf_other_end_recovery},
    {42, L::percent, "vcn_busy", Unit::percent, &M::average_mm_activity_percent},
    {48, L::celsius, "temperature_hbm", Unit::celsius, &M::temperature_hbm_celsius},
};
// clang-format on

}  // namespace

std::span<const Attribute> attributes() {
    return all_attributes;
}

}  // namespace rocmtune::gpu_metrics
