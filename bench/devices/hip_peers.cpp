// SPDX-License-Identifier: MIT
// Signatures and numbers of hip/hip_runtime_api.h (rocm-5.2.3 to 7.0).
#include <fmt/format.h>

#include "bench/devices/gpu_peer.hpp"

namespace rocmtune::bench {
namespace {

/// hipErrorPeerAccessUnsupported, hipErrorPeerAccessAlreadyEnabled.
constexpr int unsupported = 217;
constexpr int already_enabled = 704;

struct Functions {
    int (*set_device)(int device);
    int (*can_access)(int* can, int device, int peer);
    int (*enable)(int peer, unsigned flags);
    int (*copy)(void* to, int to_device, void const* from, int from_device, std::size_t bytes,
                Handle stream);
    int (*link)(int device, int peer, std::uint32_t* type, std::uint32_t* hops);

    explicit Functions(DynamicLibrary const& library)
        : set_device(library.symbol<int(int)>("hipSetDevice")),
          can_access(library.symbol<int(int*, int, int)>("hipDeviceCanAccessPeer")),
          enable(library.symbol<int(int, unsigned)>("hipDeviceEnablePeerAccess")),
          copy(library.symbol<int(void*, int, void const*, int, std::size_t, Handle)>(
              "hipMemcpyPeerAsync")),
          link(library.symbol<int(int, int, std::uint32_t*, std::uint32_t*)>(
              "hipExtGetLinkTypeAndHopCount")) {}

    /// Lets `device` reach the memory of `peer`.
    int open_way(int device, int peer) const {
        int can = 0;
        if (auto const error = can_access(&can, device, peer)) return error;
        if (can == 0) return unsupported;
        if (auto const error = set_device(device)) return error;
        auto const error = enable(peer, 0);
        return error == already_enabled ? 0 : error;
    }
};

/// HSA_AMD_LINK_INFO_TYPE_* of hsa_ext_amd.h.
std::string link_name(std::uint32_t type) {
    constexpr char const* names[] = {"hypertransport", "qpi", "pcie", "infiniband", "xgmi"};
    return type < std::size(names) ? names[type] : fmt::format("link type {}", type);
}

std::string link_text(Functions const& it, int device, int peer) {
    std::uint32_t type = 0, hops = 0;
    if (it.link == nullptr || it.link(device, peer, &type, &hops) != 0) return {};
    return fmt::format("{}, {} hop{}", link_name(type), hops, hops == 1 ? "" : "s");
}

}  // namespace

PeerCalls hip_peer_calls(DynamicLibrary const& library) {
    Functions const it(library);
    if (!it.set_device || !it.can_access || !it.enable || !it.copy) return {};
    return {.select = it.set_device,
            .connect =
                [it](int device, int peer) {
                    auto const there = it.open_way(peer, device);
                    auto const here = it.open_way(device, peer);
                    auto const selected = it.set_device(device);
                    return there != 0 ? there : here != 0 ? here : selected;
                },
            .copy = it.copy,
            .link = [it](int device, int peer) { return link_text(it, device, peer); }};
}

}  // namespace rocmtune::bench
