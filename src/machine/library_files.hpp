// SPDX-License-Identifier: MIT
// The places where the dynamic loader looks on every host, and parsers of its files:
// /etc/ld.so.cache, /etc/ld.so.conf and the dynamic section of ELF files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

inline constexpr std::string_view ld_cache_path = "/etc/ld.so.cache";

/// Compiled into the loader: Debian and its children use the multiarch ones, others lib64.
inline constexpr std::array<std::string_view, 10> default_library_directories{
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib/powerpc64le-linux-gnu",
    "/usr/lib/powerpc64le-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib"};

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

// What the dynamic loader reads of a library before it loads it: which others it needs, and where
// it wants them to be looked for.

/// The dynamic section of an ELF file (elf(5)), as far as it leads to other files.
struct ElfDynamic {
    std::string soname;               ///< DT_SONAME; empty if it has none
    std::vector<std::string> needed;  ///< DT_NEEDED, DT_FILTER and DT_AUXILIARY, in their order
    std::vector<std::string> search;  ///< DT_RPATH and DT_RUNPATH as they are written
};

/// Gives the bytes at an offset of a file: fewer than `size` where it ends.
using ReadAt = std::function<std::string(std::uint64_t offset, std::size_t size)>;

/// Nothing if this is no 64-bit little-endian ELF file with a dynamic section, or one that says
/// more than a library has reason to: 128 segments, 4096 entries, strings of 4096 bytes. Reads
/// little of the file, however large it is.
std::optional<ElfDynamic> read_elf_dynamic(ReadAt const& read);

// The libraries that root has chosen for every program: what ldconfig has listed in
// /etc/ld.so.cache, and the loader's default directories.

class SystemLibraries {
  public:
    SystemLibraries();

    /// The files that a program may get for a name that is on no search path of its own.
    std::vector<std::string> files(std::string const& name) const;
    /// Whether they are looked for in this directory.
    bool are_in(std::string const& directory) const;

  private:
    std::vector<LdCacheEntry> entries_;
    std::set<std::string> directories_;  ///< links followed
};

/// Those of this machine, read once.
SystemLibraries const& system_libraries();

}  // namespace rocmtune
