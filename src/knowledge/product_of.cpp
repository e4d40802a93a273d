// SPDX-License-Identifier: MIT
#include "knowledge/product_of.hpp"

#include "base/text.hpp"

namespace rocmtune {

Product const* product_of(ChipSet const& chips, Gpu const& gpu) {
    if (!gpu.pci_device_id) return nullptr;
    auto const device = static_cast<std::uint16_t>(to_unsigned(*gpu.pci_device_id).value_or(0));
    if (!gpu.pci_revision) return chips.only_product(device);
    return chips.find_product(
        device, static_cast<std::uint8_t>(to_unsigned(*gpu.pci_revision).value_or(0)));
}

}  // namespace rocmtune
