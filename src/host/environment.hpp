// SPDX-License-Identifier: MIT
// The variables of a host's process that several judgements ask about.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// The variables that ROCr, HIP, OpenCL and PyTorch choose devices by.
inline constexpr std::array<std::string_view, 4> mask_names{
    "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"};
bool is_device_mask(std::string_view name);

/// HSA_OVERRIDE_GFX_VERSION, or for one GPU HSA_OVERRIDE_GFX_VERSION_N: the runtimes then report
/// another target than the hardware has.
bool is_gfx_override(std::string_view name);

/// The value of a variable; absent if it is not set, its value is hidden or nobody can tell.
std::optional<std::string> variable_of(Host const& host, std::string_view name);

/// Whether a variable is set, be its value hidden or not.
bool is_set(Host const& host, std::string_view name);

/// The overrides of the target that are set and not empty, by name.
std::map<std::string, std::string> gfx_overrides(Host const& host);

}  // namespace rocmtune
