// SPDX-License-Identifier: MIT
#include "probe/gpu_metrics.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rocmtune {
namespace {

using namespace gpu_metrics;

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

// The drivers run on little-endian hosts and fill in host order.
std::uint64_t number(std::span<const std::byte> bytes, std::size_t offset, Type type) {
    std::uint64_t value = 0;
    for (std::size_t i = static_cast<std::size_t>(type); i-- > 0;) {
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[offset + i]);
    }
    return value;
}

// All ones = not filled (smu_cmn_init_soft_gpu_metrics).
Counter load(std::span<const std::byte> bytes, std::size_t offset, Type type) {
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - 8 * static_cast<unsigned>(type));
    const std::uint64_t value = number(bytes, offset, type);
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

// Files numbers into the metrics, and in `unread` those that cannot be used.
class Filing {
  public:
    Filing(std::string revision, std::span<const std::byte> bytes) : bytes_(bytes) {
        metrics_.revision = std::move(revision);
    }

    GpuMetrics take() { return std::move(metrics_); }

    void file(std::string_view name, Unit unit, const Target& target, Type type, std::size_t offset,
              std::size_t count) {
        const std::vector<Counter> raw = entries(offset, type, count, name, unit);
        std::visit([&](auto member) { assign(metrics_.*member, raw, unit); }, target);
    }

    void file_partitions(const PartitionLayout& at) {
        const Counter count = load(bytes_, at.count_offset, Type::u16);
        if (!count) return;
        if (*count > max_partitions) {
            note("num_partition " + std::to_string(*count) + ": not a possible value");
            return;
        }
        for (std::size_t i = 0; i < *count; ++i) {
            const std::size_t base = at.base + i * at.stride;
            PartitionMetrics partition;
            assign(partition.gfx_busy_percent,
                   entries(base, Type::u32, max_xccs, "gfx_busy_inst", Unit::percent),
                   Unit::percent);
            partition.gfx_busy_acc = entries(base + at.busy_acc_offset, Type::u64, max_xccs,
                                             "gfx_busy_acc", Unit::count);
            metrics_.partitions.push_back(std::move(partition));
        }
    }

    void note(std::string what) {
        // A file of 64 KiB can hold thousands of impossible values; a few tell as much.
        constexpr std::size_t most_notes = 32;
        if (metrics_.unread.size() == most_notes) return;
        if (std::ranges::find(metrics_.unread, what) == metrics_.unread.end()) {
            metrics_.unread.push_back(std::move(what));
        }
    }

  private:
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
        std::string what = std::string(name) + " " + std::to_string(*raw) + ": ";
        what += why;
        note(std::move(what));
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
        to.clear();
        for (const Counter& value : raw) to.push_back(scaled(value, unit));
    }

    std::span<const std::byte> bytes_;
    GpuMetrics metrics_;
};

GpuMetricsResult refused(std::string reason) {
    return {std::nullopt, std::move(reason)};
}

GpuMetrics decode_structure(const Layout& layout, std::span<const std::byte> bytes) {
    Filing filing(std::to_string(layout.format) + "." + std::to_string(layout.content), bytes);
    for (const Segment& segment : layout.segments) {
        for (const MetricField& field : segment.fields) {
            filing.file(field.name, field.unit, field.target, field.type,
                        std::size_t{segment.base} + field.offset, field.entries);
        }
    }
    if (layout.partitions.stride != 0) filing.file_partitions(layout.partitions);
    return filing.take();
}

// ---- v1.9: a count, then descriptions, each followed by its values, packed ---------------------

constexpr std::size_t count_offset = header_size;
constexpr std::size_t list_offset = count_offset + 4;
constexpr std::size_t description_size = 8;

// AMDGPU_METRICS_ENC_ATTR: bits 24-31 the unit, 20-23 the type, 10-19 the number, 0-9 the entries.
struct Description {
    explicit Description(std::uint64_t code)
        : unit(static_cast<ListUnit>(code >> 24 & 0xFF)),
          type(code >> 20 & 0xF),
          id(code >> 10 & 0x3FF),
          entries(code & 0x3FF) {}

    // AMDGPU_METRICS_TYPE_*: 8, 16, 32 and 64 bits, each without and with a sign.
    bool is_known_type() const { return type < 8; }
    bool is_signed() const { return type % 2 == 1; }
    Type width() const { return static_cast<Type>(1U << type / 2); }
    std::size_t size() const { return static_cast<std::size_t>(width()) * entries; }

    ListUnit unit;
    std::uint64_t type, id, entries;
};

void file_attribute(Filing& filing, const Description& description, std::size_t offset) {
    for (const Attribute& attribute : attributes()) {
        if (attribute.id != description.id) continue;
        const bool is_expected =
            !description.is_signed() &&
            (attribute.declared == ListUnit::any || attribute.declared == description.unit);
        if (is_expected) {
            filing.file(attribute.name, attribute.unit, attribute.target, description.width(),
                        offset, description.entries);
        } else {
            filing.note(std::string(attribute.name) + ": of unit " +
                        std::to_string(static_cast<unsigned>(description.unit)) + " and type " +
                        std::to_string(description.type) + ", which this version does not expect");
        }
    }
}

GpuMetricsResult decode_list(const std::string& name, std::span<const std::byte> bytes) {
    const auto cut_off = [&](std::uint64_t index, std::uint64_t count) {
        return refused(name + " ends within attribute " + std::to_string(index + 1) + " of " +
                       std::to_string(count));
    };
    if (bytes.size() < list_offset) return refused(name + " has no count of its attributes");
    const std::uint64_t count = number(bytes, count_offset, Type::u32);
    Filing filing("1.9", bytes);
    std::size_t offset = list_offset;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (bytes.size() - offset < description_size) return cut_off(i, count);
        const Description description(number(bytes, offset, Type::u64));
        offset += description_size;
        if (!description.is_known_type()) {
            // How long it is nobody knows, so where the next one begins neither.
            filing.note("attribute " + std::to_string(i + 1) + " of " + std::to_string(count) +
                        " is of an unknown type: it and what follows is not read");
            break;
        }
        if (bytes.size() - offset < description.size()) return cut_off(i, count);
        file_attribute(filing, description, offset);
        offset += description.size();
    }
    return {filing.take(), ""};
}

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
    const auto found = std::ranges::find_if(layouts(), [&](const Layout& layout) {
        return layout.format == format && layout.content == content;
    });
    return found == layouts().end() ? nullptr : &*found;
}

}  // namespace

GpuMetricsResult decode_gpu_metrics(std::span<const std::byte> bytes) {
    if (bytes.size() < header_size) {
        return refused("gpu_metrics has " + std::to_string(bytes.size()) +
                       " bytes, its header alone has " + std::to_string(header_size));
    }
    // struct metrics_table_header: u16 structure_size, u8 format_revision, u8 content_revision.
    const std::size_t size = number(bytes, 0, Type::u16);
    const auto format = std::to_integer<unsigned>(bytes[2]);
    const auto content = std::to_integer<unsigned>(bytes[3]);
    const std::string name =
        "gpu_metrics v" + std::to_string(format) + "." + std::to_string(content);
    const bool is_list = format == 1 && content == 9;
    const Layout* layout = find_layout(format, content);
    if (layout == nullptr && !is_list) return refused(name + " is not known to this version");
    const std::size_t full_size = is_list ? size : layout->size;
    const std::string expected = " bytes, expected " + std::to_string(full_size);
    if (size != full_size) return refused(name + " has " + std::to_string(size) + expected);
    if (bytes.size() < full_size) {
        return refused(name + " is cut off after " + std::to_string(bytes.size()) + expected);
    }
    if (is_list) return decode_list(name, bytes.first(full_size));
    return {decode_structure(*layout, bytes), ""};
}

std::vector<std::string_view> throttle_reasons(std::uint64_t indep_status) {
    std::vector<std::string_view> names;
    for (const auto& [bit, name] : throttle_bits) {
        if (indep_status >> bit & 1) names.push_back(name);
    }
    return names;
}

}  // namespace rocmtune
