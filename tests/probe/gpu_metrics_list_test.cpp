// SPDX-License-Identifier: MIT
// gpu_metrics v1.9, the revision that is a list: built as the driver declares it, attribute for
// attribute, and so as long as the file of a real MI300X: 1150 bytes, 47 attributes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "probe/gpu_metrics.hpp"

namespace rocmtune {
namespace {

// AMDGPU_METRICS_UNIT_* and AMDGPU_METRICS_TYPE_*.
enum Unit : unsigned { none, mhz, celsius, watts, ns, ten_ns, gt_s, tenth_gt_s, gb_s, kb, percent };
enum Type : unsigned { u8, s8, u16, s16, u32, s32, u64, s64 };

class Table {
  public:
    // Values that are not given are all ones, as the driver starts.
    Table& add(Unit unit, Type type, unsigned id, std::size_t entries,
               const std::vector<std::uint64_t>& values = {}) {
        put(std::uint64_t{unit} << 24 | std::uint64_t{type} << 20 | std::uint64_t{id} << 10 |
                entries,
            8);
        for (std::size_t i = 0; i < entries; ++i)
            put(i < values.size() ? values[i] : ~std::uint64_t{0}, std::size_t{1} << type / 2);
        ++count_;
        return *this;
    }

    std::vector<std::byte> bytes() const { return bytes(count_, body_.size() + 8); }

    std::vector<std::byte> bytes(std::uint32_t count, std::size_t size) const {
        Table head;
        head.put(size, 2), head.put(1, 1), head.put(9, 1), head.put(count, 4);
        head.body_.insert(head.body_.end(), body_.begin(), body_.end());
        return head.body_;
    }

  private:
    void put(std::uint64_t value, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i)
            body_.push_back(static_cast<std::byte>(value >> 8 * i & 0xFF));
    }

    std::vector<std::byte> body_;
    std::uint32_t count_ = 0;
};

// SMU_13_0_6_METRICS_FIELDS; the values of an idle MI300X where they are known.
Table mi300x() {
    Table table;
    table.add(celsius, u16, 0, 1, {42}).add(celsius, u16, 1, 1, {37}).add(celsius, u16, 2, 1, {45});
    table.add(watts, u16, 3, 1, {194}).add(percent, u16, 4, 1, {0}).add(percent, u16, 5, 1, {1});
    table.add(gb_s, u64, 6, 1, {5325})
        .add(none, u64, 7, 1, {65536 * 3})
        .add(ns, u64, 8, 1, {2'000'000'000});
    table.add(none, u32, 9, 1, {54536484})
        .add(none, u32, 10, 1, {0})
        .add(none, u32, 11, 1, {633093});
    for (const unsigned id : {12U, 13U, 14U}) table.add(none, u32, id, 1, {id});
    table.add(none, u32, 15, 1, {0x81})
        .add(none, u16, 16, 1, {16})
        .add(tenth_gt_s, u16, 17, 1, {320});
    table.add(none, u16, 18, 1, {16}).add(gt_s, u16, 19, 1, {32});
    table.add(percent, u32, 20, 1, {7001}).add(percent, u32, 21, 1, {7002});
    table.add(percent, u64, 22, 1, {7003}).add(gb_s, u64, 23, 1, {4});
    for (const unsigned id : {24U, 25U, 26U}) table.add(none, u64, id, 1, {id});
    table.add(none, u32, 27, 1, {27}).add(none, u32, 28, 1, {28});
    table.add(kb, u64, 29, 8, {1, 2, 3, 4, 5, 6, 7, 8}).add(kb, u64, 30, 8, {9, 8, 7, 6, 5, 4, 3});
    table.add(none, u16, 31, 8, {1, 1, 1, 1, 1, 1, 0, 2}).add(ten_ns, u64, 32, 1, {500'000'000});
    table.add(mhz, u16, 33, 8, {2098, 2100, 2110, 2105, 2103, 2109, 2105, 2115});
    table.add(mhz, u16, 34, 4, {33, 34}).add(mhz, u16, 35, 4, {29}).add(mhz, u16, 36, 4, {22});
    table.add(mhz, u16, 37, 1, {900}).add(none, u32, 39, 1, {5});
    table.add(percent, u32, 40, 8, {1}).add(percent, u16, 41, 40).add(percent, u16, 42, 4, {3, 12});
    table.add(percent, u64, 43, 8, {77});
    for (const unsigned id : {44U, 45U, 46U, 47U}) table.add(none, u64, id, 8);
    return table;
}

GpuMetrics decoded(const std::vector<std::byte>& bytes) {
    const GpuMetricsResult result = decode_gpu_metrics(bytes);
    EXPECT_EQ(result.reason, "");
    return result.metrics.value_or(GpuMetrics{});
}

std::string reason_for(const std::vector<std::byte>& bytes) {
    const GpuMetricsResult result = decode_gpu_metrics(bytes);
    EXPECT_FALSE(result.metrics.has_value());
    return result.reason;
}

using Notes = std::vector<std::string>;

TEST(GpuMetricsList, is_as_long_as_that_of_a_real_mi300x) {
    EXPECT_EQ(mi300x().bytes().size(), 1150U);
    EXPECT_EQ(mi300x().bytes()[4], std::byte{47});
}

TEST(GpuMetricsList, every_known_attribute_is_filed) {
    GpuMetrics expected;
    expected.revision = "1.9";
    expected.temperature_hotspot_celsius = 42;
    expected.temperature_mem_celsius = 37;
    expected.temperature_vrsoc_celsius = 45;
    expected.current_socket_power_watts = 194;
    expected.average_gfx_activity_percent = 0;
    expected.average_umc_activity_percent = 1;
    expected.average_mm_activity_percent = 12;
    expected.mem_max_bandwidth_gb_per_s = 5325;
    expected.energy_accumulator = 65536 * 3;
    expected.energy_joules = 3;
    expected.system_clock_seconds = 2;
    expected.accumulation_counter = 54536484;
    expected.prochot_residency_acc = 0;
    expected.ppt_residency_acc = 633093;
    expected.socket_thm_residency_acc = 12;
    expected.vr_thm_residency_acc = 13;
    expected.hbm_thm_residency_acc = 14;
    expected.gfxclk_lock_status = 0x81;
    expected.pcie_link_width = 16;
    expected.pcie_link_speed_gt_per_s = 32;
    expected.xgmi_link_width = 16;
    expected.xgmi_link_speed_gbps = 32;
    expected.gfx_activity_acc = 7001;
    expected.mem_activity_acc = 7002;
    expected.pcie_bandwidth_acc = 7003;
    expected.pcie_bandwidth_inst = 4;
    expected.pcie_l0_to_recov_count_acc = 24;
    expected.pcie_replay_count_acc = 25;
    expected.pcie_replay_rover_count_acc = 26;
    expected.pcie_nak_sent_count_acc = 27;
    expected.pcie_nak_rcvd_count_acc = 28;
    expected.xgmi_read_data_acc_kb = {1, 2, 3, 4, 5, 6, 7, 8};
    expected.xgmi_write_data_acc_kb = {9, 8, 7, 6, 5, 4, 3};
    expected.xgmi_link_status = {1, 1, 1, 1, 1, 1, 0};
    expected.firmware_timestamp_seconds = 5;
    expected.current_gfxclk_mhz = 2115;
    expected.current_gfxclk_mhz_by_xcc = {2098, 2100, 2110, 2105, 2103, 2109, 2105, 2115};
    expected.current_socclk_mhz = 34;
    expected.current_vclk0_mhz = 29;
    expected.current_dclk0_mhz = 22;
    expected.current_uclk_mhz = 900;
    expected.pcie_lc_perf_other_end_recovery = 5;
    expected.unread = {"xgmi_link_status 2: not a possible value"};
    EXPECT_EQ(decoded(mi300x().bytes()), expected);
}

TEST(GpuMetricsList, what_the_driver_did_not_fill_has_no_value) {
    Table table;
    for (unsigned id = 0; id < 60; ++id) table.add(none, u32, id, 2);
    for (const auto& [id, unit] : std::vector<std::pair<unsigned, Unit>>{
             {0, celsius}, {3, watts}, {4, percent}, {33, mhz}, {48, celsius}})
        table.add(unit, u16, id, 2);
    GpuMetrics metrics = decoded(table.bytes());
    metrics.unread.clear();  // units that are not these attributes'
    GpuMetrics nothing;
    nothing.revision = "1.9";
    EXPECT_EQ(metrics, nothing);
}

// As MI400 has it: the same counters in 64 bits, one sum of the links, temperatures of each stack.
TEST(GpuMetricsList, types_and_counts_are_what_the_list_says) {
    Table table;
    table.add(none, u64, 9, 1, {std::uint64_t{1} << 40}).add(kb, u64, 29, 1, {11});
    table.add(celsius, u16, 48, 12, {50, 51, 0xFFFF, 53}).add(mhz, u16, 37, 2, {1200, 1300});
    table.add(none, u64, 20, 1, {9});
    const GpuMetrics metrics = decoded(table.bytes());
    EXPECT_EQ(metrics.accumulation_counter, std::uint64_t{1} << 40);
    EXPECT_EQ(metrics.xgmi_read_data_acc_kb, std::vector<Counter>{11});
    EXPECT_EQ(metrics.temperature_hbm_celsius, (std::vector<Reading>{50, 51, std::nullopt, 53}));
    EXPECT_EQ(metrics.current_uclk_mhz, 1300);
    EXPECT_EQ(metrics.gfx_activity_acc, 9U);
    EXPECT_EQ(metrics.unread, Notes{});
}

TEST(GpuMetricsList, attributes_of_later_drivers_are_passed_over) {
    Table table;
    table.add(celsius, u16, 0, 1, {42}).add(celsius, s16, 700, 30).add(percent, u8, 1023, 1023);
    table.add(watts, u16, 3, 1, {194}).add(none, u64, 38, 0);
    const GpuMetrics metrics = decoded(table.bytes());
    EXPECT_EQ(metrics.temperature_hotspot_celsius, 42);
    EXPECT_EQ(metrics.current_socket_power_watts, 194);
    EXPECT_EQ(metrics.unread, Notes{});
}

TEST(GpuMetricsList, a_value_in_another_unit_or_with_a_sign_is_not_taken_for_ours) {
    Table table;
    table.add(static_cast<Unit>(11), u16, 0, 1, {4200}).add(celsius, s16, 1, 1, {37});
    table.add(watts, u16, 3, 1, {194});
    const GpuMetrics metrics = decoded(table.bytes());
    EXPECT_EQ(metrics.temperature_hotspot_celsius, std::nullopt);
    EXPECT_EQ(metrics.temperature_mem_celsius, std::nullopt);
    EXPECT_EQ(metrics.current_socket_power_watts, 194);
    EXPECT_EQ(
        metrics.unread,
        (Notes{"temperature_hotspot: of unit 11 and type 2, which this version does not expect",
               "temperature_mem: of unit 2 and type 3, which this version does not expect"}));
}

TEST(GpuMetricsList, what_follows_an_unknown_type_is_not_guessed) {
    Table table;
    table.add(celsius, u16, 0, 1, {42}).add(celsius, static_cast<Type>(8), 1, 0);
    table.add(watts, u16, 3, 1, {194});
    const GpuMetrics metrics = decoded(table.bytes());
    EXPECT_EQ(metrics.temperature_hotspot_celsius, 42);
    EXPECT_EQ(metrics.current_socket_power_watts, std::nullopt);
    EXPECT_EQ(metrics.unread,
              Notes{"attribute 2 of 3 is of an unknown type: it and what follows is not read"});
}

TEST(GpuMetricsList, impossible_values_are_told_and_not_filed) {
    Table table;
    table.add(celsius, u16, 0, 1, {251}).add(percent, u16, 4, 1, {101}).add(watts, u16, 3, 1, {0});
    const GpuMetrics metrics = decoded(table.bytes());
    EXPECT_EQ(metrics.temperature_hotspot_celsius, std::nullopt);
    EXPECT_EQ(metrics.unread, (Notes{"temperature_hotspot 251: not a possible value",
                                     "average_gfx_activity 101: not a possible value",
                                     "curr_socket_power 0: not a possible value"}));
}

TEST(GpuMetricsList, of_many_impossible_values_a_few_are_told) {
    std::vector<std::uint64_t> loads;
    for (std::uint64_t load = 101; load < 1101; ++load) loads.push_back(load);
    Table table;
    for (int i = 0; i < 30; ++i) table.add(percent, u16, 42, loads.size(), loads);
    EXPECT_EQ(decoded(table.bytes()).unread.size(), 32U);
}

TEST(GpuMetricsList, a_list_that_ends_before_its_count_is_not_read) {
    const Table table = mi300x();
    EXPECT_EQ(reason_for(table.bytes(48, 1150)), "gpu_metrics v1.9 ends within attribute 48 of 48");
    EXPECT_EQ(reason_for(table.bytes(0xFFFFFFFF, 1150)),
              "gpu_metrics v1.9 ends within attribute 48 of 4294967295");
    EXPECT_EQ(reason_for(table.bytes(47, 1149)), "gpu_metrics v1.9 ends within attribute 47 of 47");
    EXPECT_EQ(reason_for(table.bytes(47, 20)), "gpu_metrics v1.9 ends within attribute 2 of 47");
    EXPECT_EQ(reason_for(table.bytes(47, 7)), "gpu_metrics v1.9 has no count of its attributes");
    EXPECT_EQ(reason_for(table.bytes(47, 0)), "gpu_metrics v1.9 has no count of its attributes");
}

TEST(GpuMetricsList, a_file_shorter_than_its_size_is_not_read) {
    std::vector<std::byte> bytes = mi300x().bytes();
    bytes.pop_back();
    EXPECT_EQ(reason_for(bytes), "gpu_metrics v1.9 is cut off after 1149 bytes, expected 1150");
}

TEST(GpuMetricsList, bytes_after_the_list_change_nothing) {
    std::vector<std::byte> padded = mi300x().bytes();
    padded.resize(4096, std::byte{0xAA});
    EXPECT_EQ(decoded(padded), decoded(mi300x().bytes()));
}

TEST(GpuMetricsList, any_prefix_and_any_changed_byte_is_read_or_refused) {
    const std::vector<std::byte> whole = mi300x().bytes();
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(decode_gpu_metrics(std::span(whole).first(length)).metrics.has_value());
    for (std::size_t place = 0; place < whole.size(); ++place) {
        for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
            std::vector<std::byte> changed = whole;
            changed[place] ^= flip;
            const GpuMetricsResult result = decode_gpu_metrics(changed);
            EXPECT_EQ(result.metrics.has_value(), result.reason.empty());
        }
    }
}

}  // namespace
}  // namespace rocmtune
