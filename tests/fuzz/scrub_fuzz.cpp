// SPDX-License-Identifier: MIT
// Texts of others through the scrubber: what was scrubbed once stays as it is.
#include <cstdint>
#include <cstdlib>

#include "knowledge/scrub.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string const text(reinterpret_cast<char const*>(data), size);
    auto const once = rocmtune::scrubbed(text);
    if (rocmtune::scrubbed(once) != once) std::abort();
    return 0;
}
