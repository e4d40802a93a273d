// SPDX-License-Identifier: MIT
// Requirements stand in metadata of any package: any text is read or is none.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "judge/builds/breaks.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const requirement = parse_requirement(text);
    if (requirement && requirement->name.empty()) std::abort();
    if (requirement) (void)fits("2.14.0+rocm10.1.0", requirement->specifiers);
    (void)fits(text, ">=2.4,<3");
    return 0;
}
