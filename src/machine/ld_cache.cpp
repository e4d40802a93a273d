// SPDX-License-Identifier: MIT
// Parsers of the dynamic loader's files. The cache has a header, a table of entries and a string
// table; entries name their strings by offset from the start of the header.
#include "machine/ld_cache.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"

namespace rocmtune {
namespace {

// glibc sysdeps/generic/dl-cache.h: struct cache_file (before glibc 2.2) and cache_file_new.
constexpr std::string_view old_magic = "ld.so-1.7.0";
constexpr std::size_t old_header_bytes = 16;
constexpr std::size_t old_entry_bytes = 12;
constexpr std::string_view new_magic = "glibc-ld.so.cache1.1";
constexpr std::size_t new_header_bytes = 48;
constexpr std::size_t new_entry_bytes = 24;
constexpr std::size_t alignment = 8;  // of cache_file_new inside a file with both formats

/// A library directory has a few thousand entries; more of what we look for is no real cache.
constexpr std::size_t entry_limit = 4096;

/// Both callers have checked that the bytes are there.
std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
        value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

/// glibc sysdeps/generic/ldconfig.h: FLAG_ELF_LIBC6 (3) with the ABI in the second byte.
bool is_64_bit(std::uint64_t flags) {
    switch (flags) {
        case 0x0303:  // FLAG_X8664_LIB64
        case 0x0503:  // FLAG_POWERPC_LIB64
        case 0x0a03:  // FLAG_AARCH64_LIB64
        case 0x1003:  // FLAG_RISCV_FLOAT_ABI_DOUBLE
            return true;
        default: return false;
    }
}

/// The part of the file that holds the new format; empty if there is none.
std::string_view new_format(std::string_view bytes) {
    if (bytes.starts_with(old_magic) && bytes.size() >= old_header_bytes) {
        auto const count = little_endian(bytes, old_magic.size() + 1, 4);
        auto const end = old_header_bytes + count * old_entry_bytes;
        auto const start = (end + alignment - 1) / alignment * alignment;
        bytes.remove_prefix(std::min<std::uint64_t>(start, bytes.size()));
    }
    return bytes.starts_with(new_magic) && bytes.size() >= new_header_bytes ? bytes
                                                                            : std::string_view();
}

/// Of one string; PATH_MAX of Linux.
constexpr std::size_t string_limit = 4096;

/// A string ends with NUL inside the file; anything else is empty.
std::string_view string_at(std::string_view bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) return {};
    auto const rest = bytes.substr(offset, string_limit);
    auto const end = rest.find('\0');
    return end == rest.npos ? std::string_view() : rest.substr(0, end);
}

}  // namespace

std::optional<std::vector<LdCacheEntry>> parse_ld_cache(std::string_view bytes,
                                                        bool (*wanted)(std::string_view)) {
    bytes = new_format(bytes);
    if (bytes.empty()) return std::nullopt;
    auto const count = little_endian(bytes, new_magic.size(), 4);
    if (count > (bytes.size() - new_header_bytes) / new_entry_bytes) return std::nullopt;
    std::vector<LdCacheEntry> entries;
    for (std::size_t i = 0; i < count && entries.size() < entry_limit; ++i) {
        auto const at = new_header_bytes + i * new_entry_bytes;
        // An entry with hwcap bits is for some processors only; ROCm has no such builds.
        if (!is_64_bit(little_endian(bytes, at, 4)) || little_endian(bytes, at + 16, 8) != 0)
            continue;
        auto const name = string_at(bytes, little_endian(bytes, at + 4, 4));
        if (name.empty() || (wanted != nullptr && !wanted(name))) continue;
        auto const path = string_at(bytes, little_endian(bytes, at + 8, 4));
        if (path.starts_with('/')) entries.push_back({std::string(name), std::string(path)});
    }
    return entries;
}

std::vector<LdConfLine> parse_ld_conf(std::string_view text) {
    constexpr std::string_view include = "include";
    std::vector<LdConfLine> statements;
    for (auto line : lines(text)) {
        line = trim(line.substr(0, line.find('#')));
        auto const parts = words(line);
        if (parts.size() > 1 && parts[0] == include) {
            for (std::size_t i = 1; i < parts.size(); ++i) statements.push_back({true, parts[i]});
        } else if (line.starts_with('/')) {
            auto directory = trim(line.substr(0, line.find('=')));
            while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
            statements.push_back({false, directory});
        }
    }
    return statements;
}

bool fits_pattern(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t star = pattern.npos;
    std::size_t retry = 0;
    for (std::size_t n = 0; n < name.size();) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p, ++n;
        } else if (star != pattern.npos) {
            p = star + 1;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

}  // namespace rocmtune
