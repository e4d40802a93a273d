// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parsers of small configuration files and kernel text.
#include <cstddef>
#include <cstdint>

#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    for (auto const& [name, value] : parse_os_release(text))
        if (name.empty() || value.size() > size) __builtin_trap();
    auto const arguments = split_kernel_arguments(text);
    for (auto const& argument : arguments)
        if (argument.empty()) __builtin_trap();
    arguments_against_amdgpu(arguments);
    module_options_of(arguments);
    bracketed_word(text);
    kernel_release_in(text);
    modprobe_lines_against(text, "amdgpu");
    module_options_in(text);
    parse_group_file(text);
    return 0;
}
