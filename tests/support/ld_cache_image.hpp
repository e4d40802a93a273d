// SPDX-License-Identifier: MIT
// Writes /etc/ld.so.cache as ldconfig would (glibc sysdeps/generic/dl-cache.h), for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune::test {

struct CacheRow {
    std::string name;
    std::string path;
    std::uint32_t flags = 0x0303;  ///< FLAG_ELF_LIBC6 | FLAG_X8664_LIB64
    std::uint64_t hwcap = 0;
};

inline std::string little_endian(std::uint64_t value, std::size_t size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
    return bytes;
}

/// The format that glibc writes since 2.32.
inline std::string cache_image(std::vector<CacheRow> const& rows) {
    std::string table;
    std::string strings;
    auto const start = 48 + rows.size() * 24;
    auto const add = [&](std::string const& text) {
        auto const at = start + strings.size();
        strings += text + '\0';
        return little_endian(at, 4);
    };
    for (auto const& row : rows) {
        auto const key = add(row.name);
        auto const value = add(row.path);
        table += little_endian(row.flags, 4) + key + value + little_endian(0, 4) +
                 little_endian(row.hwcap, 8);
    }
    return "glibc-ld.so.cache1.1" + little_endian(rows.size(), 4) +
           little_endian(strings.size(), 4) + std::string(20, '\0') + table + strings;
}

/// The same behind a table in the format before glibc 2.2, as versions up to 2.31 wrote it.
inline std::string combined_cache_image(std::vector<CacheRow> const& rows) {
    std::string old = "ld.so-1.7.0" + std::string(1, '\0') + little_endian(rows.size(), 4) +
                      std::string(rows.size() * 12, '\0');
    old.resize((old.size() + 7) / 8 * 8);
    return old + cache_image(rows);
}

}  // namespace rocmtune::test
