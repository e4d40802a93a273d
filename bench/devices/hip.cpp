// SPDX-License-Identifier: MIT
#include "bench/devices/hip.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/devices/gpu.hpp"
#include "bench/devices/gpu_peer.hpp"
#include "bench/devices/hip_state.hpp"
#include "bench/plausible.hpp"
#include "probe/abi.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune::bench {
namespace {

namespace hip = abi::hip;

/// hipError_t: hipErrorOutOfMemory; hipErrorECCNotCorrectable, hipErrorIllegalAddress,
/// hipErrorLaunchTimeOut, hipErrorContextIsDestroyed, hipErrorLaunchFailure: nothing works after.
constexpr int out_of_memory = 2;
constexpr int lost_errors[] = {214, 700, 702, 709, 719};

/// hipDeviceAttribute_t, as in probe/abi.hpp.
enum Attribute : int { l2_cache_size = 19, max_lds = 74 };

std::string error_name(DynamicLibrary const& library, int error) {
    auto* const name_of = library.symbol<hip::GetErrorName>("hipGetErrorName");
    auto const* const name = name_of == nullptr ? nullptr : name_of(error);
    return name == nullptr ? "unknown error" : name;
}

/// The answers of one device; what fails stays 0 or empty.
struct Runtime {
    explicit Runtime(DynamicLibrary const& opened) : library(opened) {
        auto* const get_count = library.symbol<hip::GetDeviceCount>("hipGetDeviceCount");
        if (get_count == nullptr || get_count(&count) != hip::success) count = 0;
    }

    std::uint64_t attribute(int device, int which) const {
        int value = 0;
        auto* const get = library.symbol<hip::DeviceGetAttribute>("hipDeviceGetAttribute");
        bool const known =
            get != nullptr && get(&value, which, device) == hip::success && value > 0;
        return known ? static_cast<std::uint64_t>(value) : 0;
    }

    std::string target(int device) const {
        auto* get = library.symbol<hip::GetDeviceProperties>("hipGetDevicePropertiesR0600");
        auto const offset =
            get != nullptr ? hip::arch_name_offset_r0600 : hip::arch_name_offset_r0000;
        if (get == nullptr)
            get = library.symbol<hip::GetDeviceProperties>("hipGetDeviceProperties");
        hip::Properties properties;
        if (get == nullptr || get(&properties, device) != hip::success) return {};
        auto const* const text = properties.bytes.data() + offset;
        return {text, ::strnlen(text, hip::arch_name_size)};
    }

    DeviceInfo describe(int device) const {
        DeviceInfo info{.backend = "hip", .index = static_cast<std::uint64_t>(device)};
        char text[256] = {};
        if (auto* const f = library.symbol<hip::DeviceGetName>("hipDeviceGetName"))
            if (f(text, sizeof text - 1, device) == hip::success) info.name = printable(text);
        if (auto* const f = library.symbol<hip::DeviceGetPciBusId>("hipDeviceGetPCIBusId"))
            if (f(text, sizeof text - 1, device) == hip::success) info.pci_address = lower(text);
        info.target = target(device);
        if (info.name.empty()) info.name = info.target;
        info.compute_units = attribute(device, hip::multiprocessor_count);
        info.lds_bytes = attribute(device, max_lds);
        info.cache_bytes = attribute(device, l2_cache_size);
        std::size_t bytes = 0;
        if (auto* const f = library.symbol<hip::DeviceTotalMem>("hipDeviceTotalMem"))
            if (f(&bytes, device) == hip::success) info.memory_bytes = bytes;
        keep_plausible(info);
        return info;
    }

    DynamicLibrary library;
    int count = 0;
};

/// The compiler of the same installation; up to HIP 6 the runtime has one in itself.
DynamicLibrary open_compiler(DynamicLibrary const& runtime) {
    auto const directory = std::filesystem::path(runtime.path()).parent_path().string();
    DynamicLibrary separate(companion_candidates(hip_compiler, directory));
    return separate ? separate : runtime;
}

void select(DynamicLibrary const& library, int device) {
    int (*set_device)(int) = nullptr;
    look_up(library, set_device, "hipSetDevice");
    auto const error = set_device(device);
    if (error != hip::success)
        throw DeviceError(fmt::format("hipSetDevice: {} ({})", error_name(library, error), error),
                          "lost");
}

/// hiprtcVersion says 9.0 in every release: the file and the runtime's version tell them apart.
std::string compiler_key(DynamicLibrary const& runtime, DynamicLibrary const& compiler) {
    int version = 0;
    if (auto* const f = runtime.symbol<hip::RuntimeGetVersion>("hipRuntimeGetVersion"))
        (void)f(&version);
    return fmt::format("hiprtc {} {}", version, compiler.path());
}

}  // namespace

std::vector<DeviceInfo> list_hip() {
    DynamicLibrary const library(library_candidates(hip_runtime));
    if (!library) return {};
    Runtime const runtime(library);
    std::vector<DeviceInfo> devices;
    for (int i = 0; i < runtime.count; ++i) devices.push_back(runtime.describe(i));
    return devices;
}

std::unique_ptr<Device> open_hip(std::uint64_t index) {
    DynamicLibrary const library(library_candidates(hip_runtime));
    if (!library) throw DeviceError("libamdhip64 is not installed", "unsupported");
    Runtime const runtime(library);
    if (index >= static_cast<std::uint64_t>(runtime.count))
        throw DeviceError(fmt::format("there is no device {}", index), "unsupported");
    select(library, static_cast<int>(index));
    auto const compiler = open_compiler(library);
    auto info = runtime.describe(static_cast<int>(index));
    GpuTraits traits{.out_of_memory = out_of_memory,
                     .lost = {std::begin(lost_errors), std::end(lost_errors)},
                     .target_option = "--gpu-architecture=" + info.target,
                     .compiler = compiler_key(library, compiler),
                     .error_name = error_name,
                     .peers = hip_peer_calls(library)};
    auto const address = info.pci_address;
    return std::make_unique<GpuDevice>(library, compiler, find_gpu_functions(library, true),
                                       find_compiler_functions(compiler, true), std::move(traits),
                                       std::move(info), [address] { return sysfs_state(address); });
}

}  // namespace rocmtune::bench
