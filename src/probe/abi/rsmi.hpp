// SPDX-License-Identifier: MIT
// The part of ROCm SMI's binary interface that we call. Neither its soname nor rsmi_version_get
// tells which layout a library has: builders without its git tags number it 1.0.
// References: rocm_smi/rocm_smi.h of ROCm/rocm_smi_lib, tags rocm-5.2.3, 5.7.1, 6.0.0, 6.2.2;
// tests/probe/abi_test.cpp compares with the installed header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rocmtune::abi::rsmi {

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

}  // namespace rocmtune::abi::rsmi
