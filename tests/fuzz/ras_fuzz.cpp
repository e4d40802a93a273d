// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parsers of amdgpu's ras directory.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const block = parse_ras_counters("umc", text);
    if (!block.uncorrectable && !block.correctable && !block.deferred && !block.problem)
        __builtin_trap();
    if (block.problem && printable(*block.problem) != *block.problem) __builtin_trap();
    if (auto const pages = parse_bad_pages(text))
        if (pages->retired + pages->pending + pages->unreservable > size) __builtin_trap();
    return 0;
}
