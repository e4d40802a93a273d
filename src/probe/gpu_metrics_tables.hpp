// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "probe/gpu_metrics.hpp"

// What the tables of gpu_metrics are written in. They say where a value lies, what it measures and
// where it goes; gpu_metrics.cpp reads them.
namespace rocmtune::gpu_metrics {

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

using M = GpuMetrics;
// An array that goes into a scalar is its highest entry.
using Target =
    std::variant<Reading M::*, Counter M::*, std::vector<Reading> M::*, std::vector<Counter> M::*>;

// ---- revisions that are structures (v1.0-v1.8, v2.x, v3.0) --------------------------------------

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

// No field leaves its structure, and each is naturally aligned: the compiler has checked it.
std::span<const Layout> layouts();

// ---- the revision that is a list (v1.9) ---------------------------------------------------------

// AMDGPU_METRICS_UNIT_*; `any`: a bare counter, of which the drivers say NONE or PERCENT.
enum class ListUnit : std::uint8_t {
    none,
    mhz,
    celsius,
    watts,
    nanoseconds,
    ten_nanoseconds,
    gt_per_s,
    tenth_gt_per_s,
    gb_per_s,
    kilobytes,
    percent,
    any = 0xFF,
};

// Several rows may have the same id. A value that the driver declares in another unit is not read.
struct Attribute {
    std::uint16_t id;  // AMDGPU_METRICS_ATTR_ID_*
    ListUnit declared;
    std::string_view name;  // the kernel's
    Unit unit;
    Target target;
};

std::span<const Attribute> attributes();

}  // namespace rocmtune::gpu_metrics
