// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parsers of what caches say of themselves.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    if (auto const target = miopen_target(text); target && !text.starts_with(*target))
        __builtin_trap();
    (void)is_miopen_database(text);
    if (tunableop_file(text, 7).size() > size + 1) __builtin_trap();
    auto const head = parse_file_head(text);
    if (!head) return 0;
    auto const fault = sqlite_fault(*head, false);
    // A log can only explain what would be a fault without one.
    if (sqlite_fault(*head, true) && !fault) __builtin_trap();
    if (fault && printable(*fault) != *fault) __builtin_trap();
    for (auto const& [key, value] : tunableop_validators(*head))
        if (printable(key) != key || printable(value) != value) __builtin_trap();
    return 0;
}
