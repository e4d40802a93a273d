// SPDX-License-Identifier: MIT
#include "probe/pci_address.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {

std::string PciAddress::text() const {
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

std::optional<PciAddress> parse_pci_address(std::string_view text) {
    auto const colon = text.find(':');
    if (colon < 4 || colon > 8 || text.size() != colon + 8 || text[colon + 3] != ':' ||
        text[colon + 6] != '.')
        return std::nullopt;
    auto const domain = to_unsigned(text.substr(0, colon), 16);
    auto const bus = to_unsigned(text.substr(colon + 1, 2), 16);
    auto const device = to_unsigned(text.substr(colon + 4, 2), 16);
    auto const function = to_unsigned(text.substr(colon + 7, 1), 16);
    if (!domain || !bus || !device || !function || *device > 31 || *function > 7) return {};
    return PciAddress{static_cast<std::uint32_t>(*domain), static_cast<std::uint8_t>(*bus),
                      static_cast<std::uint8_t>(*device), static_cast<std::uint8_t>(*function)};
}

PciAddress decode_location(std::uint32_t domain, std::uint64_t location_id) {
    return {domain, static_cast<std::uint8_t>((location_id >> 8) & 0xFF),
            static_cast<std::uint8_t>((location_id >> 3) & 0x1F),
            static_cast<std::uint8_t>(location_id & 0x7)};
}

}  // namespace rocmtune
