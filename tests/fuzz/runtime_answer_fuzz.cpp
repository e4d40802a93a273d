// SPDX-License-Identifier: MIT
// Worker answers in a recording come from anywhere.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "probe/runtime_answer.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const answer = rocmtune::parse_runtime_answer("hip", text);
    std::vector<rocmtune::Gpu> gpus(2);
    gpus[0].pci_address.offer("0000:03:00.0", {"kfd", "fuzz"});
    gpus[1].pci_address.offer("0000:03:00.0", {"kfd", "fuzz"});
    gpus[1].partition_index.offer(1, {"kfd", "fuzz"});
    auto const matches = rocmtune::match_devices(answer.devices, gpus, size % 2 == 0);
    if (matches.size() != answer.devices.size()) __builtin_trap();
    return 0;
}
