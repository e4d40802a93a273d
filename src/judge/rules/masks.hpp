// SPDX-License-Identifier: MIT
// How ROCr, HIP and PyTorch read their device masks. Each parser does what the component's own
// source does, oddities included; nothing here knows a host.
//
// Read: rocm-systems 92bf721e (amd_filter_device.cpp), 01280b9d (rocdevice.cpp), 02fcd1b9
// (flags.cpp); pytorch torch/cuda/__init__.py of 2026. Older releases differ in this:
//   HIP_VISIBLE_DEVICES= hides every GPU      since clr b5799c4db of October 2022; before it, as if
//                                             it were not set (seen in Debian's 5.2.3)
//   GPU-<uuid> in HIP_VISIBLE_DEVICES         since clr 52db98edd, ROCm 6.2; before it, a bad token
//   GPU-<uuid> counted by PyTorch itself      in newer ones; before them, HIP's count
#pragma once

#include <optional>
#include <string>
#include <vector>

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

}  // namespace rocmtune
