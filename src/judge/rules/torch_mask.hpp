// SPDX-License-Identifier: MIT
// How PyTorch counts devices by itself (torch/cuda/__init__.py: _parse_visible_devices,
// _device_count_amdsmi, _transform_uuid_to_ordinals). The count need not be HIP's.
#pragma once

#include "judge/rules/masks.hpp"

namespace rocmtune {

/// The list that PyTorch reads out of the variables.
struct TorchMask {
    std::optional<std::string> variable = {};  ///< where it comes from
    std::optional<std::string> error = {};     ///< the exception that reading it raises
    bool uuids = false;
    /// Numbers in canonical decimal, of any size; or UUIDs as they stand.
    std::vector<std::string> items = {};
};

TorchMask parse_torch_mask(MaskValue const& rocr, MaskValue const& hip, MaskValue const& cuda);

/// torch.cuda.device_count() where amdsmi lists `listed` GPUs, for a mask of numbers.
std::size_t torch_count(TorchMask const& mask, std::size_t listed);

/// The same for a mask of UUIDs; absent if it depends on a UUID that is not known.
std::optional<std::size_t> torch_uuid_count(TorchMask const& mask,
                                            std::vector<DeviceId> const& listed);

}  // namespace rocmtune
