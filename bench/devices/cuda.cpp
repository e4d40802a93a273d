// SPDX-License-Identifier: MIT
// Numbers are those of cuda.h (CUDA 13.0) and nvml.h; none of them ever changed.
#include "bench/devices/cuda.hpp"

#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/cuda_libraries.hpp"
#include "bench/devices/gpu.hpp"
#include "bench/devices/gpu_peer.hpp"
#include "bench/plausible.hpp"

namespace rocmtune::bench {
namespace {

/// CUdevice_attribute
enum Attribute : int {
    clock_rate_khz = 13,
    multiprocessor_count = 16,
    memory_clock_rate_khz = 36,
    global_memory_bus_width = 37,
    l2_cache_size = 38,
    compute_capability_major = 75,
    compute_capability_minor = 76,
    max_shared_memory_per_block_optin = 97,
};

/// CUresult: CUDA_ERROR_OUT_OF_MEMORY; CUDA_ERROR_ILLEGAL_ADDRESS, LAUNCH_TIMEOUT, LAUNCH_FAILED,
/// ECC_UNCORRECTABLE, NVLINK_UNCORRECTABLE, CONTEXT_IS_DESTROYED: nothing works after them.
constexpr int out_of_memory = 2;
constexpr int lost_errors[] = {214, 220, 700, 702, 709, 719};

DynamicLibrary open_driver() {
    auto const only = secure_variable("ROCMTUNE_LIBCUDA");
    std::vector<std::string> candidates{only};
    if (only.empty()) candidates = {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"};
    return DynamicLibrary(candidates);
}

DynamicLibrary open_compiler() {
    auto const only = secure_variable("ROCMTUNE_LIBNVRTC");
    return DynamicLibrary(only.empty() ? cuda_library_candidates("libnvrtc", {"13", "12", "11.2"})
                                       : std::vector{only});
}

std::string error_name(DynamicLibrary const& library, int error) {
    auto* const name_of = library.symbol<int(int, char const**)>("cuGetErrorName");
    char const* name = nullptr;
    return name_of != nullptr && name_of(error, &name) == 0 && name != nullptr ? name
                                                                               : "unknown error";
}

/// cuInit and what a device says of itself.
struct Driver {
    explicit Driver(DynamicLibrary opened) : library(std::move(opened)) {
        look_up(library, device_get, "cuDeviceGet");
        look_up(library, get_attribute, "cuDeviceGetAttribute");
        look_up(library, get_count, "cuDeviceGetCount");
        look_up(library, get_name, "cuDeviceGetName");
        look_up(library, get_pci_bus_id, "cuDeviceGetPCIBusId");
        look_up(library, get_uuid, "cuDeviceGetUuid");
        look_up(library, retain_context, "cuDevicePrimaryCtxRetain");
        look_up(library, set_context, "cuCtxSetCurrent");
        int (*init)(unsigned) = nullptr;
        look_up(library, init, "cuInit");
        if (init(0) != 0 || get_count(&count) != 0) count = 0;
    }

    std::uint64_t attribute(int device, Attribute which) const {
        int value = 0;
        return get_attribute(&value, which, device) == 0 && value > 0
                   ? static_cast<std::uint64_t>(value)
                   : 0;
    }
    DeviceInfo describe(int index) const;

    DynamicLibrary library;
    int count = 0;
    int (*device_get)(int* device, int ordinal);
    int (*get_attribute)(int* value, int attribute, int device);
    int (*get_count)(int* count);
    int (*get_name)(char* name, int size, int device);
    int (*get_pci_bus_id)(char* address, int size, int device);
    int (*get_uuid)(unsigned char* uuid, int device);
    int (*retain_context)(Handle* context, int device);
    int (*set_context)(Handle context);
};

/// As nvidia-smi prints it: GPU-8-4-4-4-12 hexadecimal digits.
std::string uuid_text(std::array<unsigned char, 16> const& bytes) {
    std::string text = "GPU";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", bytes[i]);
    }
    return text;
}

DeviceInfo Driver::describe(int index) const {
    DeviceInfo info{.backend = "cuda", .index = static_cast<std::uint64_t>(index)};
    int device = 0;
    if (device_get(&device, index) != 0) return info;
    char text[256] = {};
    if (get_name(text, sizeof text - 1, device) == 0) info.name = printable(text);
    if (get_pci_bus_id(text, sizeof text - 1, device) == 0) info.pci_address = lower(text);
    std::array<unsigned char, 16> uuid{};
    if (get_uuid(uuid.data(), device) == 0) info.uuid = uuid_text(uuid);
    info.target = fmt::format("sm_{}{}", attribute(device, compute_capability_major),
                              attribute(device, compute_capability_minor));
    info.compute_units = attribute(device, multiprocessor_count);
    info.lds_bytes = attribute(device, max_shared_memory_per_block_optin);
    info.cache_bytes = attribute(device, l2_cache_size);
    // Two transfers a clock: what BabelStream and the data sheets reckon with.
    constexpr double transfers = 2;
    info.peak_bytes_per_second =
        memory_peak(attribute(device, memory_clock_rate_khz),
                    attribute(device, global_memory_bus_width), transfers, info);
    std::size_t bytes = 0;
    if (auto* const total = library.symbol<int(std::size_t*, int)>("cuDeviceTotalMem_v2"))
        if (total(&bytes, device) == 0) info.memory_bytes = bytes;
    keep_plausible(info);
    return info;
}

// ---- state --------------------------------------------------------------------------------------

/// NVML, loaded where there is one. Functions that are missing or fail leave their field absent.
class Monitor {
  public:
    explicit Monitor(std::string const& pci_address)
        : library_(std::array<std::string, 1>{"libnvidia-ml.so.1"}) {
        auto* const init = library_.symbol<int()>("nvmlInit_v2");
        auto* const find =
            library_.symbol<int(char const*, Handle*)>("nvmlDeviceGetHandleByPciBusId_v2");
        if (init == nullptr || find == nullptr || init() != 0) return;
        if (find(pci_address.c_str(), &device_) != 0) device_ = nullptr;
    }

    HardwareState state() const {
        HardwareState it;
        if (device_ == nullptr) return it;
        constexpr int sm_clock = 1, memory_clock = 2;  // nvmlClockType_t
        it.clock_mhz = number("nvmlDeviceGetClockInfo", sm_clock);
        it.memory_clock_mhz = number("nvmlDeviceGetClockInfo", memory_clock);
        it.temperature_celsius = number("nvmlDeviceGetTemperature", 0);  // NVML_TEMPERATURE_GPU
        unsigned milliwatts = 0;
        if (auto* const f = library_.symbol<int(Handle, unsigned*)>("nvmlDeviceGetPowerUsage"))
            if (f(device_, &milliwatts) == 0) it.power_watts = milliwatts / 1000.0;
        struct Memory {
            unsigned long long total, free, used;
        } memory{};
        if (auto* const f = library_.symbol<int(Handle, Memory*)>("nvmlDeviceGetMemoryInfo"))
            if (f(device_, &memory) == 0) it.memory_used_bytes = memory.used;
        it.throttle_reasons = reasons();
        return it;
    }

  private:
    std::optional<double> number(char const* function, int which) const {
        unsigned value = 0;
        auto* const f = library_.symbol<int(Handle, int, unsigned*)>(function);
        if (f == nullptr || f(device_, which, &value) != 0) return std::nullopt;
        return value;
    }

    /// nvmlClocksEventReasons of nvml.h; idle and applications' clocks are no throttling.
    std::vector<std::string> reasons() const {
        constexpr std::pair<unsigned long long, char const*> names[] = {
            {0x4, "software-power-cap"}, {0x8, "hardware-slowdown"},     {0x20, "software-thermal"},
            {0x40, "hardware-thermal"},  {0x80, "hardware-power-brake"},
        };
        std::vector<std::string> found;
        unsigned long long mask = 0;
        auto* const f = library_.symbol<int(Handle, unsigned long long*)>(
            "nvmlDeviceGetCurrentClocksThrottleReasons");
        if (f == nullptr || f(device_, &mask) != 0) return found;
        for (auto const& [bit, name] : names)
            if ((mask & bit) != 0) found.emplace_back(name);
        return found;
    }

    DynamicLibrary library_;
    Handle device_ = nullptr;
};

GpuTraits traits_of(DeviceInfo const& info, DynamicLibrary const& compiler,
                    CompilerFunctions const& functions) {
    int major = 0, minor = 0;
    (void)functions.version(&major, &minor);
    return {.out_of_memory = out_of_memory,
            .lost = {std::begin(lost_errors), std::end(lost_errors)},
            .target_option = "--gpu-architecture=" + info.target,
            .compiler = fmt::format("nvrtc {}.{} {}", major, minor, compiler.path()),
            .error_name = error_name};
}

}  // namespace

std::vector<DeviceInfo> list_cuda() {
    auto library = open_driver();
    if (!library) return {};
    Driver const driver(std::move(library));
    std::vector<DeviceInfo> devices;
    for (int i = 0; i < driver.count; ++i) devices.push_back(driver.describe(i));
    return devices;
}

std::unique_ptr<Device> open_cuda(std::uint64_t index) {
    Driver driver(open_driver());
    if (index >= static_cast<std::uint64_t>(driver.count))
        throw DeviceError(fmt::format("there is no device {}", index), "unsupported");
    auto const ordinal = static_cast<int>(index);
    int device = 0;
    Handle context = nullptr;
    if (driver.device_get(&device, ordinal) != 0 || driver.retain_context(&context, device) != 0 ||
        driver.set_context(context) != 0)
        throw DeviceError("the device gives no context", "lost");
    auto compiler = open_compiler();
    if (!compiler) throw DeviceError("libnvrtc is not installed", "unsupported");
    auto const functions = find_gpu_functions(driver.library, false);
    auto const compile = find_compiler_functions(compiler, false);
    auto info = driver.describe(ordinal);
    auto traits = traits_of(info, compiler, compile);
    traits.peers = cuda_peer_calls(driver.library);
    auto const monitor = std::make_shared<Monitor>(info.pci_address);
    return std::make_unique<GpuDevice>(std::move(driver.library), std::move(compiler), functions,
                                       compile, std::move(traits), std::move(info),
                                       [monitor] { return monitor->state(); });
}

}  // namespace rocmtune::bench
