// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parser of PCI addresses: what it takes, it prints back.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "probe/pci_address.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const address = parse_pci_address(text);
    if (!address) return 0;
    if (address->device > 31 || address->function > 7) __builtin_trap();
    auto const again = parse_pci_address(address->text());
    if (!again || *again != *address) __builtin_trap();
    return 0;
}
