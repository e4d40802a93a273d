// SPDX-License-Identifier: MIT
// The text formats of amdgpu's ras directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// One counter file: lines "ue: N", "ce: N" and for memory "de: N" (Linux amdgpu_ras.c and
/// amdgpu_aca.c). Text without numbers, such as "Query currently inaccessible", is the problem.
RasBlock parse_ras_counters(std::string name, std::string_view text);

/// Pages by state in gpu_vram_bad_pages: lines "0x00000001 : 0x00001000 : R" with R retired,
/// P pending, F unreservable.
struct BadPages {
    std::uint64_t retired = 0;
    std::uint64_t pending = 0;
    std::uint64_t unreservable = 0;
};

/// Nothing if a line has another format; an empty file means no bad pages.
std::optional<BadPages> parse_bad_pages(std::string_view text);

}  // namespace rocmtune
