// SPDX-License-Identifier: MIT
// What the dynamic loader reads of a library before it loads it: which others it needs, and where
// it wants them to be looked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rocmtune {

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

}  // namespace rocmtune
