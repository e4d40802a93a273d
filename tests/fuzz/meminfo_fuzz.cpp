// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parsers of memory and processors.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    meminfo_value(text, "MemTotal");
    auto const info = parse_cpuinfo(text);
    if (info.cores && (*info.cores > info.threads || *info.sockets > *info.cores)) __builtin_trap();
    if (auto const cpus = parse_cpu_list(text))
        if (!std::is_sorted(cpus->begin(), cpus->end()) || cpus->size() > 65536) __builtin_trap();
    return 0;
}
