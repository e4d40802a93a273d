// SPDX-License-Identifier: MIT
// The part of AMD SMI's binary interface that we call: handles and scalars only, because its
// structures change at almost every release (amdsmi_asic_info_t alone had 128, 256, 448, 456 and
// 896 bytes). References: amd_smi/amdsmi.h of ROCm/amdsmi, tags rocm-5.7.1, 6.0.2, 6.1.2, 6.2.2 and
// its changelog to 27.0. No distribution package of ours has the header, so no test compares with
// it.
#pragma once

#include <cstdint>

namespace rocmtune::abi::amdsmi {

/// amdsmi_status_t.
inline constexpr int success = 0;
inline constexpr int driver_not_loaded = 34;
inline constexpr int no_driver = 51;

inline constexpr std::uint64_t init_amd_gpus = 2;  ///< AMDSMI_INIT_AMD_GPUS
inline constexpr int memory_vram = 0;              ///< AMDSMI_MEM_TYPE_VRAM

using Handle = void*;  ///< amdsmi_socket_handle, amdsmi_processor_handle

/// amdsmi_bdf_t, the member as_uint: function in bits 2:0, device in 7:3, bus in 15:8, domain
/// above.
using Bdf = std::uint64_t;

using Init = int(std::uint64_t flags);
using GetSockets = int(std::uint32_t* count, Handle* sockets);
using GetProcessors = int(Handle socket, std::uint32_t* count, Handle* processors);
using GetBdf = int(Handle processor, Bdf* bdf);
using GetMemoryTotal = int(Handle processor, int type, std::uint64_t* bytes);

}  // namespace rocmtune::abi::amdsmi
