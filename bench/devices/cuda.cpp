// SPDX-License-Identifier: MIT
// NVIDIA GPUs through libcuda and NVRTC: the proof of the common kernels on a GPU, and a comparison
// for hosts with both. Numbers and signatures are those of cuda.h (CUDA 13.0) and nvml.h; none of
// them ever changed.
#include <array>
#include <iterator>

#include "base/text.hpp"
#include "bench/devices/gpu.hpp"
#include "bench/plausible.hpp"

namespace rocmtune::bench {
namespace {

/// CUdevice_attribute
enum Attribute : int {
    multiprocessor_count = 16,
    memory_clock_rate_khz = 36,
    global_memory_bus_width = 37,
    l2_cache_size = 38,
    compute_capability_major = 75,
    compute_capability_minor = 76,
    max_shared_memory_per_block_optin = 97,
};

/// CUresult: CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_DEVICE; CUDA_ERROR_ILLEGAL_ADDRESS,
/// LAUNCH_TIMEOUT, LAUNCH_FAILED, ECC_UNCORRECTABLE, NVLINK_UNCORRECTABLE, CONTEXT_IS_DESTROYED:
/// nothing works after them.
constexpr int out_of_memory = 2;
constexpr int invalid_device = 101;
constexpr int lost_errors[] = {214, 220, 700, 702, 709, 719};

std::string error_name(DynamicLibrary const& library, int error) {
    auto* const name_of = library.symbol<int(int, char const**)>("cuGetErrorName");
    char const* name = nullptr;
    return name_of != nullptr && name_of(error, &name) == 0 && name != nullptr ? name
                                                                               : "unknown error";
}

/// As nvidia-smi prints it: GPU-8-4-4-4-12 hexadecimal digits.
std::string uuid_text(std::array<unsigned char, 16> const& bytes) {
    std::string text = "GPU";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", bytes[i]);
    }
    return text;
}

/// What a device says of itself, after cuInit.
struct Driver : LibraryFunctions {
    using LibraryFunctions::LibraryFunctions;

    int count() const {
        int devices = 0;
        return init(0) == 0 && get_count(&devices) == 0 ? devices : 0;
    }

    std::uint64_t attribute(int device, Attribute which) const {
        int value = 0;
        return get_attribute(&value, which, device) == 0 && value > 0
                   ? static_cast<std::uint64_t>(value)
                   : 0;
    }

    /// Empty if it is not known.
    std::string address(int device) const {
        char text[64] = {};
        return get_pci_bus_id(text, sizeof text - 1, device) == 0 ? lower(text) : std::string();
    }

    DeviceInfo describe(int index) const {
        DeviceInfo info{.backend = "cuda", .index = static_cast<std::uint64_t>(index)};
        int device = 0;
        if (device_get(&device, index) != 0) return info;
        char text[256] = {};
        if (get_name(text, sizeof text - 1, device) == 0) info.name = printable(text);
        info.pci_address = address(device);
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
        if (total_memory != nullptr && total_memory(&bytes, device) == 0) info.memory_bytes = bytes;
        keep_plausible(info);
        return info;
    }

    Function<int(unsigned flags)> init = need("cuInit");
    Function<int(int* device, int ordinal)> device_get = need("cuDeviceGet");
    Function<int(int* value, int attribute, int device)> get_attribute =
        need("cuDeviceGetAttribute");
    Function<int(int* count)> get_count = need("cuDeviceGetCount");
    Function<int(char* name, int size, int device)> get_name = need("cuDeviceGetName");
    Function<int(char* address, int size, int device)> get_pci_bus_id = need("cuDeviceGetPCIBusId");
    Function<int(unsigned char* uuid, int device)> get_uuid = need("cuDeviceGetUuid");
    Function<int(Handle* context, int device)> retain_context = need("cuDevicePrimaryCtxRetain");
    Function<int(Handle context)> set_context = need("cuCtxSetCurrent");
    Function<int(std::size_t* bytes, int device)> total_memory = find("cuDeviceTotalMem_v2");
};

DynamicLibrary open_driver() {
    return opened("ROCMTUNE_LIBCUDA", {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"});
}

// ---- NVML: state and links ----------------------------------------------------------------------

/// Loaded where there is one. Functions that are missing or fail leave their field absent.
class Monitor {
  public:
    Handle device(std::string const& pci_address) const {
        auto* const find =
            library_.symbol<int(char const*, Handle*)>("nvmlDeviceGetHandleByPciBusId_v2");
        Handle device = nullptr;
        return ready_ && find != nullptr && find(pci_address.c_str(), &device) == 0 ? device
                                                                                    : nullptr;
    }

    HardwareState state(Handle device) const {
        HardwareState it;
        if (device == nullptr) return it;
        constexpr int sm_clock = 1, memory_clock = 2;  // nvmlClockType_t
        it.clock_mhz = number(device, "nvmlDeviceGetClockInfo", sm_clock);
        it.memory_clock_mhz = number(device, "nvmlDeviceGetClockInfo", memory_clock);
        constexpr int of_gpu = 0;  // NVML_TEMPERATURE_GPU
        it.temperature_celsius = number(device, "nvmlDeviceGetTemperature", of_gpu);
        if (auto const milliwatts = value<unsigned>("nvmlDeviceGetPowerUsage", device))
            it.power_watts = *milliwatts / 1000.0;
        struct Memory {
            unsigned long long total, free, used;
        };
        if (auto const memory = value<Memory>("nvmlDeviceGetMemoryInfo", device))
            it.memory_used_bytes = memory->used;
        it.throttle_reasons = reasons(device);
        return it;
    }

    /// By nvmlDeviceGetP2PStatus of NVML_P2P_CAPS_INDEX_NVLINK (2), and of READ (0), which is by
    /// PCIe where there is no NVLink.
    std::string link(Handle one, Handle other) const {
        auto* const ask = library_.symbol<int(Handle, Handle, int, int*)>("nvmlDeviceGetP2PStatus");
        if (ask == nullptr || one == nullptr || other == nullptr) return {};
        auto const has = [&](int what) {
            int status = -1;
            return ask(one, other, what, &status) == 0 && status == 0;
        };
        constexpr int read = 0, nvlink = 2;
        return has(nvlink) ? "nvlink" : has(read) ? "pcie" : "";
    }

  private:
    bool init() const {
        auto* const function = library_.symbol<int()>("nvmlInit_v2");
        return function != nullptr && function() == 0;
    }

    template <class T>
    std::optional<T> value(char const* function, Handle device) const {
        T value{};
        auto* const f = library_.symbol<int(Handle, T*)>(function);
        return f != nullptr && f(device, &value) == 0 ? std::optional(value) : std::nullopt;
    }

    std::optional<double> number(Handle device, char const* function, int which) const {
        unsigned value = 0;
        auto* const f = library_.symbol<int(Handle, int, unsigned*)>(function);
        return f != nullptr && f(device, which, &value) == 0 ? std::optional<double>(value)
                                                             : std::nullopt;
    }

    /// nvmlClocksEventReasons of nvml.h; idle and applications' clocks are no throttling.
    std::vector<std::string> reasons(Handle device) const {
        constexpr std::pair<unsigned long long, char const*> names[] = {
            {0x4, "software-power-cap"}, {0x8, "hardware-slowdown"},     {0x20, "software-thermal"},
            {0x40, "hardware-thermal"},  {0x80, "hardware-power-brake"},
        };
        std::vector<std::string> found;
        auto const mask =
            value<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons", device);
        for (auto const& [bit, name] : names)
            if ((mask.value_or(0) & bit) != 0) found.emplace_back(name);
        return found;
    }

    DynamicLibrary library_{std::array<std::string, 1>{"libnvidia-ml.so.1"}};
    bool ready_ = init();
};

// ---- peers --------------------------------------------------------------------------------------

struct PeerFunctions : LibraryFunctions {
    using LibraryFunctions::LibraryFunctions;
    Function<int(int* can, int device, int peer)> can_access = find("cuDeviceCanAccessPeer");
    Function<int(Handle peer, unsigned flags)> enable = find("cuCtxEnablePeerAccess");
    Function<int(void* to, Handle to_context, void const* from, Handle from_context,
                 std::size_t bytes, Handle stream)>
        copy = find("cuMemcpyPeerAsync");
};

/// Keeps the primary contexts that were needed so far. They stay retained: the process is a worker,
/// which ends after its benchmark.
class CudaPeers : public PeerCalls {
  public:
    CudaPeers(Driver driver, PeerFunctions functions)
        : driver_(std::move(driver)), cuda_(std::move(functions)) {}

    int select(int device) override {
        auto* const context = context_of(device);
        return context == nullptr ? invalid_device : driver_.set_context(context);
    }
    int can_access(int* can, int device, int peer) override {
        int one = 0, other = 0;
        if (driver_.device_get(&one, device) != 0 || driver_.device_get(&other, peer) != 0)
            return invalid_device;
        return cuda_.can_access(can, one, other);
    }
    int enable(int peer) override { return cuda_.enable(context_of(peer), 0); }
    int copy(void* to, int to_device, void const* from, int from_device, std::size_t bytes,
             Handle stream) override {
        return cuda_.copy(to, context_of(to_device), from, context_of(from_device), bytes, stream);
    }
    std::string link(int device, int peer) override {
        int one = 0, other = 0;
        if (driver_.device_get(&one, device) != 0 || driver_.device_get(&other, peer) != 0)
            return {};
        Monitor const monitor;
        return monitor.link(monitor.device(driver_.address(one)),
                            monitor.device(driver_.address(other)));
    }

  private:
    Handle context_of(int index) {
        auto& context = contexts_[index];
        int device = 0;
        if (context == nullptr && (driver_.device_get(&device, index) != 0 ||
                                   driver_.retain_context(&context, device) != 0))
            context = nullptr;
        return context;
    }

    Driver driver_;
    PeerFunctions cuda_;
    std::map<int, Handle> contexts_;
};

std::shared_ptr<PeerCalls> peer_calls(Driver const& driver) {
    PeerFunctions const it(driver.library);
    if (!it.can_access || !it.enable || !it.copy) return nullptr;
    return std::make_shared<CudaPeers>(driver, it);
}

// ---- devices ------------------------------------------------------------------------------------

std::vector<DeviceInfo> list() {
    auto const library = open_driver();
    if (!library) return {};
    Driver const driver(library);
    std::vector<DeviceInfo> devices;
    for (int i = 0, count = driver.count(); i < count; ++i) devices.push_back(driver.describe(i));
    return devices;
}

std::unique_ptr<Device> open(std::uint64_t index) {
    Driver const driver(open_driver());
    if (index >= static_cast<std::uint64_t>(driver.count()))
        throw DeviceError(fmt::format("there is no device {}", index), "unsupported");
    auto const ordinal = static_cast<int>(index);
    int device = 0;
    Handle context = nullptr;
    if (driver.device_get(&device, ordinal) != 0 || driver.retain_context(&context, device) != 0 ||
        driver.set_context(context) != 0)
        throw DeviceError("the device gives no context", "lost");
    auto const library =
        opened("ROCMTUNE_LIBNVRTC", cuda_library_candidates("libnvrtc", {"13", "12", "11.2"}));
    if (!library) throw DeviceError("libnvrtc is not installed", "unsupported");
    CompilerFunctions compiler(library, false);
    int major = 0, minor = 0;
    (void)compiler.version(&major, &minor);
    auto info = driver.describe(ordinal);
    auto const monitor = std::make_shared<Monitor>();
    auto* const monitored = monitor->device(info.pci_address);
    GpuTraits traits{.out_of_memory = out_of_memory,
                     .lost = {std::begin(lost_errors), std::end(lost_errors)},
                     .compiler = fmt::format("nvrtc {}.{} {}", major, minor, library.path()),
                     .error_name = error_name,
                     .peers = peer_calls(driver),
                     .state = [=] { return monitor->state(monitored); }};
    return make_gpu_device(GpuFunctions(driver.library, false), std::move(compiler),
                           std::move(traits), std::move(info));
}

}  // namespace

Backend cuda_backend() {
    return {"cuda", list, open};
}

}  // namespace rocmtune::bench
