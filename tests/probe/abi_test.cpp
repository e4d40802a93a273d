// SPDX-License-Identifier: MIT
// Our declarations of other people's interfaces, compared with the installed headers at compile
// time. Without a header its part is empty.
#include <cstddef>
#include <type_traits>

#include <gtest/gtest.h>

#include "probe/abi.hpp"

#if __has_include(<hip/hip_runtime_api.h>)
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#define HAS_HIP 1
#if __has_include(<hip/hiprtc.h>)
#include <hip/hiprtc.h>
#define HAS_HIPRTC 1
#endif
#endif
#if __has_include(<hsa/hsa_ext_amd.h>)
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#define HAS_HSA 1
#endif
#if __has_include(<rocm_smi/rocm_smi.h>)
#include <rocm_smi/rocm_smi.h>
#define HAS_RSMI 1
#endif

namespace rocmtune::test {
namespace {

namespace hip = abi::hip;
namespace hsa = abi::hsa;
namespace rsmi = abi::rsmi;

/// Whether two types are passed alike: both pointers (to functions included), both enumerations or
/// integers of one size, or classes of one size.
template <class Ours, class Theirs>
constexpr bool passed_alike() {
    if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
        return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
    else if constexpr (std::is_class_v<Ours> || std::is_class_v<Theirs>)
        return std::is_class_v<Ours> && std::is_class_v<Theirs> && sizeof(Ours) == sizeof(Theirs);
    else return sizeof(Ours) == sizeof(Theirs);
}

template <class Ours, class Theirs>
struct Same : std::false_type {};

template <class R1, class... A1, class R2, class... A2>
requires(sizeof...(A1) == sizeof...(A2)) struct Same<R1(A1...), R2(A2...)>
    : std::bool_constant<passed_alike<R1, R2>() && (passed_alike<A1, A2>() && ...)> {
};

/// `Ours` is a function type of ours, `function` a function of theirs.
template <class Ours, class Theirs>
constexpr bool same(Theirs*) {
    return Same<Ours, Theirs>::value;
}

static_assert(Same<int(char*, unsigned), int(void*, int)>::value);
static_assert(!Same<int(char*), int(char*, int)>::value);
static_assert(!Same<int(char*), int(long)>::value);

#ifdef HAS_HIP
static_assert(hip::success == hipSuccess);
static_assert(hip::no_device == hipErrorNoDevice);
static_assert(hip::invalid_device == hipErrorInvalidDevice);
static_assert(hip::clock_rate_khz == int{hipDeviceAttributeClockRate});
static_assert(hip::integrated == int{hipDeviceAttributeIntegrated});
static_assert(hip::memory_bus_bits == int{hipDeviceAttributeMemoryBusWidth});
static_assert(hip::memory_clock_khz == int{hipDeviceAttributeMemoryClockRate});
static_assert(hip::multiprocessor_count == int{hipDeviceAttributeMultiprocessorCount});
static_assert(hip::warp_size == int{hipDeviceAttributeWarpSize});
static_assert(sizeof(hip::Uuid) == sizeof(hipUUID));
static_assert(sizeof(hip::Properties) > sizeof(hipDeviceProp_t));
static_assert(sizeof(hipDeviceProp_t::gcnArchName) == hip::arch_name_size);
#if HIP_VERSION_MAJOR < 6
static_assert(offsetof(hipDeviceProp_t, gcnArchName) == hip::arch_name_offset_r0000);
#else
static_assert(offsetof(hipDeviceProp_t, gcnArchName) == hip::arch_name_offset_r0600);
#endif
static_assert(hip::decode_version(HIP_VERSION).major == HIP_VERSION_MAJOR);
static_assert(hip::decode_version(HIP_VERSION).minor == HIP_VERSION_MINOR);
static_assert(hip::decode_version(HIP_VERSION).patch == HIP_VERSION_PATCH);
static_assert(same<hip::GetDeviceCount>(&::hipGetDeviceCount));
static_assert(same<hip::DeviceGetName>(&::hipDeviceGetName));
static_assert(same<hip::DeviceGetPciBusId>(&::hipDeviceGetPCIBusId));
static_assert(same<hip::DeviceGetUuid>(&::hipDeviceGetUuid));
static_assert(same<hip::DeviceTotalMem>(&::hipDeviceTotalMem));
static_assert(same<hip::DeviceGetAttribute>(&::hipDeviceGetAttribute));
static_assert(same<hip::GetDeviceProperties>(&::hipGetDeviceProperties));
static_assert(same<hip::RuntimeGetVersion>(&::hipRuntimeGetVersion));
static_assert(same<hip::GetErrorName>(&::hipGetErrorName));
static_assert(same<hip::SetDevice>(&::hipSetDevice));
static_assert(same<hip::Malloc>(static_cast<hipError_t (*)(void**, std::size_t)>(&::hipMalloc)));
static_assert(same<hip::Free>(&::hipFree));
static_assert(hip::host_to_device == int{hipMemcpyHostToDevice});
static_assert(hip::device_to_host == int{hipMemcpyDeviceToHost});
#endif

#ifdef HAS_HIPRTC
static_assert(same<hip::RtcVersion>(&::hiprtcVersion));
#endif

#ifdef HAS_HSA
static_assert(hsa::success == HSA_STATUS_SUCCESS);
static_assert(hsa::out_of_resources == HSA_STATUS_ERROR_OUT_OF_RESOURCES);
static_assert(hsa::name == int{HSA_AGENT_INFO_NAME});
static_assert(hsa::wavefront_size == int{HSA_AGENT_INFO_WAVEFRONT_SIZE});
static_assert(hsa::device_type == int{HSA_AGENT_INFO_DEVICE});
static_assert(hsa::compute_unit_count == int{HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT});
static_assert(hsa::driver_node_id == int{HSA_AMD_AGENT_INFO_DRIVER_NODE_ID});
static_assert(hsa::bdf_id == int{HSA_AMD_AGENT_INFO_BDFID});
static_assert(hsa::product_name == int{HSA_AMD_AGENT_INFO_PRODUCT_NAME});
static_assert(hsa::domain == int{HSA_AMD_AGENT_INFO_DOMAIN});
static_assert(hsa::uuid == int{HSA_AMD_AGENT_INFO_UUID});
static_assert(hsa::device_type_gpu == HSA_DEVICE_TYPE_GPU);
static_assert(hsa::version_major == int{HSA_SYSTEM_INFO_VERSION_MAJOR});
static_assert(hsa::version_minor == int{HSA_SYSTEM_INFO_VERSION_MINOR});
static_assert(sizeof(hsa::Agent) == sizeof(hsa_agent_t));
static_assert(same<hsa::Init>(&::hsa_init));
static_assert(same<hsa::IterateAgents>(&::hsa_iterate_agents));
static_assert(same<hsa::AgentGetInfo>(&::hsa_agent_get_info));
static_assert(same<hsa::SystemGetInfo>(&::hsa_system_get_info));
#endif

#ifdef HAS_RSMI
static_assert(rsmi::success == RSMI_STATUS_SUCCESS);
static_assert(rsmi::init_error == RSMI_STATUS_INIT_ERROR);
static_assert(rsmi::memory_vram == RSMI_MEM_TYPE_VRAM);
static_assert(rsmi::clock_system == RSMI_CLK_TYPE_SYS);
static_assert(sizeof(rsmi::Version) == sizeof(rsmi_version_t));
static_assert(offsetof(rsmi::Version, major) == offsetof(rsmi_version_t, major));
static_assert(offsetof(rsmi::Version, minor) == offsetof(rsmi_version_t, minor));
static_assert(offsetof(rsmi::Version, patch) == offsetof(rsmi_version_t, patch));
static_assert(offsetof(rsmi::Version, build) == offsetof(rsmi_version_t, build));
static_assert(sizeof(rsmi_frequencies_t::frequency[0]) == sizeof(std::uint64_t));
static_assert(sizeof(rsmi::Buffer) > sizeof(rsmi_frequencies_t));
static_assert(rsmi::max_frequencies_v5 <= RSMI_MAX_NUM_FREQUENCIES);
constexpr auto const& layout =
    sizeof(rsmi_frequencies_t) < 280 ? rsmi::frequencies_v5 : rsmi::frequencies_v6;
static_assert(offsetof(rsmi_frequencies_t, num_supported) == layout.count);
static_assert(offsetof(rsmi_frequencies_t, current) == layout.current);
static_assert(offsetof(rsmi_frequencies_t, frequency) == layout.frequencies);
static_assert(same<rsmi::Init>(&::rsmi_init));
static_assert(same<rsmi::NumMonitorDevices>(&::rsmi_num_monitor_devices));
static_assert(same<rsmi::VersionGet>(&::rsmi_version_get));
static_assert(same<rsmi::DeviceName>(&::rsmi_dev_name_get));
static_assert(same<rsmi::DeviceUint64>(&::rsmi_dev_pci_id_get));
static_assert(same<rsmi::DeviceUint64>(&::rsmi_dev_unique_id_get));
static_assert(same<rsmi::DeviceMemoryTotal>(&::rsmi_dev_memory_total_get));
static_assert(same<rsmi::DeviceClock>(&::rsmi_dev_gpu_clk_freq_get));
#endif

TEST(Abi, is_that_of_the_installed_headers) {
    std::string compared;
#ifdef HAS_HIP
    compared +=
        " HIP " + std::to_string(HIP_VERSION_MAJOR) + '.' + std::to_string(HIP_VERSION_MINOR);
#endif
#ifdef HAS_HSA
    compared += " HSA";
#endif
#ifdef HAS_RSMI
    compared += " ROCm SMI";
#endif
    if (compared.empty()) GTEST_SKIP() << "no ROCm header is installed";
    RecordProperty("compared", compared);
}

TEST(HipVersion, is_decoded_from_its_number) {
    auto const version = hip::decode_version(50221153);  // of Debian's libamdhip64-5
    EXPECT_EQ(version.major, 5);
    EXPECT_EQ(version.minor, 2);
    EXPECT_EQ(version.patch, 21153);
}

}  // namespace
}  // namespace rocmtune::test
