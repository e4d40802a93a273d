// SPDX-License-Identifier: MIT
// How ROCr, HIP and PyTorch read their device masks. Each parser does what the component's own
// source does, oddities included; nothing here knows a host.
//
// Read: rocm-systems 92bf721e (amd_filter_device.cpp), 01280b9d (rocdevice.cpp), 02fcd1b9
// (flags.cpp); pytorch torch/cuda/__init__.py of 2026. Older releases differ in this:
//   HIP_VISIBLE_DEVICES= hides every GPU      since clr b5799c4db, ROCm 5.5; before it, as if
//                                             it were not set (seen in Debian's 5.2.3)
//   GPU-<uuid> in HIP_VISIBLE_DEVICES         since clr 52db98edd, ROCm 6.2; before it, a bad token
//   GPU-<uuid> counted by PyTorch itself      in newer ones; before them, HIP's count
//
// How PyTorch counts devices by itself (torch/cuda/__init__.py: _parse_visible_devices,
// _device_count_amdsmi, _transform_uuid_to_ordinals). The count need not be HIP's.
//
// The GPUs that libhsakmt gives to ROCr, before any mask.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// What identifies one GPU to a parser.
struct DeviceId {
    std::string unique_id = {};  ///< 16 hexadecimal digits in lower case; empty: it has none
    bool known = true;           ///< false if the host did not say whether it has one
};

/// What a mask selects: indices into the list that the parser was given.
struct MaskSelection {
    std::vector<std::size_t> indices = {};
    std::vector<std::string> notes = {};
    bool decided = false;  ///< a variable was read; false: all devices, because nothing is set
    bool unknown = false;  ///< it depends on a UUID that is not known
};

using MaskValue = std::optional<std::string>;  ///< absent: the variable is not set

/// ROCR_VISIBLE_DEVICES over the GPU nodes of KFD (RvdFilter).
MaskSelection select_rocr(MaskValue const& rocr, std::vector<DeviceId> const& devices);

/// HIP_VISIBLE_DEVICES, or CUDA_VISIBLE_DEVICES if that is not set, over ROCr's devices
/// (roc::Device::init). `reads_cuda` says which of the two decided.
struct HipSelection : MaskSelection {
    bool reads_cuda = false;
};
HipSelection select_hip(MaskValue const& hip, MaskValue const& cuda,
                        std::vector<DeviceId> const& devices);

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

struct HsakmtGpus {
    std::vector<Gpu const*> gpus = {};    ///< in the order of their KFD nodes
    std::vector<std::string> notes = {};  ///< devices left out, failures, assumptions
    bool known = true;
    bool complete = true;  ///< no device was left out: other tools list the same ones
};

/// @returns pointers into `host`.
HsakmtGpus hsakmt_gpus(Host const& host);

/// What the runtimes identify a GPU by.
DeviceId device_id(Gpu const& gpu);

}  // namespace rocmtune
