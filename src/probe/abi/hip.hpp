// SPDX-License-Identifier: MIT
// The part of the HIP runtime's binary interface that we call, valid for libamdhip64.so.5, 6 and 7
// (ROCm 5.2 to 10). Declared here because the tool must be built and must run without ROCm.
// References: hip/hip_runtime_api.h of ROCm/HIP, tags rocm-5.2.3, 5.7.1, 6.0.0, 6.2.2 and of
// ROCm/rocm-systems 2025; tests/probe/abi_test.cpp compares with the installed header.
#pragma once

#include <array>
#include <cstddef>

namespace rocmtune::abi::hip {

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

}  // namespace rocmtune::abi::hip
