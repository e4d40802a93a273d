// SPDX-License-Identifier: MIT
// The parts that we call of the binary interfaces of AMD SMI, ROCr, ROCm SMI and HIP. Declared
// here because the tool must be built and must run without ROCm; tests/probe/abi_test.cpp
// compares with the installed headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rocmtune {

namespace abi::amdsmi {

// The part of AMD SMI's binary interface that we call: handles and scalars only, because its
// structures change at almost every release (amdsmi_asic_info_t alone had 128, 256, 448, 456 and
// 896 bytes). References: amd_smi/amdsmi.h of ROCm/amdsmi, tags rocm-5.7.1, 6.0.2, 6.1.2, 6.2.2 and
// its changelog to 27.0. No distribution package of ours has the header, so no test compares with
// it.

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

}  // namespace abi::amdsmi

namespace abi::hsa {

// The part of the ROCr runtime's binary interface that we call: libhsa-runtime64.so.1 of every
// release. References: hsa.h and hsa_ext_amd.h of ROCm/ROCR-Runtime, tag rocm-5.2.3; the HSA
// specification 1.1 fixes the first. tests/probe/abi_test.cpp compares with the installed header.

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

}  // namespace abi::hsa

namespace abi::rsmi {

// The part of ROCm SMI's binary interface that we call. Neither its soname nor rsmi_version_get
// tells which layout a library has: builders without its git tags number it 1.0.
// References: rocm_smi/rocm_smi.h of ROCm/rocm_smi_lib, tags rocm-5.2.3, 5.7.1, 6.0.0, 6.2.2;
// tests/probe/abi_test.cpp compares with the installed header.

/// rsmi_status_t.
inline constexpr int success = 0;
inline constexpr int init_error = 8;

/// RSMI_INIT_FLAG_THRAD_ONLY_MUTEX (6.1): locks of this process only. Without it a killed holder of
/// the lock in /dev/shm blocks every later user. Older versions ignore the bit.
inline constexpr std::uint64_t thread_only_mutex = 0x400000000000000;

inline constexpr int memory_vram = 0;   ///< RSMI_MEM_TYPE_VRAM
inline constexpr int clock_system = 0;  ///< RSMI_CLK_TYPE_SYS

/// rsmi_version_t.
struct Version {
    std::uint32_t major, minor, patch;
    char const* build;
};

/// Where rsmi_frequencies_t has its members: ROCm 6.0 put has_deep_sleep in front.
struct FrequencyLayout {
    std::size_t count;        ///< uint32_t
    std::size_t current;      ///< uint32_t, index
    std::size_t frequencies;  ///< uint64_t[max_frequencies], Hz
};
inline constexpr FrequencyLayout frequencies_v5{0, 4, 8};
inline constexpr FrequencyLayout frequencies_v6{4, 8, 16};
inline constexpr std::uint32_t max_frequencies_v5 = 32;  ///< RSMI_MAX_NUM_FREQUENCIES
/// Came in 6.0.0 together with the new layout and is in no 5.x release.
inline constexpr char const* symbol_of_v6 = "rsmi_dev_activity_metric_get";

/// More than any structure of any release has (rsmi_gpu_metrics_t of 7.0: 4544 bytes).
struct alignas(16) Buffer {
    std::array<char, 16384> bytes{};
};

using Init = int(std::uint64_t flags);
using NumMonitorDevices = int(std::uint32_t* count);
using VersionGet = int(Version* version);
using DeviceName = int(std::uint32_t device, char* name, std::size_t size);
using DeviceUint64 = int(std::uint32_t device, std::uint64_t* value);
using DeviceMemoryTotal = int(std::uint32_t device, int type, std::uint64_t* bytes);
using DeviceClock = int(std::uint32_t device, int type, void* frequencies);

}  // namespace abi::rsmi

namespace abi::hip {

// The part of the HIP runtime's binary interface that we call, valid for libamdhip64.so.5, 6 and 7
// (ROCm 5.2 to 10). Declared here because the tool must be built and must run without ROCm.
// References: hip/hip_runtime_api.h of ROCm/HIP, tags rocm-5.2.3, 5.7.1, 6.0.0, 6.2.2 and of
// ROCm/rocm-systems 2025; tests/probe/abi_test.cpp compares with the installed header.

/// hipError_t. The values that are no failure of ours to know; others are reported by number and
/// by the library's own name for them.
inline constexpr int success = 0;
inline constexpr int invalid_device = 101;
inline constexpr int no_device = 100;

/// hipDeviceAttribute_t. No enumerator moved between 5.0 and 7.2: the list only grows at its ends.
enum Attribute : int {
    clock_rate_khz = 5,
    integrated = 16,
    memory_bus_bits = 59,
    memory_clock_khz = 60,  ///< the highest (clr: HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY)
    multiprocessor_count = 63,
    warp_size = 87,
};

/// hipUUID: 16 bytes, passed by pointer.
using Uuid = std::array<char, 16>;

/// hipDeviceProp_t grew in the middle with HIP 6, and with it its function got a new name. We only
/// read gcnArchName, char[256], for which there is no attribute.
inline constexpr std::size_t arch_name_offset_r0000 = 396;   ///< hipGetDeviceProperties, always
inline constexpr std::size_t arch_name_offset_r0600 = 1160;  ///< hipGetDevicePropertiesR0600
inline constexpr std::size_t arch_name_size = 256;

/// More than any version of the structure has (792 and 1472 bytes).
struct alignas(16) Properties {
    std::array<char, 16384> bytes{};
};

// Device arguments are ordinals (hipDevice_t is int), hipError_t is returned as its number.
using GetDeviceCount = int(int* count);
using DeviceGetName = int(char* name, int size, int device);
using DeviceGetPciBusId = int(char* address, int size, int device);
using DeviceGetUuid = int(Uuid* uuid, int device);
using DeviceTotalMem = int(std::size_t* bytes, int device);
using DeviceGetAttribute = int(int* value, int attribute, int device);
using GetDeviceProperties = int(void* properties, int device);
using RuntimeGetVersion = int(int* version);
using GetErrorName = char const*(int error);
using SetDevice = int(int device);
using Malloc = int(void** memory, std::size_t bytes);
using Free = int(void* memory);
using Memcpy = int(void* to, void const* from, std::size_t bytes, int kind);

/// hipMemcpyKind
inline constexpr int host_to_device = 1;
inline constexpr int device_to_host = 2;

/// hipRuntimeGetVersion: major * 10^7 + minor * 10^5 + patch (HIP_VERSION in hip_version.h).
struct Version {
    int major, minor, patch;
};
constexpr Version decode_version(int number) {
    return {number / 10'000'000, number / 100'000 % 100, number % 100'000};
}

/// hiprtcVersion of hip/hiprtc.h. Every release so far answers 9.0, so it is no version.
using RtcVersion = int(int* major, int* minor);

}  // namespace abi::hip

}  // namespace rocmtune
