// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the look-ups in amdgpu.ids and pci.ids; the first bytes are the ids.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    if (size < 3) return 0;
    auto const device = static_cast<std::uint16_t>(data[0] << 8 | data[1]);
    std::string_view const list(reinterpret_cast<char const*>(data) + 3, size - 3);
    for (auto const& name :
         {find_amdgpu_name(list, device, data[2]), find_pci_name(list, 0x1002, device)}) {
        if (!name) continue;
        if (name->empty() || !is_utf8(*name) || name->find('\n') != name->npos) __builtin_trap();
        if (name->data() < list.data() || name->data() + name->size() > list.data() + list.size())
            __builtin_trap();
    }
    return 0;
}
