// SPDX-License-Identifier: MIT
// Look-ups in the two lists of names that distributions ship.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocmtune {

/// libdrm's amdgpu.ids: lines "device, revision, name" in hexadecimal after a version line. Only
/// an entry with exactly this revision counts: one device id covers several products.
std::optional<std::string_view> find_amdgpu_name(std::string_view list, std::uint16_t device,
                                                 std::uint8_t revision);

/// pci.ids: vendor lines "1002  name", device lines "<TAB>744c  name" below them. The name in
/// square brackets is the marketing name where there is one.
std::optional<std::string_view> find_pci_name(std::string_view list, std::uint16_t vendor,
                                              std::uint16_t device);

}  // namespace rocmtune
