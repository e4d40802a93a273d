// SPDX-License-Identifier: MIT
// PCI addresses: "0000:03:00.0".
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocmtune {

/// Domain, bus, device (slot) and function. Domains beyond 16 bits exist (VMD, Hyper-V).
struct PciAddress {
    std::uint32_t domain = 0;
    std::uint8_t bus = 0;
    std::uint8_t device = 0;    ///< 0..31
    std::uint8_t function = 0;  ///< 0..7

    auto operator<=>(PciAddress const&) const = default;
    PciAddress card() const { return {domain, bus, device, 0}; }
    std::string text() const;
};

/// Parses "DDDD:BB:DD.F" with hexadecimal digits as sysfs names a device; domain of 4 to 8 digits.
std::optional<PciAddress> parse_pci_address(std::string_view text);

/// Decodes KFD's location_id: bus in bits 15:8, slot in 7:3, function in 2:0
/// (Linux 7.2 kfd_topology.c, pci_dev_id()).
PciAddress decode_location(std::uint32_t domain, std::uint64_t location_id);

}  // namespace rocmtune
