// SPDX-License-Identifier: MIT
// What a GPU does, by looks at it. What nobody told is absent.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace rocmtune {

/// One GPU between two looks. All figures are means over the time.
struct GpuSample {
    std::string pci_address = {};
    std::optional<double> held = {};    ///< share of the time in which the program held it
    std::optional<double> others = {};  ///< share in which processes of others computed on it
    std::optional<double> busy = {};    ///< 0 to 1
    std::optional<double> memory_busy = {};
    std::optional<double> vram_bytes = {};
    std::optional<double> vram_total_bytes = {};
    std::optional<double> power_watts = {};
    std::optional<double> power_cap_watts = {};
    std::optional<double> clock_mhz = {};
    std::optional<double> memory_clock_mhz = {};
    std::optional<double> temperature_celsius = {};  ///< the sensor nearest to its limit
    std::optional<double> temperature_limit_celsius = {};
    std::optional<double> power_throttled = {};  ///< share of the time
    std::optional<double> heat_throttled = {};
    std::optional<double> pcie_bytes_per_second = {};  ///< both ways
    std::optional<double> pcie_most_bytes_per_second = {};
    std::optional<double> copy_engines =
        {};                                ///< share of the time in which the program's copies ran
    std::optional<double> queues = {};     ///< of the program, for kernels and copies
    std::optional<double> own_bytes = {};  ///< device memory of the program
    std::set<std::string> reasons = {};    ///< names of limits that held its clock down
};

}  // namespace rocmtune
