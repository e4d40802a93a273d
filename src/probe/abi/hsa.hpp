// SPDX-License-Identifier: MIT
// The part of the ROCr runtime's binary interface that we call: libhsa-runtime64.so.1 of every
// release. References: hsa.h and hsa_ext_amd.h of ROCm/ROCR-Runtime, tag rocm-5.2.3; the HSA
// specification 1.1 fixes the first. tests/probe/abi_test.cpp compares with the installed header.
#pragma once

#include <cstdint>

namespace rocmtune::abi::hsa {

/// hsa_status_t.
inline constexpr int success = 0;
/// What hsa_init answers without a usable /dev/kfd (ROCr: hsaKmtOpenKFD failed).
inline constexpr int out_of_resources = 0x1008;

/// hsa_agent_t: one 64-bit handle, passed by value.
struct Agent {
    std::uint64_t handle;
};

/// hsa_agent_info_t and hsa_amd_agent_info_t.
enum AgentInfo : int {
    name = 0,                     ///< char[64], the gfx target
    wavefront_size = 6,           ///< uint32_t
    device_type = 17,             ///< hsa_device_type_t
    compute_unit_count = 0xA002,  ///< uint32_t
    driver_node_id = 0xA004,      ///< uint32_t
    bdf_id = 0xA006,              ///< uint32_t, as location_id of KFD
    product_name = 0xA009,        ///< char[64]
    domain = 0xA00F,              ///< uint32_t
    uuid = 0xA011,                ///< char[21]: GPU- and 16 digits, or GPU-XX for none
};

/// hsa_device_type_t.
inline constexpr int device_type_gpu = 1;

/// hsa_system_info_t.
enum SystemInfo : int {
    version_major = 0,  ///< uint16_t, of the specification
    version_minor = 1,  ///< uint16_t
};

using Init = int();
using AgentCallback = int(Agent agent, void* data);
using IterateAgents = int(AgentCallback* callback, void* data);
using AgentGetInfo = int(Agent agent, int attribute, void* value);
using SystemGetInfo = int(int attribute, void* value);

}  // namespace rocmtune::abi::hsa
