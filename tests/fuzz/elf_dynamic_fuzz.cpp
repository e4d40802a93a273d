// SPDX-License-Identifier: MIT
// Any bytes as an ELF file with code for GPUs and as a search path.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "machine/device_code.hpp"
#include "machine/library_files.hpp"
#include "machine/trusted_library.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const file(reinterpret_cast<char const*>(data), size);
    ReadAt const read = [&](std::uint64_t offset, std::size_t wanted) {
        return offset < file.size() ? std::string(file.substr(offset, wanted)) : std::string();
    };
    auto const dynamic = read_elf_dynamic(read);
    if (dynamic)
        for (auto const& list : dynamic->search)
            if (list.find('\0') != list.npos) std::abort();
    if (auto const code = read_device_code(read))
        for (auto const& target : code->targets)
            if (!target.starts_with("gfx") && target != "amdgcnspirv") std::abort();
    std::size_t bytes = 0;
    for (auto const element : split_search_path(file, ":;")) {
        bytes += element.size() + 1;
        if (element.find_first_of(":;") != element.npos) std::abort();
        auto const expanded = expand_origin(element, "/origin");
        if (expanded && element.find('$') == element.npos && *expanded != element) std::abort();
    }
    if (!file.empty() && bytes != file.size() + 1) std::abort();
    return 0;
}
