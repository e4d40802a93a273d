// SPDX-License-Identifier: MIT
// Any bytes as /etc/ld.so.cache, ld.so.conf, dpkg's status and as library names.
#include <cstdint>
#include <cstdlib>

#include "base/text.hpp"
#include "machine/library_files.hpp"
#include "probe/loader.hpp"
#include "probe/rocm_discovery.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    if (auto const entries = parse_ld_cache(text))
        for (auto const& entry : *entries)
            if (entry.name.empty() || !entry.path.starts_with('/')) std::abort();
    parse_ld_cache(text,
                   [](std::string_view name) { return parse_library_file(name).has_value(); });
    for (auto const& line : parse_ld_conf(text)) {
        if (!line.is_include && !line.text.starts_with('/')) std::abort();
        fits_pattern(line.text, text.substr(0, 256));
    }
    for (auto const line : lines(text)) {
        auto const file = parse_library_file(line);
        if (file && (!line.starts_with("lib") || file->major().size() > line.size())) std::abort();
    }
    find_debian_package(text, "libamdhip64-");
    return 0;
}
