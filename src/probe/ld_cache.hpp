// SPDX-License-Identifier: MIT
// Parsers of the dynamic loader's files: /etc/ld.so.cache and /etc/ld.so.conf.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// One library that ldconfig found.
struct LdCacheEntry {
    std::string name;  ///< soname
    std::string path;  ///< file that the loader opens for it
};

/// The entries for 64-bit programs whose names `wanted` accepts (all if null), in the order of the
/// file: of several with the same name the loader takes the first. Little-endian only, as every
/// machine with an AMD GPU is. Nothing if this is no cache in a format that glibc 2.2 and newer
/// write (sysdeps/generic/dl-cache.h); the loader then ignores the file, too.
std::optional<std::vector<LdCacheEntry>> parse_ld_cache(std::string_view bytes,
                                                        bool (*wanted)(std::string_view) = nullptr);

/// One statement of ld.so.conf.
struct LdConfLine {
    bool is_include = false;
    std::string_view text;  ///< a directory, or the pattern of an include
};

/// Comments, `hwcap` lines and the old `=TYPE` suffix are left out (elf/ldconfig.c, parse_conf).
std::vector<LdConfLine> parse_ld_conf(std::string_view text);

/// Whether `name` fits a shell pattern with `*` and `?`.
bool fits_pattern(std::string_view pattern, std::string_view name);

}  // namespace rocmtune
