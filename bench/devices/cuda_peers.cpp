// SPDX-License-Identifier: MIT
// Signatures and numbers of cuda.h (CUDA 13.0) and nvml.h.
#include <array>

#include "base/text.hpp"
#include "bench/devices/gpu_peer.hpp"

namespace rocmtune::bench {
namespace {

/// CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, ..._ALREADY_ENABLED.
constexpr int invalid_device = 101;
constexpr int unsupported = 217;
constexpr int already_enabled = 704;

struct Functions {
    int (*device_get)(int* device, int ordinal);
    int (*retain)(Handle* context, int device);
    int (*set_current)(Handle context);
    int (*can_access)(int* can, int device, int peer);
    int (*enable)(Handle peer, unsigned flags);
    int (*copy)(void* to, Handle to_context, void const* from, Handle from_context,
                std::size_t bytes, Handle stream);
    int (*bus_id)(char* address, int size, int device);

    explicit Functions(DynamicLibrary const& library)
        : device_get(library.symbol<int(int*, int)>("cuDeviceGet")),
          retain(library.symbol<int(Handle*, int)>("cuDevicePrimaryCtxRetain")),
          set_current(library.symbol<int(Handle)>("cuCtxSetCurrent")),
          can_access(library.symbol<int(int*, int, int)>("cuDeviceCanAccessPeer")),
          enable(library.symbol<int(Handle, unsigned)>("cuCtxEnablePeerAccess")),
          copy(library.symbol<int(void*, Handle, void const*, Handle, std::size_t, Handle)>(
              "cuMemcpyPeerAsync")),
          bus_id(library.symbol<int(char*, int, int)>("cuDeviceGetPCIBusId")) {}
    bool complete() const {
        return device_get && retain && set_current && can_access && enable && copy && bus_id;
    }
};

/// Functions and the primary contexts that were needed so far. They stay retained: the process is
/// a worker, which ends after its benchmark.
class Contexts {
  public:
    explicit Contexts(Functions const& functions) : it(functions) {}

    Handle of(int index) {
        auto& context = contexts_[index];
        int device = 0;
        if (context == nullptr &&
            (it.device_get(&device, index) != 0 || it.retain(&context, device) != 0))
            context = nullptr;
        return context;
    }
    int select(int index) {
        auto* const context = of(index);
        return context == nullptr ? invalid_device : it.set_current(context);
    }
    int open_way(int index, int peer) {
        int device = 0, other = 0, can = 0;
        if (it.device_get(&device, index) != 0 || it.device_get(&other, peer) != 0)
            return invalid_device;
        if (auto const error = it.can_access(&can, device, other)) return error;
        if (can == 0) return unsupported;
        if (auto const error = select(index)) return error;
        auto const error = it.enable(of(peer), 0);
        return error == already_enabled ? 0 : error;
    }
    int connect(int index, int peer) {
        auto const there = open_way(peer, index);
        auto const here = open_way(index, peer);
        auto const selected = select(index);
        return there != 0 ? there : here != 0 ? here : selected;
    }
    std::string address(int index) const {
        char text[64] = {};
        int device = 0;
        bool const known =
            it.device_get(&device, index) == 0 && it.bus_id(text, sizeof text - 1, device) == 0;
        return known ? lower(text) : std::string();
    }

    Functions const it;

  private:
    std::map<int, Handle> contexts_;
};

/// What NVML says connects two GPUs: nvmlDeviceGetP2PStatus of NVML_P2P_CAPS_INDEX_NVLINK (2), and
/// of READ (0), which is by PCIe where there is no NVLink.
std::string link_text(std::string const& device, std::string const& peer) {
    DynamicLibrary const nvml(std::array<std::string, 1>{"libnvidia-ml.so.1"});
    auto* const init = nvml.symbol<int()>("nvmlInit_v2");
    auto* const find = nvml.symbol<int(char const*, Handle*)>("nvmlDeviceGetHandleByPciBusId_v2");
    auto* const ask = nvml.symbol<int(Handle, Handle, int, int*)>("nvmlDeviceGetP2PStatus");
    if (init == nullptr || find == nullptr || ask == nullptr || init() != 0) return {};
    Handle one = nullptr, other = nullptr;
    if (find(device.c_str(), &one) != 0 || find(peer.c_str(), &other) != 0) return {};
    constexpr int read = 0, nvlink = 2;
    auto const has = [&](int what) {
        int status = -1;
        return ask(one, other, what, &status) == 0 && status == 0;
    };
    return has(nvlink) ? "nvlink" : has(read) ? "pcie" : "";
}

}  // namespace

PeerCalls cuda_peer_calls(DynamicLibrary const& library) {
    Functions const functions(library);
    if (!functions.complete()) return {};
    auto const all = std::make_shared<Contexts>(functions);
    return {
        .select = [all](int device) { return all->select(device); },
        .connect = [all](int device, int peer) { return all->connect(device, peer); },
        .copy =
            [all](void* to, int to_device, void const* from, int from_device, std::size_t bytes,
                  Handle stream) {
                return all->it.copy(to, all->of(to_device), from, all->of(from_device), bytes,
                                    stream);
            },
        .link = [all](int device,
                      int peer) { return link_text(all->address(device), all->address(peer)); }};
}

}  // namespace rocmtune::bench
