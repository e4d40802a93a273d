// SPDX-License-Identifier: MIT
#include "probe/gpu_metrics.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <variant>

namespace rocmtune {
namespace {

enum class Type : std::uint8_t { u8 = 1, u16 = 2, u32 = 4, u64 = 8 };  // value = width in bytes

enum class Unit : std::uint8_t {
    count,
    celsius,
    centi_celsius,
    percent,
    centi_percent,
    percent_or_centi,  // by firmware, see GpuMetrics
    watts,
    milliwatts,
    watts_or_milliwatts,  // by firmware, see GpuMetrics
    energy_ticks,
    energy_joules,
    mhz,
    millivolts,
    lanes,
    tenth_gt_per_s,
    link_state,
    nanoseconds,
    ten_nanoseconds,
};

// Reading = raw / divisor; outside [low, high] it is unread.
struct Scale {
    double divisor = 1;
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
};

constexpr Scale scale_of(Unit unit) {
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    switch (unit) {
        case Unit::celsius: return {1, 0, 250};
        case Unit::centi_celsius: return {100, 0, 250};
        case Unit::percent: return {1, 0, 100};
        case Unit::centi_percent:
        case Unit::percent_or_centi: return {100, 0, 100};
        case Unit::watts: return {1, 1, no_limit};
        case Unit::milliwatts:
        case Unit::watts_or_milliwatts: return {1000, 0, no_limit};
        case Unit::energy_ticks: return {1, 1, no_limit};
        case Unit::energy_joules: return {65536, 1.0 / 65536, no_limit};
        case Unit::millivolts: return {1000, 0, no_limit};
        case Unit::lanes: return {1, 1, 32};
        case Unit::tenth_gt_per_s: return {10, 2.5, 64};
        case Unit::link_state: return {1, 0, 1};  // 2 is AMDGPU_XGMI_LINK_NA
        case Unit::nanoseconds: return {1e9, 0, no_limit};
        case Unit::ten_nanoseconds: return {1e8, 0, no_limit};
        case Unit::count:
        case Unit::mhz: break;
    }
    return {};
}

using M = GpuMetrics;
using Target =
    std::variant<Reading M::*, Counter M::*, std::vector<Reading> M::*, std::vector<Counter> M::*>;

// An array that goes into a scalar is its highest entry.
struct Field {
    std::string_view name;  // the kernel's
    std::uint16_t offset;   // from the base of the segment, bytes
    Type type;
    std::uint8_t entries;
    Unit unit;
    Target target;
};

// Fields that several revisions keep in the same order, perhaps at another place.
struct Segment {
    std::uint16_t base = 0;
    std::span<const Field> fields;
};

// struct amdgpu_xcp_metrics*: gfx_busy_inst comes first, gfx_busy_acc at busy_acc_offset.
struct PartitionLayout {
    std::uint16_t count_offset = 0;
    std::uint16_t base = 0;
    std::uint16_t stride = 0;  // 0: the revision has none
    std::uint16_t busy_acc_offset = 0;
};

struct Layout {
    std::uint8_t format;
    std::uint8_t content;
    std::uint16_t size;
    std::array<Segment, 11> segments;  // unused ones are empty
    PartitionLayout partitions = {};
};

// NUM_XCP and MAX_XCC of kgd_pp_interface.h.
constexpr std::size_t max_partitions = 8;
constexpr std::size_t max_xccs = 8;
constexpr std::size_t header_size = 4;

using enum Type;

// v1.0-v1.3, discrete boards.
constexpr Field board_fields[] = {
    {"temperature_edge", 0, u16, 1, Unit::celsius, &M::temperature_edge_celsius},
    {"temperature_hotspot", 2, u16, 1, Unit::celsius, &M::temperature_hotspot_celsius},
    {"temperature_mem", 4, u16, 1, Unit::celsius, &M::temperature_mem_celsius},
    {"temperature_vrgfx", 6, u16, 1, Unit::celsius, &M::temperature_vrgfx_celsius},
    {"temperature_vrsoc", 8, u16, 1, Unit::celsius, &M::temperature_vrsoc_celsius},
    {"temperature_vrmem", 10, u16, 1, Unit::celsius, &M::temperature_vrmem_celsius},
    {"average_gfx_activity", 12, u16, 1, Unit::percent, &M::average_gfx_activity_percent},
    {"average_umc_activity", 14, u16, 1, Unit::percent, &M::average_umc_activity_percent},
    {"average_mm_activity", 16, u16, 1, Unit::percent, &M::average_mm_activity_percent},
    {"average_socket_power", 18, u16, 1, Unit::watts, &M::average_socket_power_watts},
};
constexpr Field board_clocks[] = {
    {"average_gfxclk_frequency", 40, u16, 1, Unit::mhz, &M::average_gfxclk_mhz},
    {"average_socclk_frequency", 42, u16, 1, Unit::mhz, &M::average_socclk_mhz},
    {"average_uclk_frequency", 44, u16, 1, Unit::mhz, &M::average_uclk_mhz},
    {"average_vclk0_frequency", 46, u16, 1, Unit::mhz, &M::average_vclk0_mhz},
    {"average_dclk0_frequency", 48, u16, 1, Unit::mhz, &M::average_dclk0_mhz},
    {"current_gfxclk", 54, u16, 1, Unit::mhz, &M::current_gfxclk_mhz},
    {"current_socclk", 56, u16, 1, Unit::mhz, &M::current_socclk_mhz},
    {"current_uclk", 58, u16, 1, Unit::mhz, &M::current_uclk_mhz},
    {"current_vclk0", 60, u16, 1, Unit::mhz, &M::current_vclk0_mhz},
    {"current_dclk0", 62, u16, 1, Unit::mhz, &M::current_dclk0_mhz},
    {"throttle_status", 68, u32, 1, Unit::count, &M::throttle_status},
    {"current_fan_speed", 72, u16, 1, Unit::count, &M::fan_rpm},
};
constexpr Field v1_0_fields[] = {
    {"system_clock_counter", 8, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
    {"energy_accumulator", 36, u32, 1, Unit::energy_ticks, &M::energy_accumulator},
    {"pcie_link_width", 74, u8, 1, Unit::lanes, &M::pcie_link_width},
    {"pcie_link_speed", 75, u8, 1, Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
};
constexpr Field v1_1_fields[] = {
    {"energy_accumulator", 24, u64, 1, Unit::energy_ticks, &M::energy_accumulator},
    {"system_clock_counter", 32, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
    {"pcie_link_width", 74, u16, 1, Unit::lanes, &M::pcie_link_width},
    {"pcie_link_speed", 76, u16, 1, Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
    {"gfx_activity_acc", 80, u32, 1, Unit::count, &M::gfx_activity_acc},
    {"mem_activity_acc", 84, u32, 1, Unit::count, &M::mem_activity_acc},
    {"temperature_hbm", 88, u16, 4, Unit::celsius, &M::temperature_hbm_celsius},
};
constexpr Field v1_2_fields[] = {
    {"firmware_timestamp", 96, u64, 1, Unit::ten_nanoseconds, &M::firmware_timestamp_seconds},
};
constexpr Field v1_3_fields[] = {
    {"voltage_soc", 104, u16, 1, Unit::millivolts, &M::voltage_soc_volts},
    {"voltage_gfx", 106, u16, 1, Unit::millivolts, &M::voltage_gfx_volts},
    {"voltage_mem", 108, u16, 1, Unit::millivolts, &M::voltage_mem_volts},
    {"indep_throttle_status", 112, u64, 1, Unit::count, &M::indep_throttle_status},
};

// v1.4-v1.8, Instinct MI300 and later (smu_v13_0_6_get_gpu_metrics).
constexpr Field socket_fields[] = {
    {"temperature_hotspot", 4, u16, 1, Unit::celsius, &M::temperature_hotspot_celsius},
    {"temperature_mem", 6, u16, 1, Unit::celsius, &M::temperature_mem_celsius},
    {"temperature_vrsoc", 8, u16, 1, Unit::celsius, &M::temperature_vrsoc_celsius},
    {"curr_socket_power", 10, u16, 1, Unit::watts, &M::current_socket_power_watts},
    {"average_gfx_activity", 12, u16, 1, Unit::percent, &M::average_gfx_activity_percent},
    {"average_umc_activity", 14, u16, 1, Unit::percent, &M::average_umc_activity_percent},
};
constexpr Field vcn_fields[] = {
    {"vcn_activity", 16, u16, 4, Unit::percent, &M::average_mm_activity_percent},
};
constexpr Field energy_fields[] = {
    {"energy_accumulator", 0, u64, 1, Unit::energy_ticks, &M::energy_accumulator},
    {"energy_accumulator", 0, u64, 1, Unit::energy_joules, &M::energy_joules},
    {"system_clock_counter", 8, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
};
constexpr Field residency_fields[] = {
    {"accumulation_counter", 0, u32, 1, Unit::count, &M::accumulation_counter},
    {"prochot_residency_acc", 4, u32, 1, Unit::count, &M::prochot_residency_acc},
    {"ppt_residency_acc", 8, u32, 1, Unit::count, &M::ppt_residency_acc},
    {"socket_thm_residency_acc", 12, u32, 1, Unit::count, &M::socket_thm_residency_acc},
    {"vr_thm_residency_acc", 16, u32, 1, Unit::count, &M::vr_thm_residency_acc},
    {"hbm_thm_residency_acc", 20, u32, 1, Unit::count, &M::hbm_thm_residency_acc},
};
// From gfxclk_lock_status, at an address of 4 modulo 8 in v1.4 and v1.5, so that the counters of
// 64 bits follow without a gap; v1.6+ start at a multiple of 8 and leave one of 4 bytes.
constexpr Field link_fields[] = {
    {"gfxclk_lock_status", 0, u32, 1, Unit::count, &M::gfxclk_lock_status},
    {"pcie_link_width", 4, u16, 1, Unit::lanes, &M::pcie_link_width},
    {"pcie_link_speed", 6, u16, 1, Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
    {"xgmi_link_width", 8, u16, 1, Unit::count, &M::xgmi_link_width},
    {"xgmi_link_speed", 10, u16, 1, Unit::count, &M::xgmi_link_speed_gbps},
    {"gfx_activity_acc", 12, u32, 1, Unit::count, &M::gfx_activity_acc},
    {"mem_activity_acc", 16, u32, 1, Unit::count, &M::mem_activity_acc},
};
// From pcie_bandwidth_acc.
constexpr Field pcie_counter_fields[] = {
    {"pcie_bandwidth_acc", 0, u64, 1, Unit::count, &M::pcie_bandwidth_acc},
    {"pcie_bandwidth_inst", 8, u64, 1, Unit::count, &M::pcie_bandwidth_inst},
    {"pcie_l0_to_recov_count_acc", 16, u64, 1, Unit::count, &M::pcie_l0_to_recov_count_acc},
    {"pcie_replay_count_acc", 24, u64, 1, Unit::count, &M::pcie_replay_count_acc},
    {"pcie_replay_rover_count_acc", 32, u64, 1, Unit::count, &M::pcie_replay_rover_count_acc},
};
constexpr Field pcie_nak_fields[] = {
    {"pcie_nak_sent_count_acc", 0, u32, 1, Unit::count, &M::pcie_nak_sent_count_acc},
    {"pcie_nak_rcvd_count_acc", 4, u32, 1, Unit::count, &M::pcie_nak_rcvd_count_acc},
};
constexpr Field xgmi_fields[] = {
    {"xgmi_read_data_acc", 0, u64, 8, Unit::count, &M::xgmi_read_data_acc_kb},
    {"xgmi_write_data_acc", 64, u64, 8, Unit::count, &M::xgmi_write_data_acc_kb},
};
constexpr Field xgmi_status_fields[] = {
    {"xgmi_link_status", 0, u16, 8, Unit::link_state, &M::xgmi_link_status},
};
constexpr Field instance_clock_fields[] = {
    {"firmware_timestamp", 0, u64, 1, Unit::ten_nanoseconds, &M::firmware_timestamp_seconds},
    {"current_gfxclk", 8, u16, 8, Unit::mhz, &M::current_gfxclk_mhz},
    {"current_gfxclk", 8, u16, 8, Unit::mhz, &M::current_gfxclk_mhz_by_xcc},
    {"current_socclk", 24, u16, 4, Unit::mhz, &M::current_socclk_mhz},
    {"current_vclk0", 32, u16, 4, Unit::mhz, &M::current_vclk0_mhz},
    {"current_dclk0", 40, u16, 4, Unit::mhz, &M::current_dclk0_mhz},
    {"current_uclk", 48, u16, 1, Unit::mhz, &M::current_uclk_mhz},
};
constexpr Field mem_bandwidth_fields[] = {
    {"mem_max_bandwidth", 0, u64, 1, Unit::count, &M::mem_max_bandwidth_gb_per_s},
};
constexpr Field other_end_fields[] = {
    {"pcie_lc_perf_other_end_recovery", 0, u32, 1, Unit::count,
     &M::pcie_lc_perf_other_end_recovery},
};

// v2.0-v2.4, APUs. Every driver that fills them passes temperatures in hundredths of a degree
// (GfxTemperature in smu12_driver_if.h, smu11_driver_if_vangogh.h, smu13_driver_if_yellow_carp.h).
constexpr Field apu_temperatures[] = {
    {"temperature_gfx", 0, u16, 1, Unit::centi_celsius, &M::temperature_gfx_celsius},
    {"temperature_soc", 2, u16, 1, Unit::centi_celsius, &M::temperature_soc_celsius},
};
// v2.0 and v2.1: Renoir, Yellow Carp, Phoenix, all [centi] in the firmware headers named above.
constexpr Field apu_centi_activity[] = {
    {"average_gfx_activity", 0, u16, 1, Unit::centi_percent, &M::average_gfx_activity_percent},
    {"average_mm_activity", 2, u16, 1, Unit::centi_percent, &M::average_mm_activity_percent},
};
// v2.2-v2.4: [centi] in smu11_driver_if_vangogh.h, yet vangogh_common_get_smu_metrics_data() does
// not divide it with newer firmware.
constexpr Field apu_unclear_activity[] = {
    {"average_gfx_activity", 0, u16, 1, Unit::percent_or_centi, &M::average_gfx_activity_percent},
    {"average_mm_activity", 2, u16, 1, Unit::percent_or_centi, &M::average_mm_activity_percent},
};
// CurrentSocketPower is [W] in smu12_driver_if.h, and renoir_get_smu_metrics_data() still divides
// it by 1000 with older firmware.
constexpr Field apu_unclear_power[] = {
    {"average_socket_power", 0, u16, 1, Unit::watts_or_milliwatts, &M::average_socket_power_watts},
    {"average_cpu_power", 2, u16, 1, Unit::milliwatts, &M::average_cpu_power_watts},
};
constexpr Field apu_power[] = {
    {"average_socket_power", 0, u16, 1, Unit::milliwatts, &M::average_socket_power_watts},
    {"average_cpu_power", 2, u16, 1, Unit::milliwatts, &M::average_cpu_power_watts},
};
constexpr Field apu_gfx_power[] = {
    {"average_gfx_power", 0, u16, 1, Unit::milliwatts, &M::average_gfx_power_watts},
};
constexpr Field apu_clocks[] = {
    {"average_gfxclk_frequency", 0, u16, 1, Unit::mhz, &M::average_gfxclk_mhz},
    {"average_socclk_frequency", 2, u16, 1, Unit::mhz, &M::average_socclk_mhz},
    {"average_uclk_frequency", 4, u16, 1, Unit::mhz, &M::average_uclk_mhz},
    {"average_vclk_frequency", 8, u16, 1, Unit::mhz, &M::average_vclk0_mhz},
    {"average_dclk_frequency", 10, u16, 1, Unit::mhz, &M::average_dclk0_mhz},
    {"current_gfxclk", 12, u16, 1, Unit::mhz, &M::current_gfxclk_mhz},
    {"current_socclk", 14, u16, 1, Unit::mhz, &M::current_socclk_mhz},
    {"current_uclk", 16, u16, 1, Unit::mhz, &M::current_uclk_mhz},
    {"current_vclk", 20, u16, 1, Unit::mhz, &M::current_vclk0_mhz},
    {"current_dclk", 22, u16, 1, Unit::mhz, &M::current_dclk0_mhz},
    {"throttle_status", 44, u32, 1, Unit::count, &M::throttle_status},
};
constexpr Field system_clock_fields[] = {
    {"system_clock_counter", 0, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
};
constexpr Field indep_throttle_fields[] = {
    {"indep_throttle_status", 0, u64, 1, Unit::count, &M::indep_throttle_status},
};
constexpr Field apu_voltages[] = {
    {"average_soc_voltage", 2, u16, 1, Unit::millivolts, &M::voltage_soc_volts},
    {"average_gfx_voltage", 4, u16, 1, Unit::millivolts, &M::voltage_gfx_volts},
};

// v3.0, APUs from Strix Point on; units in smu14_driver_if_v14_0_0.h. Load is percent with every
// firmware above 0x5d4600 (smu_v14_0_0_get_smu_metrics_data); a higher value than 100 is unread.
constexpr Field v3_0_fields[] = {
    {"temperature_gfx", 4, u16, 1, Unit::centi_celsius, &M::temperature_gfx_celsius},
    {"temperature_soc", 6, u16, 1, Unit::centi_celsius, &M::temperature_soc_celsius},
    {"temperature_skin", 40, u16, 1, Unit::centi_celsius, &M::temperature_skin_celsius},
    {"average_gfx_activity", 42, u16, 1, Unit::percent, &M::average_gfx_activity_percent},
    {"system_clock_counter", 104, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
    {"average_socket_power", 112, u32, 1, Unit::milliwatts, &M::average_socket_power_watts},
    {"average_ipu_power", 116, u16, 1, Unit::milliwatts, &M::average_ipu_power_watts},
    {"average_apu_power", 120, u32, 1, Unit::milliwatts, &M::average_apu_power_watts},
    {"average_gfx_power", 124, u32, 1, Unit::milliwatts, &M::average_gfx_power_watts},
    {"average_dgpu_power", 128, u32, 1, Unit::milliwatts, &M::average_dgpu_power_watts},
    {"stapm_power_limit", 170, u16, 1, Unit::milliwatts, &M::stapm_power_limit_watts},
    {"current_stapm_power_limit", 172, u16, 1, Unit::milliwatts,
     &M::current_stapm_power_limit_watts},
    {"average_gfxclk_frequency", 174, u16, 1, Unit::mhz, &M::average_gfxclk_mhz},
    {"average_socclk_frequency", 176, u16, 1, Unit::mhz, &M::average_socclk_mhz},
    {"average_vclk_frequency", 184, u16, 1, Unit::mhz, &M::average_vclk0_mhz},
    {"average_uclk_frequency", 186, u16, 1, Unit::mhz, &M::average_uclk_mhz},
    {"current_gfx_maxfreq", 224, u16, 1, Unit::mhz, &M::current_gfxclk_limit_mhz},
    {"throttle_residency_prochot", 228, u32, 1, Unit::count, &M::prochot_residency_acc},
    {"throttle_residency_spl", 232, u32, 1, Unit::count, &M::spl_residency_acc},
    {"throttle_residency_fppt", 236, u32, 1, Unit::count, &M::fppt_residency_acc},
    {"throttle_residency_sppt", 240, u32, 1, Unit::count, &M::sppt_residency_acc},
    {"throttle_residency_thm_core", 244, u32, 1, Unit::count, &M::thm_core_residency_acc},
    {"throttle_residency_thm_gfx", 248, u32, 1, Unit::count, &M::thm_gfx_residency_acc},
    {"throttle_residency_thm_soc", 252, u32, 1, Unit::count, &M::thm_soc_residency_acc},
};

// One revision a row; each pair is the base of a segment and its fields.
// clang-format off
constexpr Layout layouts[] = {
    {1, 0, 80, {{{16, board_fields}, {0, board_clocks}, {0, v1_0_fields}}}},
    {1, 1, 96, {{{4, board_fields}, {0, board_clocks}, {0, v1_1_fields}}}},
    {1, 2, 104, {{{4, board_fields}, {0, board_clocks}, {0, v1_1_fields}, {0, v1_2_fields}}}},
    {1, 3, 120, {{{4, board_fields}, {0, board_clocks}, {0, v1_1_fields}, {0, v1_2_fields},
                  {0, v1_3_fields}}}},
    {1, 4, 288, {{{0, socket_fields}, {0, vcn_fields}, {24, energy_fields}, {44, link_fields},
                  {64, pcie_counter_fields}, {104, xgmi_fields}, {232, instance_clock_fields}}}},
    {1, 5, 360, {{{0, socket_fields}, {0, vcn_fields}, {88, energy_fields}, {108, link_fields},
                  {128, pcie_counter_fields}, {168, pcie_nak_fields}, {176, xgmi_fields},
                  {304, instance_clock_fields}}}},
    {1, 6, 1664, {{{0, socket_fields}, {16, energy_fields}, {32, residency_fields},
                   {56, link_fields}, {80, pcie_counter_fields}, {120, pcie_nak_fields},
                   {128, xgmi_fields}, {256, instance_clock_fields}, {1656, other_end_fields}}},
     {306, 312, 168, 104}},
    {1, 7, 2208, {{{0, socket_fields}, {16, mem_bandwidth_fields}, {24, energy_fields},
                   {40, residency_fields}, {64, link_fields}, {88, pcie_counter_fields},
                   {128, pcie_nak_fields}, {136, xgmi_fields}, {264, xgmi_status_fields},
                   {288, instance_clock_fields}, {2200, other_end_fields}}},
     {338, 344, 232, 104}},
    {1, 8, 3872, {{{0, socket_fields}, {16, mem_bandwidth_fields}, {24, energy_fields},
                   {40, residency_fields}, {64, link_fields}, {88, pcie_counter_fields},
                   {128, pcie_nak_fields}, {136, xgmi_fields}, {264, xgmi_status_fields},
                   {288, instance_clock_fields}, {3864, other_end_fields}}},
     {338, 344, 440, 120}},
    {2, 0, 120, {{{8, system_clock_fields}, {16, apu_temperatures}, {40, apu_centi_activity},
                  {44, apu_unclear_power}, {68, apu_clocks}}}},
    {2, 1, 120, {{{4, apu_temperatures}, {28, apu_centi_activity}, {32, system_clock_fields},
                  {40, apu_unclear_power}, {64, apu_clocks}}}},
    {2, 2, 128, {{{4, apu_temperatures}, {28, apu_unclear_activity}, {32, system_clock_fields},
                  {40, apu_unclear_power}, {46, apu_gfx_power}, {64, apu_clocks},
                  {120, indep_throttle_fields}}}},
    {2, 3, 152, {{{4, apu_temperatures}, {28, apu_unclear_activity}, {32, system_clock_fields},
                  {40, apu_power}, {46, apu_gfx_power}, {64, apu_clocks},
                  {120, indep_throttle_fields}}}},
    {2, 4, 168, {{{4, apu_temperatures}, {28, apu_unclear_activity}, {32, system_clock_fields},
                  {40, apu_power}, {46, apu_gfx_power}, {64, apu_clocks},
                  {120, indep_throttle_fields}, {152, apu_voltages}}}},
    {3, 0, 264, {{{0, v3_0_fields}}}},
};
// clang-format on

constexpr bool fits(const Layout& layout, std::size_t offset, std::size_t width,
                    std::size_t entries) {
    return offset % width == 0 && offset >= header_size && offset + width * entries <= layout.size;
}

constexpr bool partitions_fit(const Layout& layout) {
    const PartitionLayout& at = layout.partitions;
    if (at.stride == 0) return true;
    return fits(layout, at.count_offset, 2, 1) && at.stride % 8 == 0 &&
           at.busy_acc_offset + 8 * max_xccs <= at.stride &&
           fits(layout, at.base, 8, at.stride / 8 * max_partitions);
}

// All reads below rest on this: no field leaves its structure, and each is naturally aligned.
constexpr bool layouts_fit() {
    for (const Layout& layout : layouts) {
        for (const Segment& segment : layout.segments) {
            for (const Field& field : segment.fields) {
                if (!fits(layout, segment.base + std::size_t{field.offset},
                          static_cast<std::size_t>(field.type), field.entries)) {
                    return false;
                }
            }
        }
        if (!partitions_fit(layout)) return false;
    }
    return true;
}
static_assert(layouts_fit());

// The drivers run on little-endian hosts and fill in host order. All ones = not filled
// (smu_cmn_init_soft_gpu_metrics).
Counter load(std::span<const std::byte> bytes, std::size_t offset, Type type) {
    std::uint64_t value = 0;
    std::uint64_t ones = 0;
    for (std::size_t i = static_cast<std::size_t>(type); i-- > 0;) {
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[offset + i]);
        ones = ones << 8 | 0xFF;
    }
    return value == ones ? Counter{} : Counter{value};
}

// Why a value that is there cannot be used; empty if it can.
std::string_view objection(Unit unit, std::uint64_t raw) {
    if (unit == Unit::percent_or_centi && raw >= 1 && raw <= 100) {
        return "percent or hundredths of it, by firmware";
    }
    if (unit == Unit::watts_or_milliwatts && raw < 1000) return "watts or milliwatts, by firmware";
    const Scale scale = scale_of(unit);
    const double value = static_cast<double>(raw) / scale.divisor;
    return value < scale.low || value > scale.high ? "not a possible value" : "";
}

class Decoder {
  public:
    Decoder(const Layout& layout, std::span<const std::byte> bytes)
        : layout_(layout), bytes_(bytes) {}

    GpuMetrics decode() {
        metrics_.revision = std::to_string(layout_.format) + "." + std::to_string(layout_.content);
        for (const Segment& segment : layout_.segments) {
            for (const Field& field : segment.fields) decode_field(segment.base, field);
        }
        if (layout_.partitions.stride != 0) decode_partitions();
        return std::move(metrics_);
    }

  private:
    void decode_field(std::size_t base, const Field& field) {
        const std::vector<Counter> raw =
            entries(base + field.offset, field.type, field.entries, field.name, field.unit);
        std::visit([&](auto member) { assign(metrics_.*member, raw, field.unit); }, field.target);
    }

    // Usable values up to the last one.
    std::vector<Counter> entries(std::size_t offset, Type type, std::size_t count,
                                 std::string_view name, Unit unit) {
        std::vector<Counter> list;
        for (std::size_t i = 0; i < count; ++i) {
            list.push_back(usable(load(bytes_, offset + i * static_cast<std::size_t>(type), type),
                                  name, unit));
        }
        while (!list.empty() && !list.back()) list.pop_back();
        return list;
    }

    Counter usable(Counter raw, std::string_view name, Unit unit) {
        if (!raw) return raw;
        const std::string_view why = objection(unit, *raw);
        if (why.empty()) return raw;
        std::string note = std::string(name) + " " + std::to_string(*raw) + ": ";
        note += why;
        if (std::ranges::find(metrics_.unread, note) == metrics_.unread.end()) {
            metrics_.unread.push_back(std::move(note));
        }
        return std::nullopt;
    }

    static Reading scaled(Counter raw, Unit unit) {
        if (!raw) return std::nullopt;
        return static_cast<double>(*raw) / scale_of(unit).divisor;
    }

    static void assign(Counter& to, const std::vector<Counter>& raw, Unit) {
        if (!raw.empty()) to = *std::ranges::max_element(raw);
    }
    static void assign(Reading& to, const std::vector<Counter>& raw, Unit unit) {
        if (!raw.empty()) to = scaled(*std::ranges::max_element(raw), unit);
    }
    static void assign(std::vector<Counter>& to, const std::vector<Counter>& raw, Unit) {
        to = raw;
    }
    static void assign(std::vector<Reading>& to, const std::vector<Counter>& raw, Unit unit) {
        for (const Counter& value : raw) to.push_back(scaled(value, unit));
    }

    void decode_partitions() {
        const PartitionLayout& at = layout_.partitions;
        const Counter count = load(bytes_, at.count_offset, u16);
        if (!count) return;
        if (*count > max_partitions) {
            metrics_.unread.push_back("num_partition " + std::to_string(*count) +
                                      ": not a possible value");
            return;
        }
        for (std::size_t i = 0; i < *count; ++i) {
            const std::size_t base = at.base + i * at.stride;
            PartitionMetrics partition;
            assign(partition.gfx_busy_percent,
                   entries(base, u32, max_xccs, "gfx_busy_inst", Unit::percent), Unit::percent);
            partition.gfx_busy_acc =
                entries(base + at.busy_acc_offset, u64, max_xccs, "gfx_busy_acc", Unit::count);
            metrics_.partitions.push_back(std::move(partition));
        }
    }

    const Layout& layout_;
    std::span<const std::byte> bytes_;
    GpuMetrics metrics_;
};

struct ThrottleBit {
    unsigned bit;
    std::string_view name;
};

// SMU_THROTTLER_*_BIT in drivers/gpu/drm/amd/pm/swsmu/inc/amdgpu_smu.h.
constexpr ThrottleBit throttle_bits[] = {
    {0, "PPT0"},          {1, "PPT1"},          {2, "PPT2"},          {3, "PPT3"},
    {4, "SPL"},           {5, "FPPT"},          {6, "SPPT"},          {7, "SPPT_APU"},
    {16, "TDC_GFX"},      {17, "TDC_SOC"},      {18, "TDC_MEM"},      {19, "TDC_VDD"},
    {20, "TDC_CVIP"},     {21, "EDC_CPU"},      {22, "EDC_GFX"},      {23, "APCC"},
    {32, "TEMP_GPU"},     {33, "TEMP_CORE"},    {34, "TEMP_MEM"},     {35, "TEMP_EDGE"},
    {36, "TEMP_HOTSPOT"}, {37, "TEMP_SOC"},     {38, "TEMP_VR_GFX"},  {39, "TEMP_VR_SOC"},
    {40, "TEMP_VR_MEM0"}, {41, "TEMP_VR_MEM1"}, {42, "TEMP_LIQUID0"}, {43, "TEMP_LIQUID1"},
    {44, "VRHOT0"},       {45, "VRHOT1"},       {46, "PROCHOT_CPU"},  {47, "PROCHOT_GFX"},
    {56, "PPM"},          {57, "FIT"},
};

const Layout* find_layout(unsigned format, unsigned content) {
    const auto* found = std::ranges::find_if(layouts, [&](const Layout& layout) {
        return layout.format == format && layout.content == content;
    });
    return found == std::end(layouts) ? nullptr : found;
}

GpuMetricsResult refused(std::string reason) {
    return {std::nullopt, std::move(reason)};
}

}  // namespace

GpuMetricsResult decode_gpu_metrics(std::span<const std::byte> bytes) {
    if (bytes.size() < header_size) {
        return refused("gpu_metrics has " + std::to_string(bytes.size()) +
                       " bytes, its header alone has " + std::to_string(header_size));
    }
    // struct metrics_table_header: u16 structure_size, u8 format_revision, u8 content_revision.
    const unsigned size = std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1])
                                                                    << 8;
    const auto format = std::to_integer<unsigned>(bytes[2]);
    const auto content = std::to_integer<unsigned>(bytes[3]);
    const std::string name =
        "gpu_metrics v" + std::to_string(format) + "." + std::to_string(content);
    const Layout* layout = find_layout(format, content);
    if (layout == nullptr) return refused(name + " is not known to this version");
    const std::string expected = " bytes, expected " + std::to_string(layout->size);
    if (size != layout->size) return refused(name + " has " + std::to_string(size) + expected);
    if (bytes.size() < layout->size) {
        return refused(name + " is cut off after " + std::to_string(bytes.size()) + expected);
    }
    return {Decoder(*layout, bytes).decode(), ""};
}

std::vector<std::string_view> throttle_reasons(std::uint64_t indep_status) {
    std::vector<std::string_view> names;
    for (const auto& [bit, name] : throttle_bits) {
        if (indep_status >> bit & 1) names.push_back(name);
    }
    return names;
}

}  // namespace rocmtune
