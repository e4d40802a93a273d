// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parsers of the KFD topology.
#include <cstddef>
#include <cstdint>

#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    for (auto const& [key, value] :
         parse_kfd_properties({reinterpret_cast<char const*>(data), size})) {
        if (key.empty() || key.find('\n') != key.npos) __builtin_trap();
        if (auto const name = gfx_target_name(value))
            if (!name->starts_with("gfx") || name->size() > 7) __builtin_trap();
        if (link_kind(value).empty()) __builtin_trap();
    }
    return 0;
}
