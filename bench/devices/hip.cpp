// SPDX-License-Identifier: MIT
// AMD GPUs through libamdhip64 (majors 5, 6 and 7) and hipRTC, declared by ourselves
// (probe/abi.hpp) and looked for as the probe does.
#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "bench/devices/gpu.hpp"
#include "bench/plausible.hpp"
#include "machine/host_root.hpp"
#include "probe/abi.hpp"

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
struct Runtime : LibraryFunctions {
    using LibraryFunctions::LibraryFunctions;

    int count() const {
        int devices = 0;
        return get_count != nullptr && get_count(&devices) == hip::success ? devices : 0;
    }

    std::uint64_t attribute(int device, int which) const {
        int value = 0;
        bool const known = get_attribute != nullptr &&
                           get_attribute(&value, which, device) == hip::success && value > 0;
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
        constexpr int size = sizeof text - 1;
        if (get_name != nullptr && get_name(text, size, device) == hip::success)
            info.name = printable(text);
        if (get_address != nullptr && get_address(text, size, device) == hip::success)
            info.pci_address = lower(text);
        info.target = target(device);
        if (info.name.empty()) info.name = info.target;
        info.compute_units = attribute(device, hip::multiprocessor_count);
        info.lds_bytes = attribute(device, max_lds);
        info.cache_bytes = attribute(device, l2_cache_size);
        std::size_t bytes = 0;
        if (total_memory != nullptr && total_memory(&bytes, device) == hip::success)
            info.memory_bytes = bytes;
        keep_plausible(info);
        return info;
    }

    Function<hip::GetDeviceCount> get_count = find("hipGetDeviceCount");
    Function<hip::DeviceGetAttribute> get_attribute = find("hipDeviceGetAttribute");
    Function<hip::DeviceGetName> get_name = find("hipDeviceGetName");
    Function<hip::DeviceGetPciBusId> get_address = find("hipDeviceGetPCIBusId");
    Function<hip::DeviceTotalMem> total_memory = find("hipDeviceTotalMem");
};

/// The compiler of the same installation; up to HIP 6 the runtime has one in itself.
DynamicLibrary open_compiler(DynamicLibrary const& runtime) {
    auto const directory = std::filesystem::path(runtime.path()).parent_path().string();
    DynamicLibrary separate(companion_candidates(hip_compiler, directory));
    return separate ? separate : runtime;
}

void select(DynamicLibrary const& library, int device) {
    auto const error = need<int(int)>(library, "hipSetDevice")(device);
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

// ---- peers: hip/hip_runtime_api.h (rocm-5.2.3 to 7.0) -------------------------------------------

struct PeerFunctions : LibraryFunctions {
    using LibraryFunctions::LibraryFunctions;
    Function<int(int device)> set_device = find("hipSetDevice");
    Function<int(int* can, int device, int peer)> can_access = find("hipDeviceCanAccessPeer");
    Function<int(int peer, unsigned flags)> enable = find("hipDeviceEnablePeerAccess");
    Function<int(void* to, int to_device, void const* from, int from_device, std::size_t bytes,
                 Handle stream)>
        copy = find("hipMemcpyPeerAsync");
    Function<int(int device, int peer, std::uint32_t* type, std::uint32_t* hops)> link =
        find("hipExtGetLinkTypeAndHopCount");
};

class HipPeers : public PeerCalls {
  public:
    explicit HipPeers(PeerFunctions functions) : hip_(std::move(functions)) {}

    int select(int device) override { return hip_.set_device(device); }
    int can_access(int* can, int device, int peer) override {
        return hip_.can_access(can, device, peer);
    }
    int enable(int peer) override { return hip_.enable(peer, 0); }
    int copy(void* to, int to_device, void const* from, int from_device, std::size_t bytes,
             Handle stream) override {
        return hip_.copy(to, to_device, from, from_device, bytes, stream);
    }
    std::string link(int device, int peer) override {
        // HSA_AMD_LINK_INFO_TYPE_* of hsa_ext_amd.h.
        constexpr char const* names[] = {"hypertransport", "qpi", "pcie", "infiniband", "xgmi"};
        std::uint32_t type = 0, hops = 0;
        if (hip_.link == nullptr || hip_.link(device, peer, &type, &hops) != 0) return {};
        auto const name = type < std::size(names) ? names[type] : fmt::format("link type {}", type);
        return fmt::format("{}, {} hop{}", name, hops, hops == 1 ? "" : "s");
    }

  private:
    PeerFunctions hip_;
};

std::shared_ptr<PeerCalls> peer_calls(DynamicLibrary const& library) {
    PeerFunctions const it(library);
    if (!it.set_device || !it.can_access || !it.enable || !it.copy) return nullptr;
    return std::make_shared<HipPeers>(it);
}

// ---- state: files of linux drivers/gpu/drm/amd/pm/amdgpu_pm.c; units by
// Documentation/hwmon/sysfs-interface.rst ---------------------------------------------------------

std::optional<double> scaled(HostRoot const& root, std::string const& path, double divisor) {
    auto const text = root.read(path);
    auto const number = text ? to_real(trim(*text)) : std::nullopt;
    return number ? std::optional(*number / divisor) : std::nullopt;
}

/// The level with the asterisk: "2: 1700Mhz *".
std::optional<double> current_level(HostRoot const& root, std::string const& path) {
    auto const text = root.read(path);
    if (!text) return std::nullopt;
    for (auto const line : lines(*text))
        if (auto const colon = line.find(':'); line.ends_with('*') && colon != line.npos)
            return leading_real(trim(line.substr(colon + 1)));
    return std::nullopt;
}

/// Clocks, power, temperature and memory in use of the amdgpu device at this PCI address; what is
/// not there stays absent.
HardwareState sysfs_state(std::string const& pci_address) {
    HostRoot const root(directory_source("/"));
    auto const device = "/sys/bus/pci/devices/" + pci_address;
    HardwareState state;
    state.clock_mhz = current_level(root, device + "/pp_dpm_sclk");
    state.memory_clock_mhz = current_level(root, device + "/pp_dpm_mclk");
    if (auto const used = scaled(root, device + "/mem_info_vram_used", 1))
        state.memory_used_bytes = static_cast<std::uint64_t>(*used);
    auto const names = root.list(device + "/hwmon");
    if (!names || names->empty()) return state;
    auto const hwmon = fmt::format("{}/hwmon/{}", device, names->front());
    state.power_watts = scaled(root, hwmon + "/power1_average", 1e6);
    if (!state.power_watts) state.power_watts = scaled(root, hwmon + "/power1_input", 1e6);
    state.temperature_celsius = scaled(root, hwmon + "/temp2_input", 1e3);  // junction
    if (!state.temperature_celsius)
        state.temperature_celsius = scaled(root, hwmon + "/temp1_input", 1e3);
    return state;
}

// ---- devices ------------------------------------------------------------------------------------

std::vector<DeviceInfo> list() {
    Runtime const runtime(DynamicLibrary{library_candidates(hip_runtime)});
    std::vector<DeviceInfo> devices;
    for (int i = 0, count = runtime.count(); i < count; ++i) devices.push_back(runtime.describe(i));
    return devices;
}

std::unique_ptr<Device> open(std::uint64_t index) {
    DynamicLibrary const library(library_candidates(hip_runtime));
    if (!library) throw DeviceError("libamdhip64 is not installed", "unsupported");
    Runtime const runtime(library);
    if (index >= static_cast<std::uint64_t>(runtime.count()))
        throw DeviceError(fmt::format("there is no device {}", index), "unsupported");
    select(library, static_cast<int>(index));
    auto const compiler = open_compiler(library);
    auto info = runtime.describe(static_cast<int>(index));
    GpuTraits traits{.out_of_memory = out_of_memory,
                     .lost = {std::begin(lost_errors), std::end(lost_errors)},
                     .compiler = compiler_key(library, compiler),
                     .error_name = error_name,
                     .peers = peer_calls(library),
                     .state = [address = info.pci_address] { return sysfs_state(address); }};
    return make_gpu_device(GpuFunctions(library, true), CompilerFunctions(compiler, true),
                           std::move(traits), std::move(info));
}

}  // namespace

Backend hip_backend() {
    return {"hip", list, open};
}

}  // namespace rocmtune::bench
