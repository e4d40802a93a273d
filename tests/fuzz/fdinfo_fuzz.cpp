// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parsers of /proc/PID: fdinfo, status and cgroup.
#include <cstddef>
#include <cstdint>

#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    if (auto const client = parse_fdinfo(text))
        if (!parse_pci_address(client->pci_address)) __builtin_trap();
    status_value(text, "Seccomp");
    container_in_cgroup(text);
    return 0;
}
