// SPDX-License-Identifier: MIT
#include "knowledge/product_of.hpp"

#include "base/text.hpp"

namespace rocmtune {
namespace {

Product const* product_named(ChipSet const& chips, Gpu const& gpu) {
    auto const* const chip = chips.find_chip(gpu.gfx_target.value_or(""));
    if (chip == nullptr || !gpu.marketing_name) return nullptr;
    Product const* found = nullptr;
    for (auto const& product : chip->products) {
        if (product.name != *gpu.marketing_name) continue;
        if (found != nullptr) return nullptr;
        found = &product;
    }
    return found;
}

}  // namespace

Product const* product_of(ChipSet const& chips, Gpu const& gpu) {
    if (!gpu.pci_device_id) return product_named(chips, gpu);
    auto const device = static_cast<std::uint16_t>(to_unsigned(*gpu.pci_device_id).value_or(0));
    if (!gpu.pci_revision) return chips.only_product(device);
    return chips.find_product(
        device, static_cast<std::uint8_t>(to_unsigned(*gpu.pci_revision).value_or(0)));
}

}  // namespace rocmtune
