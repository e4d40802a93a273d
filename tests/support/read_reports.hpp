// SPDX-License-Identifier: MIT
// Small reports as JSON, for what reads reports back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "codec/read_report.hpp"

namespace rocmtune::test {

using nlohmann::json;

/// A report of one host with `gpus` GPUs that have nothing but what tells them apart.
inline json small_report(std::string const& hostname, std::size_t gpus) {
    json report{{"schema", "rocmtune-report"},
                {"schema_version", "1.0"},
                {"tool", {{"name", "rocmtune"}, {"version", "0.1.0"}}},
                {"command", "probe"},
                {"host",
                 {{"hostname", hostname},
                  {"system_product", "Board"},
                  {"kernel_release", "6.8.0"},
                  {"gpus", json::array()},
                  {"links", json::array()}}},
                {"findings", json::array()},
                {"errors", json::array()},
                {"exit_code", 0}};
    for (std::size_t i = 0; i < gpus; ++i)
        report["host"]["gpus"].push_back({{"row", i},
                                          {"pci_address", "0000:0" + std::to_string(i) + ":00.0"},
                                          {"unique_id", hostname + std::to_string(i)},
                                          {"pci_device_id", "0x74a1"},
                                          {"marketing_name", "AMD Instinct MI300X"},
                                          {"vram_bytes", 206141652992},
                                          {"vbios_version", "113-1"},
                                          {"firmware", {{"mec", "0xa3"}, {"smc", "0x55"}}}});
    return report;
}

/// A figure of a GPU, with the interval that the report states.
inline json measurement(std::uint64_t row, double value, double half_width,
                        std::string const& backend = "hip") {
    return {{"benchmark", "bandwidth"},
            {"metric", "triad"},
            {"unit", "GB/s"},
            {"value", value},
            {"low", value - half_width},
            {"high", value + half_width},
            {"samples", json::array()},
            {"parameters", {{"index", row}, {"dtype", "fp32"}, {"bytes", 1 << 28}}},
            {"backend", backend},
            {"gpu", row},
            {"verified", true},
            {"status", "ok"},
            {"labels", json::array()}};
}

inline ReadReport read(json const& report, std::string const& name = "a.json") {
    return read_report(report.dump(), name);
}

}  // namespace rocmtune::test
