// SPDX-License-Identifier: MIT
#include "bench/devices/gpu_peer.hpp"

namespace rocmtune::bench {

std::unique_ptr<Peer> GpuDevice::peer(std::uint64_t index) {
    if (!traits_.peers.copy)
        throw DeviceError("the library has no copies between devices", "unsupported");
    return std::make_unique<GpuPeer>(*this, static_cast<int>(index));
}

GpuPeer::GpuPeer(GpuDevice& device, int index)
    : device_(device), own_(static_cast<int>(device.info_.index)), index_(index) {
    direct_ = calls().connect(own_, index_) == 0;
    link_ = calls().link(own_, index_);
}

GpuPeer::~GpuPeer() {
    if (queue_.stream == nullptr) return;
    (void)calls().select(index_);
    if (queue_.joined != nullptr) (void)device_.gpu_.event_destroy(queue_.joined);
    (void)device_.gpu_.stream_destroy(queue_.stream);
    (void)calls().select(own_);
}

Address GpuPeer::allocate(std::size_t bytes) {
    device_.check(calls().select(index_), "select the peer");
    void* memory = nullptr;
    auto const error = device_.gpu_.malloc(&memory, bytes);
    device_.check(calls().select(own_), "select the device");
    device_.check(error, "allocate memory of the peer");
    return reinterpret_cast<Address>(memory);
}

void GpuPeer::release(Address memory) noexcept {
    // CUDA frees what belongs to the current context only. Failures show in the next call.
    (void)calls().select(index_);
    (void)device_.gpu_.free(reinterpret_cast<void*>(memory));
    (void)calls().select(own_);
}

void GpuPeer::copy(Address to, int to_device, Address from, int from_device, std::size_t bytes,
                   Handle stream) {
    device_.check(calls().copy(reinterpret_cast<void*>(to), to_device,
                               reinterpret_cast<void const*>(from), from_device, bytes, stream),
                  "copy between devices");
}

void GpuPeer::send(Address to_peer, Address from, std::size_t bytes) {
    copy(to_peer, index_, from, own_, bytes, device_.stream_);
}

void GpuPeer::fetch(Address to, Address from_peer, std::size_t bytes) {
    copy(to, own_, from_peer, index_, bytes, device_.stream_);
}

/// Streams and events are of the device that is selected when they are made.
void GpuPeer::make_queue() {
    if (queue_.joined != nullptr) return;
    device_.check(calls().select(index_), "select the peer");
    auto error = queue_.stream == nullptr
                     ? device_.gpu_.stream_create(&queue_.stream, GpuDevice::non_blocking)
                     : 0;
    if (error == 0) error = device_.gpu_.event_create(&queue_.joined, 0);
    device_.check(calls().select(own_), "select the device");
    device_.check(error, "create a stream of the peer");
}

/// Each device sends: a copy that is fetched from afar is the slower kind.
void GpuPeer::exchange(Address to_peer, Address from, Address to, Address from_peer,
                       std::size_t bytes, unsigned times) {
    make_queue();
    device_.side_by_side(
        queue_,
        [&](Handle stream) {
            for (unsigned i = 0; i < times; ++i) copy(to_peer, index_, from, own_, bytes, stream);
        },
        [&](Handle stream) {
            for (unsigned i = 0; i < times; ++i) copy(to, own_, from_peer, index_, bytes, stream);
        });
}

}  // namespace rocmtune::bench
