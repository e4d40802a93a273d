// SPDX-License-Identifier: MIT
#include "../../src/probe/gpu_metrics.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace {

struct Revision {
    unsigned format, content, size;
};

constexpr Revision revisions[] = {
    {1, 0, 80},  {1, 1, 96},   {1, 2, 104},  {1, 3, 120},  {1, 4, 288},
    {1, 5, 360}, {1, 6, 1664}, {1, 7, 2208}, {1, 8, 3872}, {2, 0, 120},
    {2, 1, 120}, {2, 2, 128},  {2, 3, 152},  {2, 4, 168},  {3, 0, 264},
};

void require(bool holds) {
    if (!holds) std::abort();
}

void require_percent(const rocmtune::Reading& value) {
    require(!value || (*value >= 0 && *value <= 100));
}

void check(const rocmtune::GpuMetricsResult& result) {
    require(result.metrics.has_value() == result.reason.empty());
    if (!result.metrics) return;
    const rocmtune::GpuMetrics& m = *result.metrics;
    require_percent(m.average_gfx_activity_percent);
    require_percent(m.average_mm_activity_percent);
    require(m.temperature_hotspot_celsius.value_or(0) <= 250);
    // A list (v1.9) says in ten bits how many there are; a structure has room for eight.
    const std::size_t most_links = m.revision == "1.9" ? 1023 : 8;
    require(m.xgmi_read_data_acc_kb.size() <= most_links && m.partitions.size() <= 8);
    for (const auto& partition : m.partitions) {
        for (const auto& busy : partition.gfx_busy_percent) require_percent(busy);
    }
    const auto names = rocmtune::throttle_reasons(m.indep_throttle_status.value_or(0));
    require(names.size() <= 34);
}

// In memory of exactly its size, so that a read behind the end is seen.
std::unique_ptr<std::byte[]> exact_copy(const std::uint8_t* data, std::size_t size,
                                        std::size_t wanted) {
    auto copy = std::make_unique<std::byte[]>(wanted);
    std::transform(data, data + std::min(size, wanted), copy.get(),
                   [](std::uint8_t value) { return std::byte{value}; });
    return copy;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto whole = exact_copy(data, size, size);
    check(rocmtune::decode_gpu_metrics({whole.get(), size}));

    if (size == 0) return 0;
    // The same bytes below a valid header, so that every layout is reached.
    const Revision& revision = revisions[data[0] % std::size(revisions)];
    const auto valid = exact_copy(data, size, revision.size);
    valid[0] = static_cast<std::byte>(revision.size & 0xFF);
    valid[1] = static_cast<std::byte>(revision.size >> 8);
    valid[2] = static_cast<std::byte>(revision.format);
    valid[3] = static_cast<std::byte>(revision.content);
    const auto result = rocmtune::decode_gpu_metrics({valid.get(), revision.size});
    require(result.metrics.has_value());
    check(result);
    return 0;
}
