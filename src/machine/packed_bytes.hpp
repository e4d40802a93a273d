// SPDX-License-Identifier: MIT
// The start of what is compressed within a file: only as much is read and unpacked as is asked for.
#pragma once

#include "machine/library_files.hpp"

namespace rocmtune {

/// As LLVM numbers them (llvm/Support/Compression.h, compression::Format).
enum class Packing : std::uint16_t { zlib = 0, zstd = 1 };

/// At most `wanted` bytes of what is packed from `offset` to `end`. Fewer where it is shorter,
/// damaged or needs a window of more than 128 MiB; none of a kind that is not known.
std::string unpacked_start(ReadAt const& read, std::uint64_t offset, std::uint64_t end,
                           Packing packing, std::size_t wanted);

}  // namespace rocmtune
