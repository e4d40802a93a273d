// SPDX-License-Identifier: MIT
// libamdhip64.so.FAKE_MAJOR: 5 has the old structure only, from 6 on both; up to 6 with hipRTC.
#include <algorithm>
#include <map>
#include <new>
#include <sstream>

#include "fake.hpp"
#include "hip_properties.hpp"

namespace {

// hipError_t
constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int no_device = 100;
constexpr int invalid_device = 101;

constexpr int version() {
    switch (FAKE_MAJOR) {
        case 5: return 50221153;
        case 6: return 60241134;
        case 7: return 70051831;
        default: return FAKE_MAJOR * 10'000'000;
    }
}

/// hipDeviceAttribute_t of hip_runtime_api.h, no value of which ever moved.
std::map<int, int> attributes(fake::Gpu const& gpu) {
    return {{5, 2'000'000},
            {16, 0},
            {19, 8 << 20},    // L2 bytes
            {59, 4096},       // memory bus, bits
            {60, 1'600'000},  // memory clock, kHz
            {63, gpu.compute_units},
            {67, static_cast<int>(gpu.bus)},
            {68, static_cast<int>(gpu.device)},
            {69, static_cast<int>(gpu.domain)},
            {74, 65536},  // LDS bytes of a block
            {87, gpu.wavefront()}};
}

/// What FAKE_ATTRIBUTES="NUMBER=VALUE ..." has for this one.
std::optional<int> told(int attribute) {
    char const* const text = std::getenv("FAKE_ATTRIBUTES");
    std::istringstream all(text != nullptr ? text : "");
    char equals = 0;
    for (int number = 0, value = 0; all >> number >> equals >> value;)
        if (number == attribute) return value;
    return std::nullopt;
}

template <class Properties>
int properties_of(void* room, int device) {
    auto const* const gpu = fake::gpu(device);
    if (gpu == nullptr) return invalid_device;
    auto& it = *new (room) Properties{};
    fake::put_text(it.name, sizeof it.name, gpu->name);
    fake::put_text(it.arch_name, sizeof it.arch_name, gpu->target);
    it.total_global_memory = gpu->memory_bytes;
    it.warp_size = gpu->wavefront();
    it.multiprocessor_count = gpu->compute_units;
    it.pci_domain = static_cast<std::int32_t>(gpu->domain);
    it.pci_bus = static_cast<std::int32_t>(gpu->bus);
    it.pci_device = static_cast<std::int32_t>(gpu->device);
    return success;
}

}  // namespace

FAKE_EXPORT int hipInit(unsigned) {
    FAKE_ENTRY();
    return fake::gpus().empty() ? invalid_device : success;
}
FAKE_EXPORT int hipGetDeviceCount(int* count) {
    FAKE_ENTRY();
    *count = fake::count_of(__func__, fake::gpus().size());
    return *count == 0 ? no_device : success;
}
FAKE_EXPORT int hipDeviceGet(int* device, int ordinal) {
    FAKE_ENTRY();
    *device = ordinal;
    return fake::gpu(ordinal) != nullptr ? success : invalid_device;
}
FAKE_EXPORT int hipDeviceGetName(char* name, int size, int device) {
    FAKE_ENTRY();
    auto const* const gpu = fake::gpu(device);
    if (gpu == nullptr) return invalid_device;
    fake::put_text(name, static_cast<std::size_t>(size), gpu->name);
    return success;
}
FAKE_EXPORT int hipDeviceGetPCIBusId(char* address, int size, int device) {
    FAKE_ENTRY();
    auto const* const gpu = fake::gpu(device);
    if (gpu == nullptr) return invalid_device;
    fake::put_text(address, static_cast<std::size_t>(size), gpu->address());
    return success;
}
FAKE_EXPORT int hipDeviceGetByPCIBusId(int* device, char const* address) {
    FAKE_ENTRY();
    auto const& all = fake::gpus();
    auto const found = std::ranges::find(all, address, &fake::Gpu::address);
    *device = static_cast<int>(found - all.begin());
    return found != all.end() ? success : invalid_value;
}
/// The 16 digits of ROCr's UUID, as clr copies them.
FAKE_EXPORT int hipDeviceGetUuid(char* uuid, int device) {
    FAKE_ENTRY();
    auto const* const gpu = fake::gpu(device);
    if (gpu == nullptr) return invalid_device;
    fake::put_text(uuid, 16, gpu->uuid().substr(4));
    return success;
}
FAKE_EXPORT int hipDeviceTotalMem(std::size_t* bytes, int device) {
    FAKE_ENTRY();
    auto const* const gpu = fake::gpu(device);
    if (gpu == nullptr) return invalid_device;
    *bytes = gpu->memory_bytes;
    return success;
}
FAKE_EXPORT int hipDeviceGetAttribute(int* value, int attribute, int device) {
    FAKE_ENTRY();
    auto const* const gpu = fake::gpu(device);
    if (gpu == nullptr) return invalid_device;
    auto const known = attributes(*gpu);
    auto const found = known.find(attribute);
    if (found == known.end()) return invalid_value;
    *value = told(attribute).value_or(found->second);
    return success;
}
FAKE_EXPORT int hipGetDeviceProperties(void* properties, int device) {
    FAKE_ENTRY();
    return properties_of<fake::PropertiesR0000>(properties, device);
}
#if FAKE_MAJOR >= 6
FAKE_EXPORT int hipGetDevicePropertiesR0600(void* properties, int device) {
    FAKE_ENTRY();
    return properties_of<fake::PropertiesR0600>(properties, device);
}
#endif
FAKE_EXPORT int hipRuntimeGetVersion(int* number) {
    FAKE_ENTRY();
    *number = version();
    return success;
}
FAKE_EXPORT int hipDriverGetVersion(int* number) {
    FAKE_ENTRY();
    *number = version();
    return success;
}
FAKE_EXPORT char const* hipGetErrorName(int error) {
    switch (error) {
        case success: return "hipSuccess";
        case invalid_value: return "hipErrorInvalidValue";
        case 2: return "hipErrorOutOfMemory";
        case no_device: return "hipErrorNoDevice";
        case invalid_device: return "hipErrorInvalidDevice";
        case 700: return "hipErrorIllegalAddress";
        case 719: return "hipErrorLaunchFailure";
        default: return "hipErrorUnknown";
    }
}
FAKE_EXPORT char const* hipGetErrorString(int error) {
    return hipGetErrorName(error);
}
