// SPDX-License-Identifier: MIT
#include "../../src/probe/gpu_metrics.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rocmtune {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// The structures as the compiler lays them out: an independent source for the decoder's offsets.
// Order and types as in drivers/gpu/drm/amd/include/kgd_pp_interface.h.
struct Header {
    u16 structure_size;
    u8 format_revision, content_revision;
};

struct V1_0 {
    Header header;
    u64 system_clock;
    u16 edge, hotspot, mem, vrgfx, vrsoc, vrmem, gfx_busy, umc_busy, mm_busy, power;
    u32 energy;
    u16 avg_gfx, avg_soc, avg_u, avg_v0, avg_d0, avg_v1, avg_d1;
    u16 cur_gfx, cur_soc, cur_u, cur_v0, cur_d0, cur_v1, cur_d1;
    u32 throttle;
    u16 fan;
    u8 pcie_width, pcie_speed;
};

struct V1_1 {
    Header header;
    u16 edge, hotspot, mem, vrgfx, vrsoc, vrmem, gfx_busy, umc_busy, mm_busy, power;
    u64 energy, system_clock;
    u16 avg_gfx, avg_soc, avg_u, avg_v0, avg_d0, avg_v1, avg_d1;
    u16 cur_gfx, cur_soc, cur_u, cur_v0, cur_d0, cur_v1, cur_d1;
    u32 throttle;
    u16 fan, pcie_width, pcie_speed, padding;
    u32 gfx_acc, mem_acc;
    u16 hbm[4];
};

struct V1_2 : V1_1 {
    u64 firmware_clock;
};

struct V1_3 : V1_2 {
    u16 volt_soc, volt_gfx, volt_mem, padding1;
    u64 indep_throttle;
};

struct V1_4 {
    Header header;
    u16 hotspot, mem, vrsoc, power, gfx_busy, umc_busy, vcn[4];
    u64 energy, system_clock;
    u32 throttle, lock;
    u16 pcie_width, pcie_speed, xgmi_width, xgmi_speed;
    u32 gfx_acc, mem_acc;
    u64 pcie_bw_acc, pcie_bw, l0_to_recov, replay, rover, xgmi_read[8], xgmi_write[8];
    u64 firmware_clock;
    u16 cur_gfx[8], cur_soc[4], cur_v0[4], cur_d0[4], cur_u, padding;
};

struct V1_5 {
    Header header;
    u16 hotspot, mem, vrsoc, power, gfx_busy, umc_busy, vcn[4], jpeg[32];
    u64 energy, system_clock;
    u32 throttle, lock;
    u16 pcie_width, pcie_speed, xgmi_width, xgmi_speed;
    u32 gfx_acc, mem_acc;
    u64 pcie_bw_acc, pcie_bw, l0_to_recov, replay, rover;
    u32 nak_sent, nak_rcvd;
    u64 xgmi_read[8], xgmi_write[8], firmware_clock;
    u16 cur_gfx[8], cur_soc[4], cur_v0[4], cur_d0[4], cur_u, padding;
};

struct Xcp1_0 {
    u32 busy[8];
    u16 jpeg[32], vcn[4];
    u64 busy_acc[8];
};

struct Xcp1_1 {
    u32 busy[8];
    u16 jpeg[32], vcn[4];
    u64 busy_acc[8], below_host_limit[8];
};

struct Xcp1_2 {
    u32 busy[8];
    u16 jpeg[40], vcn[4];
    u64 busy_acc[8], below_ppt[8], below_thm[8], low_utilization[8], below_total[8];
};

struct V1_6 {
    Header header;
    u16 hotspot, mem, vrsoc, power, gfx_busy, umc_busy;
    u64 energy, system_clock;
    u32 accumulation, prochot, ppt, socket_thm, vr_thm, hbm_thm, lock;
    u16 pcie_width, pcie_speed, xgmi_width, xgmi_speed;
    u32 gfx_acc, mem_acc;
    u64 pcie_bw_acc, pcie_bw, l0_to_recov, replay, rover;
    u32 nak_sent, nak_rcvd;
    u64 xgmi_read[8], xgmi_write[8], firmware_clock;
    u16 cur_gfx[8], cur_soc[4], cur_v0[4], cur_d0[4], cur_u, num_partition;
    Xcp1_0 xcp[8];
    u32 other_end;
};

template <class Xcp>
struct V1_7Or8 {
    Header header;
    u16 hotspot, mem, vrsoc, power, gfx_busy, umc_busy;
    u64 mem_bandwidth, energy, system_clock;
    u32 accumulation, prochot, ppt, socket_thm, vr_thm, hbm_thm, lock;
    u16 pcie_width, pcie_speed, xgmi_width, xgmi_speed;
    u32 gfx_acc, mem_acc;
    u64 pcie_bw_acc, pcie_bw, l0_to_recov, replay, rover;
    u32 nak_sent, nak_rcvd;
    u64 xgmi_read[8], xgmi_write[8];
    u16 xgmi_status[8], padding;
    u64 firmware_clock;
    u16 cur_gfx[8], cur_soc[4], cur_v0[4], cur_d0[4], cur_u, num_partition;
    Xcp xcp[8];
    u32 other_end;
};
using V1_7 = V1_7Or8<Xcp1_1>;
using V1_8 = V1_7Or8<Xcp1_2>;

struct V2_0 {
    Header header;
    u64 system_clock;
    u16 gfx, soc, core[8], l3[2], gfx_busy, mm_busy;
    u16 power, cpu_power, soc_power, gfx_power, core_power[8];
    u16 avg_gfx, avg_soc, avg_u, avg_f, avg_v, avg_d;
    u16 cur_gfx, cur_soc, cur_u, cur_f, cur_v, cur_d, cur_core[8], cur_l3[2];
    u32 throttle;
    u16 fan_pwm, padding;
};

struct V2_1 {
    Header header;
    u16 gfx, soc, core[8], l3[2], gfx_busy, mm_busy;
    u64 system_clock;
    u16 power, cpu_power, soc_power, gfx_power, core_power[8];
    u16 avg_gfx, avg_soc, avg_u, avg_f, avg_v, avg_d;
    u16 cur_gfx, cur_soc, cur_u, cur_f, cur_v, cur_d, cur_core[8], cur_l3[2];
    u32 throttle;
    u16 fan_pwm, padding[3];
};

struct V2_2 : V2_1 {
    u64 indep_throttle;
};

struct V2_3 : V2_2 {
    u16 avg_temp_gfx, avg_temp_soc, avg_temp_core[8], avg_temp_l3[2];
};

struct V2_4 : V2_3 {
    u16 cpu_volt, soc_volt, gfx_volt, cpu_current, soc_current, gfx_current;
};

struct V3_0 {
    Header header;
    u16 gfx, soc, core[16], skin, gfx_busy, vcn_busy, ipu_busy[8], core_c0[16];
    u16 dram_reads, dram_writes, ipu_reads, ipu_writes;
    u64 system_clock;
    u32 power;
    u16 ipu_power;
    u32 apu_power, gfx_power, dgpu_power, all_core_power;
    u16 core_power[16], sys_power, stapm, current_stapm;
    u16 avg_gfx, avg_soc, avg_vpe, avg_ipu, avg_f, avg_v, avg_u, avg_mpipu;
    u16 cur_core[16], core_max, gfx_max;
    u32 prochot, spl, fppt, sppt, thm_core, thm_gfx, thm_soc, alpha;
};

static_assert(sizeof(V1_0) == 80);
static_assert(sizeof(V1_1) == 96);
static_assert(sizeof(V1_2) == 104);
static_assert(sizeof(V1_3) == 120);
static_assert(sizeof(V1_4) == 288);
static_assert(sizeof(V1_5) == 360);
static_assert(sizeof(V1_6) == 1664);
static_assert(sizeof(V1_7) == 2208);
static_assert(sizeof(V1_8) == 3872);
static_assert(sizeof(V2_0) == 120);
static_assert(sizeof(V2_1) == 120);
static_assert(sizeof(V2_2) == 128);
static_assert(sizeof(V2_3) == 152);
static_assert(sizeof(V2_4) == 168);
static_assert(sizeof(V3_0) == 264);

// As the driver starts: all ones, then the header (smu_cmn_init_soft_gpu_metrics).
template <class Struct>
Struct unfilled(u8 format, u8 content) {
    Struct s;
    std::memset(static_cast<void*>(&s), 0xFF, sizeof s);
    const Header header{static_cast<u16>(sizeof s), format, content};
    std::memcpy(static_cast<void*>(&s), &header, sizeof header);
    return s;
}

template <class Struct>
std::span<const std::byte> bytes_of(const Struct& s) {
    return std::as_bytes(std::span(&s, 1));
}

template <class Struct>
GpuMetrics decoded(const Struct& s) {
    const GpuMetricsResult result = decode_gpu_metrics(bytes_of(s));
    EXPECT_EQ(result.reason, "");
    return result.metrics.value_or(GpuMetrics{});
}

std::vector<std::byte> header_only(u16 size, u8 format, u8 content, std::size_t length) {
    std::vector<std::byte> bytes(std::max<std::size_t>(length, 4));
    const Header header{size, format, content};
    std::memcpy(bytes.data(), &header, sizeof header);
    bytes.resize(length);
    return bytes;
}

std::string reason_for(const std::vector<std::byte>& bytes) {
    const GpuMetricsResult result = decode_gpu_metrics(bytes);
    EXPECT_FALSE(result.metrics.has_value());
    return result.reason;
}

struct Revision {
    u8 format, content;
    u16 size;
};

constexpr Revision known_revisions[] = {
    {1, 0, 80},  {1, 1, 96},   {1, 2, 104},  {1, 3, 120},  {1, 4, 288},
    {1, 5, 360}, {1, 6, 1664}, {1, 7, 2208}, {1, 8, 3872}, {2, 0, 120},
    {2, 1, 120}, {2, 2, 128},  {2, 3, 152},  {2, 4, 168},  {3, 0, 264},
};

std::string name_of(const testing::TestParamInfo<Revision>& info) {
    return "v" + std::to_string(info.param.format) + "_" + std::to_string(info.param.content);
}

class GpuMetricsRevision : public testing::TestWithParam<Revision> {};
INSTANTIATE_TEST_SUITE_P(All, GpuMetricsRevision, testing::ValuesIn(known_revisions), name_of);

TEST_P(GpuMetricsRevision, a_file_that_the_driver_did_not_fill_has_no_values) {
    const auto [format, content, size] = GetParam();
    std::vector<std::byte> bytes = header_only(size, format, content, size);
    std::fill(bytes.begin() + 4, bytes.end(), std::byte{0xFF});
    GpuMetrics nothing;
    nothing.revision = std::to_string(format) + "." + std::to_string(content);
    const GpuMetricsResult result = decode_gpu_metrics(bytes);
    ASSERT_TRUE(result.metrics.has_value()) << result.reason;
    EXPECT_EQ(*result.metrics, nothing);
}

TEST_P(GpuMetricsRevision, bytes_after_the_structure_change_nothing) {
    const auto [format, content, size] = GetParam();
    const auto exact = decode_gpu_metrics(header_only(size, format, content, size));
    const auto padded = decode_gpu_metrics(header_only(size, format, content, 4095));
    ASSERT_TRUE(exact.metrics.has_value());
    EXPECT_EQ(exact.metrics, padded.metrics);
}

TEST_P(GpuMetricsRevision, a_file_one_byte_short_is_not_read) {
    const auto [format, content, size] = GetParam();
    EXPECT_NE(reason_for(header_only(size, format, content, size - 1u)).find("is cut off after"),
              std::string::npos);
}

TEST_P(GpuMetricsRevision, another_structure_size_is_not_read) {
    const auto [format, content, size] = GetParam();
    for (const u16 wrong : {static_cast<u16>(size - 8), static_cast<u16>(size + 8)}) {
        EXPECT_NE(reason_for(header_only(wrong, format, content, 4095)).find(", expected "),
                  std::string::npos);
    }
}

TEST(GpuMetrics, a_header_with_an_unknown_revision_is_not_read) {
    EXPECT_EQ(reason_for(header_only(24, 1, 10, 4095)),
              "gpu_metrics v1.10 is not known to this version");
    EXPECT_EQ(reason_for(header_only(264, 3, 1, 264)),
              "gpu_metrics v3.1 is not known to this version");
    EXPECT_EQ(reason_for(header_only(0, 0, 0, 120)),
              "gpu_metrics v0.0 is not known to this version");
}

TEST(GpuMetrics, the_reason_names_both_sizes) {
    EXPECT_EQ(reason_for(header_only(112, 1, 3, 120)),
              "gpu_metrics v1.3 has 112 bytes, expected 120");
    EXPECT_EQ(reason_for(header_only(120, 1, 3, 100)),
              "gpu_metrics v1.3 is cut off after 100 bytes, expected 120");
}

TEST(GpuMetrics, a_file_shorter_than_its_header_is_not_read) {
    EXPECT_EQ(reason_for({}), "gpu_metrics has 0 bytes, its header alone has 4");
    EXPECT_EQ(reason_for(header_only(120, 1, 3, 3)),
              "gpu_metrics has 3 bytes, its header alone has 4");
}

TEST(GpuMetrics, the_first_v1_6_of_linux_with_another_size_is_not_read) {
    EXPECT_EQ(reason_for(header_only(384, 1, 6, 384)),
              "gpu_metrics v1.6 has 384 bytes, expected 1664");
}

template <class Struct>
Struct filled_board(u8 content) {
    auto s = unfilled<Struct>(1, content);
    s.system_clock = 533474291244;
    s.edge = 56, s.hotspot = 59, s.mem = 54, s.vrgfx = 49, s.vrsoc = 48, s.vrmem = 51;
    s.gfx_busy = 3, s.umc_busy = 7, s.mm_busy = 0, s.power = 36, s.energy = 17691682;
    s.avg_gfx = 41, s.avg_soc = 42, s.avg_u = 993, s.avg_v0 = 33, s.avg_d0 = 34;
    s.cur_gfx = 500, s.cur_soc = 800, s.cur_u = 1000, s.cur_v0 = 21, s.cur_d0 = 22;
    s.throttle = 0x80000001, s.fan = 1234, s.pcie_width = 16, s.pcie_speed = 160;
    return s;
}

GpuMetrics expected_board(u8 content) {
    GpuMetrics m;
    m.revision = "1." + std::to_string(content);
    m.system_clock_seconds = 533.474291244;
    m.temperature_edge_celsius = 56;
    m.temperature_hotspot_celsius = 59;
    m.temperature_mem_celsius = 54;
    m.temperature_vrgfx_celsius = 49;
    m.temperature_vrsoc_celsius = 48;
    m.temperature_vrmem_celsius = 51;
    m.average_gfx_activity_percent = 3;
    m.average_umc_activity_percent = 7;
    m.average_mm_activity_percent = 0;
    m.average_socket_power_watts = 36;
    m.energy_accumulator = 17691682;
    m.average_gfxclk_mhz = 41;
    m.average_socclk_mhz = 42;
    m.average_uclk_mhz = 993;
    m.average_vclk0_mhz = 33;
    m.average_dclk0_mhz = 34;
    m.current_gfxclk_mhz = 500;
    m.current_socclk_mhz = 800;
    m.current_uclk_mhz = 1000;
    m.current_vclk0_mhz = 21;
    m.current_dclk0_mhz = 22;
    m.throttle_status = 0x80000001;
    m.fan_rpm = 1234;
    m.pcie_link_width = 16;
    m.pcie_link_speed_gt_per_s = 16;
    return m;
}

template <class Struct>
void fill_v1_1_part(Struct& s, GpuMetrics& m) {
    s.energy = 0x123456789A;
    s.gfx_acc = 71, s.mem_acc = 72, s.hbm[0] = 61, s.hbm[2] = 63;
    m.energy_accumulator = 0x123456789A;
    m.gfx_activity_acc = 71;
    m.mem_activity_acc = 72;
    m.temperature_hbm_celsius = {61.0, std::nullopt, 63.0};
}

TEST(GpuMetrics, v1_0_is_decoded_field_by_field) {
    EXPECT_EQ(decoded(filled_board<V1_0>(0)), expected_board(0));
}

TEST(GpuMetrics, v1_1_is_decoded_field_by_field) {
    auto s = filled_board<V1_1>(1);
    GpuMetrics m = expected_board(1);
    fill_v1_1_part(s, m);
    EXPECT_EQ(decoded(s), m);
}

TEST(GpuMetrics, v1_2_is_decoded_field_by_field) {
    auto s = filled_board<V1_2>(2);
    GpuMetrics m = expected_board(2);
    fill_v1_1_part(s, m);
    s.firmware_clock = 250000000;
    m.firmware_timestamp_seconds = 2.5;
    EXPECT_EQ(decoded(s), m);
}

TEST(GpuMetrics, v1_3_is_decoded_field_by_field) {
    auto s = filled_board<V1_3>(3);
    GpuMetrics m = expected_board(3);
    fill_v1_1_part(s, m);
    s.firmware_clock = 250000000;
    s.volt_soc = 818, s.volt_gfx = 775, s.volt_mem = 1356, s.indep_throttle = u64{1} << 36 | 1;
    m.firmware_timestamp_seconds = 2.5;
    m.voltage_soc_volts = 0.818;
    m.voltage_gfx_volts = 0.775;
    m.voltage_mem_volts = 1.356;
    m.indep_throttle_status = u64{1} << 36 | 1;
    EXPECT_EQ(decoded(s), m);
}

template <class Struct>
Struct filled_socket(u8 content) {
    auto s = unfilled<Struct>(1, content);
    s.hotspot = 61, s.mem = 52, s.vrsoc = 70, s.power = 745, s.gfx_busy = 99, s.umc_busy = 35;
    s.energy = 65536 * 7 + 32768, s.system_clock = 1500000000, s.lock = 0xFE;
    s.pcie_width = 16, s.pcie_speed = 320, s.xgmi_width = 15, s.xgmi_speed = 32;
    s.gfx_acc = 101, s.mem_acc = 102;
    s.pcie_bw_acc = 103, s.pcie_bw = 104, s.l0_to_recov = 105, s.replay = 106, s.rover = 107;
    for (unsigned i = 0; i < 8; ++i) s.xgmi_read[i] = 200 + i, s.xgmi_write[i] = 300 + i;
    s.xgmi_read[0] = ~u64{0};  // no link to itself
    s.firmware_clock = 1;
    s.cur_gfx[0] = 2100, s.cur_gfx[1] = 2000, s.cur_gfx[3] = 2050;
    s.cur_soc[0] = 900, s.cur_soc[1] = 1000, s.cur_v0[3] = 801, s.cur_d0[2] = 802, s.cur_u = 1300;
    return s;
}

GpuMetrics expected_socket(u8 content) {
    GpuMetrics m;
    m.revision = "1." + std::to_string(content);
    m.temperature_hotspot_celsius = 61;
    m.temperature_mem_celsius = 52;
    m.temperature_vrsoc_celsius = 70;
    m.current_socket_power_watts = 745;
    m.average_gfx_activity_percent = 99;
    m.average_umc_activity_percent = 35;
    m.energy_accumulator = 491520;
    m.energy_joules = 7.5;
    m.system_clock_seconds = 1.5;
    m.gfxclk_lock_status = 0xFE;
    m.pcie_link_width = 16;
    m.pcie_link_speed_gt_per_s = 32;
    m.xgmi_link_width = 15;
    m.xgmi_link_speed_gbps = 32;
    m.gfx_activity_acc = 101;
    m.mem_activity_acc = 102;
    m.pcie_bandwidth_acc = 103;
    m.pcie_bandwidth_inst = 104;
    m.pcie_l0_to_recov_count_acc = 105;
    m.pcie_replay_count_acc = 106;
    m.pcie_replay_rover_count_acc = 107;
    m.xgmi_read_data_acc_kb = {std::nullopt, 201, 202, 203, 204, 205, 206, 207};
    m.xgmi_write_data_acc_kb = {300, 301, 302, 303, 304, 305, 306, 307};
    m.firmware_timestamp_seconds = 1e-8;
    m.current_gfxclk_mhz = 2100;
    m.current_gfxclk_mhz_by_xcc = {2100.0, 2000.0, std::nullopt, 2050.0};
    m.current_socclk_mhz = 1000;
    m.current_vclk0_mhz = 801;
    m.current_dclk0_mhz = 802;
    m.current_uclk_mhz = 1300;
    return m;
}

template <class Struct>
void fill_nak(Struct& s, GpuMetrics& m) {
    s.nak_sent = 108, s.nak_rcvd = 109;
    m.pcie_nak_sent_count_acc = 108;
    m.pcie_nak_rcvd_count_acc = 109;
}

template <class Struct>
void fill_residencies_and_partitions(Struct& s, GpuMetrics& m) {
    s.accumulation = 1000, s.prochot = 1, s.ppt = 2, s.socket_thm = 3, s.vr_thm = 4, s.hbm_thm = 5;
    s.num_partition = 2, s.other_end = 110;
    s.xcp[0].busy[0] = 11, s.xcp[0].busy[1] = 12, s.xcp[1].busy[0] = 13;
    s.xcp[0].busy_acc[0] = 14, s.xcp[0].busy_acc[1] = 15, s.xcp[1].busy_acc[7] = 16;
    s.xcp[2].busy[0] = 99;  // beyond num_partition
    m.accumulation_counter = 1000;
    m.prochot_residency_acc = 1;
    m.ppt_residency_acc = 2;
    m.socket_thm_residency_acc = 3;
    m.vr_thm_residency_acc = 4;
    m.hbm_thm_residency_acc = 5;
    m.pcie_lc_perf_other_end_recovery = 110;
    std::vector<Counter> last(7);
    last.push_back(16);
    m.partitions = {{{11.0, 12.0}, {14, 15}}, {{13.0}, last}};
}

template <class Struct>
void fill_mem_bandwidth_and_link_status(Struct& s, GpuMetrics& m) {
    s.mem_bandwidth = 5325;
    s.xgmi_status[1] = 1, s.xgmi_status[2] = 0, s.xgmi_status[7] = 1;
    m.mem_max_bandwidth_gb_per_s = 5325;
    m.xgmi_link_status = {std::nullopt, 1, 0, std::nullopt, std::nullopt, std::nullopt,
                          std::nullopt, 1};
}

TEST(GpuMetrics, v1_4_is_decoded_field_by_field_without_the_constant_throttle_status) {
    auto s = filled_socket<V1_4>(4);
    GpuMetrics m = expected_socket(4);
    s.throttle = 0, s.vcn[0] = 5, s.vcn[3] = 45;
    m.average_mm_activity_percent = 45;
    EXPECT_EQ(decoded(s), m);
}

TEST(GpuMetrics, v1_5_is_decoded_field_by_field_without_the_constant_throttle_status) {
    auto s = filled_socket<V1_5>(5);
    GpuMetrics m = expected_socket(5);
    s.throttle = 0, s.vcn[0] = 5, s.vcn[3] = 45;
    m.average_mm_activity_percent = 45;
    fill_nak(s, m);
    EXPECT_EQ(decoded(s), m);
}

TEST(GpuMetrics, v1_6_is_decoded_field_by_field) {
    auto s = filled_socket<V1_6>(6);
    GpuMetrics m = expected_socket(6);
    fill_nak(s, m);
    fill_residencies_and_partitions(s, m);
    EXPECT_EQ(decoded(s), m);
}

template <class Struct>
void expect_v1_7_or_8(u8 content) {
    auto s = filled_socket<Struct>(content);
    GpuMetrics m = expected_socket(content);
    fill_nak(s, m);
    fill_residencies_and_partitions(s, m);
    fill_mem_bandwidth_and_link_status(s, m);
    EXPECT_EQ(decoded(s), m);
}

TEST(GpuMetrics, v1_7_is_decoded_field_by_field) {
    expect_v1_7_or_8<V1_7>(7);
}

TEST(GpuMetrics, v1_8_is_decoded_field_by_field) {
    expect_v1_7_or_8<V1_8>(8);
}

template <class Struct>
Struct filled_apu(u8 content) {
    auto s = unfilled<Struct>(2, content);
    s.system_clock = 2000000000, s.gfx = 5649, s.soc = 5137, s.gfx_busy = 9950, s.mm_busy = 0;
    s.power = 15401, s.cpu_power = 7001, s.soc_power = 7002, s.gfx_power = 7003;
    s.avg_gfx = 1, s.avg_soc = 2, s.avg_u = 3, s.avg_f = 4, s.avg_v = 5, s.avg_d = 6;
    s.cur_gfx = 7, s.cur_soc = 8, s.cur_u = 9, s.cur_f = 10, s.cur_v = 11, s.cur_d = 12;
    s.throttle = 0x400;
    return s;
}

GpuMetrics expected_apu(u8 content) {
    GpuMetrics m;
    m.revision = "2." + std::to_string(content);
    m.system_clock_seconds = 2;
    m.temperature_gfx_celsius = 56.49;
    m.temperature_soc_celsius = 51.37;
    m.average_gfx_activity_percent = 99.5;
    m.average_mm_activity_percent = 0;
    m.average_socket_power_watts = 15.401;
    m.average_cpu_power_watts = 7.001;
    m.average_gfxclk_mhz = 1;
    m.average_socclk_mhz = 2;
    m.average_uclk_mhz = 3;
    m.average_vclk0_mhz = 5;
    m.average_dclk0_mhz = 6;
    m.current_gfxclk_mhz = 7;
    m.current_socclk_mhz = 8;
    m.current_uclk_mhz = 9;
    m.current_vclk0_mhz = 11;
    m.current_dclk0_mhz = 12;
    m.throttle_status = 0x400;
    return m;
}

template <class Struct>
void expect_v2_2_or_later(u8 content, const auto& fill_more) {
    auto s = filled_apu<Struct>(content);
    GpuMetrics m = expected_apu(content);
    s.indep_throttle = 0x20;
    m.indep_throttle_status = 0x20;
    m.average_gfx_power_watts = 7.003;
    fill_more(s, m);
    EXPECT_EQ(decoded(s), m);
}

TEST(GpuMetrics, v2_0_is_decoded_field_by_field) {
    EXPECT_EQ(decoded(filled_apu<V2_0>(0)), expected_apu(0));
}

TEST(GpuMetrics, v2_1_is_decoded_field_by_field) {
    EXPECT_EQ(decoded(filled_apu<V2_1>(1)), expected_apu(1));
}

TEST(GpuMetrics, v2_2_is_decoded_field_by_field) {
    expect_v2_2_or_later<V2_2>(2, [](auto&, auto&) {});
}

TEST(GpuMetrics, v2_3_is_decoded_field_by_field) {
    expect_v2_2_or_later<V2_3>(3, [](auto&, auto&) {});
}

TEST(GpuMetrics, v2_4_is_decoded_field_by_field) {
    expect_v2_2_or_later<V2_4>(4, [](V2_4& s, GpuMetrics& m) {
        s.cpu_volt = 1001, s.soc_volt = 1002, s.gfx_volt = 1003;
        m.voltage_soc_volts = 1.002;
        m.voltage_gfx_volts = 1.003;
    });
}

TEST(GpuMetrics, v3_0_is_decoded_field_by_field) {
    auto s = unfilled<V3_0>(3, 0);
    s.gfx = 3812, s.soc = 4062, s.skin = 3598, s.gfx_busy = 3, s.system_clock = 3000000000;
    s.power = 120001, s.ipu_power = 502, s.apu_power = 80003, s.gfx_power = 70004;
    s.dgpu_power = 5, s.stapm = 28000, s.current_stapm = 27000;
    s.avg_gfx = 849, s.avg_soc = 628, s.avg_v = 800, s.avg_u = 836, s.gfx_max = 2900;
    s.prochot = 21, s.spl = 22, s.fppt = 23, s.sppt = 24;
    s.thm_core = 25, s.thm_gfx = 26, s.thm_soc = 27;
    GpuMetrics m;
    m.revision = "3.0";
    m.temperature_gfx_celsius = 38.12;
    m.temperature_soc_celsius = 40.62;
    m.temperature_skin_celsius = 35.98;
    m.average_gfx_activity_percent = 3;
    m.system_clock_seconds = 3;
    m.average_socket_power_watts = 120.001;
    m.average_ipu_power_watts = 0.502;
    m.average_apu_power_watts = 80.003;
    m.average_gfx_power_watts = 70.004;
    m.average_dgpu_power_watts = 0.005;
    m.stapm_power_limit_watts = 28;
    m.current_stapm_power_limit_watts = 27;
    m.average_gfxclk_mhz = 849;
    m.average_socclk_mhz = 628;
    m.average_vclk0_mhz = 800;
    m.average_uclk_mhz = 836;
    m.current_gfxclk_limit_mhz = 2900;
    m.prochot_residency_acc = 21;
    m.spl_residency_acc = 22;
    m.fppt_residency_acc = 23;
    m.sppt_residency_acc = 24;
    m.thm_core_residency_acc = 25;
    m.thm_gfx_residency_acc = 26;
    m.thm_soc_residency_acc = 27;
    EXPECT_EQ(decoded(s), m);
}

TEST(GpuMetrics, all_ones_is_judged_by_the_width_of_the_field) {
    auto s = unfilled<V1_0>(1, 0);
    s.pcie_width = 16, s.pcie_speed = 0xFF, s.energy = 0xFFFF, s.throttle = 0xFFFF;
    const GpuMetrics m = decoded(s);
    EXPECT_EQ(m.pcie_link_width, 16);
    EXPECT_EQ(m.pcie_link_speed_gt_per_s, std::nullopt);
    EXPECT_EQ(m.energy_accumulator, 0xFFFF);
    EXPECT_EQ(m.throttle_status, 0xFFFF);
}

TEST(GpuMetrics, renoirs_watts_or_milliwatts_are_not_guessed) {
    auto s = unfilled<V2_2>(2, 2);
    s.power = 15;
    EXPECT_EQ(decoded(s).average_socket_power_watts, std::nullopt);
    EXPECT_EQ(decoded(s).unread, std::vector<std::string>{
                                     "average_socket_power 15: watts or milliwatts, by firmware"});
    s.power = 1000;
    EXPECT_EQ(decoded(s).average_socket_power_watts, 1);
}

TEST(GpuMetrics, van_goghs_low_milliwatts_are_read) {
    auto s = unfilled<V2_3>(2, 3);
    s.power = 800;
    EXPECT_EQ(decoded(s).average_socket_power_watts, 0.8);
}

TEST(GpuMetrics, van_goghs_percent_or_hundredths_are_not_guessed) {
    auto s = unfilled<V2_4>(2, 4);
    s.gfx_busy = 50;
    EXPECT_EQ(decoded(s).average_gfx_activity_percent, std::nullopt);
    EXPECT_EQ(decoded(s).unread,
              std::vector<std::string>{
                  "average_gfx_activity 50: percent or hundredths of it, by firmware"});
    s.gfx_busy = 101;
    EXPECT_EQ(decoded(s).average_gfx_activity_percent, 1.01);
    s.gfx_busy = 0;
    EXPECT_EQ(decoded(s).average_gfx_activity_percent, 0);
}

TEST(GpuMetrics, a_load_above_100_percent_is_unread) {
    auto s = unfilled<V1_3>(1, 3);
    s.gfx_busy = 101, s.umc_busy = 100;
    const GpuMetrics m = decoded(s);
    EXPECT_EQ(m.average_gfx_activity_percent, std::nullopt);
    EXPECT_EQ(m.average_umc_activity_percent, 100);
    EXPECT_EQ(m.unread, std::vector<std::string>{"average_gfx_activity 101: not a possible value"});
}

TEST(GpuMetrics, a_second_die_without_power_sensor_has_no_power_instead_of_zero) {
    auto s = unfilled<V1_3>(1, 3);
    s.power = 0, s.energy = 0;
    const GpuMetrics m = decoded(s);
    EXPECT_EQ(m.average_socket_power_watts, std::nullopt);
    EXPECT_EQ(m.energy_accumulator, std::nullopt);
    EXPECT_EQ(m.unread.size(), 2u);
}

TEST(GpuMetrics, a_negative_temperature_is_not_reported_as_a_huge_one) {
    auto s = unfilled<V1_3>(1, 3);
    s.edge = static_cast<u16>(-6);
    EXPECT_EQ(decoded(s).temperature_edge_celsius, std::nullopt);
}

TEST(GpuMetrics, a_link_without_lanes_or_speed_is_unread) {
    auto s = unfilled<V1_4>(1, 4);
    s.pcie_width = 0, s.pcie_speed = 0;
    const GpuMetrics m = decoded(s);
    EXPECT_EQ(m.pcie_link_width, std::nullopt);
    EXPECT_EQ(m.pcie_link_speed_gt_per_s, std::nullopt);
}

TEST(GpuMetrics, more_partitions_than_the_structure_holds_are_unread) {
    auto s = unfilled<V1_8>(1, 8);
    s.num_partition = 9;
    const GpuMetrics m = decoded(s);
    EXPECT_TRUE(m.partitions.empty());
    EXPECT_EQ(m.unread, std::vector<std::string>{"num_partition 9: not a possible value"});
}

TEST(GpuMetrics, all_eight_partitions_are_read) {
    auto s = unfilled<V1_8>(1, 8);
    s.num_partition = 8;
    for (unsigned i = 0; i < 8; ++i) s.xcp[i].busy[0] = i, s.xcp[i].busy_acc[0] = 10 * i;
    const GpuMetrics m = decoded(s);
    ASSERT_EQ(m.partitions.size(), 8u);
    EXPECT_EQ(m.partitions[7].gfx_busy_percent, std::vector<Reading>{7.0});
    EXPECT_EQ(m.partitions[7].gfx_busy_acc, std::vector<Counter>{70});
}

TEST(GpuMetrics, throttle_bits_have_the_kernels_names) {
    using Names = std::vector<std::string_view>;
    EXPECT_EQ(throttle_reasons(0), Names{});
    EXPECT_EQ(throttle_reasons(u64{1} << 36), Names{"TEMP_HOTSPOT"});
    EXPECT_EQ(throttle_reasons(u64{1} << 57 | u64{1} << 47 | 1 << 20 | 1),
              (Names{"PPT0", "TDC_CVIP", "PROCHOT_GFX", "FIT"}));
}

TEST(GpuMetrics, throttle_bits_without_a_name_are_left_out) {
    EXPECT_TRUE(throttle_reasons(u64{1} << 63 | u64{1} << 48 | u64{1} << 24 | 1 << 8).empty());
    EXPECT_EQ(throttle_reasons(~u64{0}).size(), 34u);
}

// A file of a capture made by others, beside the repository; nullopt where there is none or no tar.
std::optional<std::vector<std::byte>> captured(const std::string& name, const std::string& member) {
    const char* shared = std::getenv("ROCMTUNE_SHARED");
    const std::string folder = shared == nullptr ? "" : shared;
    const std::string archive = folder + "/captures/" + name + ".tar.gz";
    if (folder.empty() || !std::filesystem::exists(archive)) return std::nullopt;
    const std::string command = "tar -xzOf '" + archive + "' './" + member + "'";
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return std::nullopt;
    std::vector<std::byte> bytes(65536);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), pipe));
    constexpr int command_not_found = 127;  // sh(1)
    const int status = pclose(pipe);
    if (WIFEXITED(status) && WEXITSTATUS(status) == command_not_found) return std::nullopt;
    return bytes;
}

constexpr const char* no_capture =
    "set ROCMTUNE_SHARED to a folder with captures/*.tar.gz (needs tar)";

TEST(GpuMetricsCapture, an_rx_6900_xt_agrees_with_its_hwmon_files) {
    const auto bytes = captured("lact-rx6900xt", "sys/devices/pci0000:00/0000:0c:00.0/gpu_metrics");
    if (!bytes) GTEST_SKIP() << no_capture;
    const GpuMetricsResult result = decode_gpu_metrics(*bytes);
    ASSERT_TRUE(result.metrics.has_value()) << result.reason;
    const GpuMetrics& m = *result.metrics;
    EXPECT_EQ(m.revision, "1.3");
    EXPECT_EQ(m.temperature_edge_celsius, 56);
    EXPECT_EQ(m.temperature_hotspot_celsius, 59);
    EXPECT_EQ(m.temperature_mem_celsius, 54);
    EXPECT_EQ(m.average_socket_power_watts, 36);
    EXPECT_EQ(m.average_gfx_activity_percent, 3);
    EXPECT_EQ(m.current_gfxclk_mhz, 500);
    EXPECT_EQ(m.current_uclk_mhz, 1000);
    EXPECT_EQ(m.pcie_link_width, 16);
    EXPECT_EQ(m.pcie_link_speed_gt_per_s, 16);
    EXPECT_EQ(m.indep_throttle_status, 0);
    EXPECT_TRUE(m.unread.empty());
}

TEST(GpuMetricsCapture, a_strix_point_agrees_with_its_sysfs_files) {
    const auto bytes =
        captured("lact-strixpoint", "sys/devices/pci0000:00/0000:c1:00.0/gpu_metrics");
    if (!bytes) GTEST_SKIP() << no_capture;
    const GpuMetricsResult result = decode_gpu_metrics(*bytes);
    ASSERT_TRUE(result.metrics.has_value()) << result.reason;
    const GpuMetrics& m = *result.metrics;
    EXPECT_EQ(m.revision, "3.0");
    EXPECT_NEAR(m.temperature_gfx_celsius.value_or(0), 38, 1);    // temp1_input 38000
    EXPECT_NEAR(m.average_socket_power_watts.value_or(0), 9, 1);  // power1_input 9087000
    EXPECT_NEAR(m.average_gfxclk_mhz.value_or(0), 848, 2);        // freq1_input 848000000
    EXPECT_EQ(m.average_gfx_activity_percent, 3);                 // gpu_busy_percent 3
    EXPECT_EQ(m.current_gfxclk_limit_mhz, 2900);
}

TEST(GpuMetricsCapture, a_phoenix_agrees_with_its_sysfs_files) {
    const auto bytes = captured("composed-rx7900xtx-and-phoenix-apu",
                                "sys/devices/pci0000:00/0000:64:00.0/gpu_metrics");
    if (!bytes) GTEST_SKIP() << no_capture;
    const GpuMetricsResult result = decode_gpu_metrics(*bytes);
    ASSERT_TRUE(result.metrics.has_value()) << result.reason;
    const GpuMetrics& m = *result.metrics;
    EXPECT_EQ(m.revision, "2.1");
    EXPECT_NEAR(m.temperature_gfx_celsius.value_or(0), 25, 1);      // temp1_input 25000
    EXPECT_NEAR(m.average_socket_power_watts.value_or(0), 3.1, 1);  // power1_input 3142000
    EXPECT_LT(m.average_gfx_activity_percent.value_or(100), 1);     // gpu_busy_percent 0
}

}  // namespace
}  // namespace rocmtune
