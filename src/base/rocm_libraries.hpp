// SPDX-License-Identifier: MIT
// The libraries of ROCm that probe looks for in each installation. Of others nothing is known.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rocmtune {

/// What diagnosis and tuning ask about: runtime, compiler, monitoring, math, communication.
inline constexpr std::array<std::string_view, 17> rocm_libraries{
    "libamdhip64",  "libhiprtc",  "libhsa-runtime64", "libamd_comgr", "librocm_smi64",
    "libamd_smi",   "librocblas", "libhipblaslt",     "libhipblas",   "librocsolver",
    "librocsparse", "librocfft",  "librocrand",       "libMIOpen",    "libmigraphx",
    "librccl",      "librocdxg"};

constexpr bool is_known_rocm_library(std::string_view name) {
    return std::ranges::find(rocm_libraries, name) != rocm_libraries.end();
}

}  // namespace rocmtune
