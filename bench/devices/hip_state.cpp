// SPDX-License-Identifier: MIT
// Files of linux drivers/gpu/drm/amd/pm/amdgpu_pm.c; units by
// Documentation/hwmon/sysfs-interface.rst.
#include "bench/devices/hip_state.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/host_root.hpp"

namespace rocmtune::bench {
namespace {

std::optional<double> scaled(HostRoot const& root, std::string const& path, double divisor) {
    auto const text = root.read(path);
    auto const number = text ? to_real(trim(*text)) : std::nullopt;
    return number ? std::optional(*number / divisor) : std::nullopt;
}

/// The level with the asterisk: "2: 1700Mhz *".
std::optional<double> current_level(HostRoot const& root, std::string const& path) {
    auto const text = root.read(path);
    if (!text) return std::nullopt;
    for (auto const line : lines(*text))
        if (auto const colon = line.find(':'); line.ends_with('*') && colon != line.npos)
            return leading_real(trim(line.substr(colon + 1)));
    return std::nullopt;
}

std::string hwmon_of(HostRoot const& root, std::string const& device) {
    auto const names = root.list(device + "/hwmon");
    return names && !names->empty() ? fmt::format("{}/hwmon/{}", device, names->front())
                                    : std::string();
}

}  // namespace

HardwareState sysfs_state(std::string const& pci_address) {
    HostRoot const root(directory_source("/"));
    auto const device = "/sys/bus/pci/devices/" + pci_address;
    HardwareState state;
    state.clock_mhz = current_level(root, device + "/pp_dpm_sclk");
    state.memory_clock_mhz = current_level(root, device + "/pp_dpm_mclk");
    if (auto const used = scaled(root, device + "/mem_info_vram_used", 1))
        state.memory_used_bytes = static_cast<std::uint64_t>(*used);
    auto const hwmon = hwmon_of(root, device);
    if (hwmon.empty()) return state;
    state.power_watts = scaled(root, hwmon + "/power1_average", 1e6);
    if (!state.power_watts) state.power_watts = scaled(root, hwmon + "/power1_input", 1e6);
    state.temperature_celsius = scaled(root, hwmon + "/temp2_input", 1e3);  // junction
    if (!state.temperature_celsius)
        state.temperature_celsius = scaled(root, hwmon + "/temp1_input", 1e3);
    return state;
}

}  // namespace rocmtune::bench
