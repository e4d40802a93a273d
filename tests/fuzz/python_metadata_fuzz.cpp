// SPDX-License-Identifier: MIT
// Any bytes as a package's metadata, as torch/version.py and as file names.
#include <cstdint>
#include <cstdlib>

#include "base/text.hpp"
#include "probe/python_environment.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const metadata = parse_package_metadata(text);
    if (metadata.name.find('\n') != metadata.name.npos) std::abort();
    for (auto const* const name : {"hip", "cuda", "rocm"})
        if (auto const constant = find_python_constant(text, name))
            if (constant->is_none && !constant->text.empty()) std::abort();
    for (auto const line : lines(text)) {
        if (auto const entry = parse_metadata_entry(line))
            if (entry->name != normalised_name(entry->name) && !entry->name.empty()) std::abort();
        if (auto const target = gfx_target_in(line))
            if (!target->starts_with("gfx") || target->size() > 20) std::abort();
        if (auto const version = rocm_version_in(line))
            if (!is_python_version(*version) && version->size() <= 80) std::abort();
    }
    return 0;
}
