// SPDX-License-Identifier: MIT
// The one interface that benchmarks know: memory, copies, kernels, events, state. A backend is one
// file in devices/ and one row of devices.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/measurement.hpp"

namespace rocmtune::bench {

/// A failed device call. Caught once, in the worker, where `status` becomes that of the
/// measurement.
class DeviceError : public std::runtime_error {
  public:
    explicit DeviceError(std::string const& message, std::string_view status = "error")
        : std::runtime_error(message), status_(status) {}
    /// error, no-memory, lost or unsupported.
    std::string_view status() const { return status_; }

  private:
    std::string_view status_;
};

/// What a device says of itself. 0 and empty: it does not tell.
struct DeviceInfo {
    std::string backend = {};  ///< hip, cuda, cpu
    std::uint64_t index = 0;   ///< as the backend counts
    std::string name = {};
    std::string target = {};  ///< what kernels are compiled for: gfx90a:sramecc+:xnack-, sm_90
    std::string pci_address = {};
    std::string uuid = {};
    std::uint64_t compute_units = 0;
    std::uint64_t lds_bytes = 0;    ///< that one block can have
    std::uint64_t cache_bytes = 0;  ///< last-level cache; 0 if not known
    std::uint64_t memory_bytes = 0;
    /// Of memory. HIP tells none: transfers a clock differ by the type of memory (HBM2 has 2, HBM3
    /// 4, GDDR6 16 of the clock that it tells), which it does not tell.
    double peak_bytes_per_second = 0;
    std::vector<std::string> notes = {};  ///< what else it says and cannot be (plausible.hpp)
};

template <SameEntity<DeviceInfo> Self, class Visitor>
void visit_fields(Self& info, Visitor&& v) {
    v(Field{"backend", ""}, info.backend);
    v(Field{"index", ""}, info.index);
    v(Field{"name", ""}, info.name);
    v(Field{"target", ""}, info.target);
    v(Field{"pci_address", ""}, info.pci_address);
    v(Field{"uuid", ""}, info.uuid);
    v(Field{"compute_units", ""}, info.compute_units);
    v(Field{"lds_bytes", ""}, info.lds_bytes);
    v(Field{"cache_bytes", ""}, info.cache_bytes);
    v(Field{"memory_bytes", ""}, info.memory_bytes);
    v(Field{"peak_bytes_per_second", ""}, info.peak_bytes_per_second);
    v(Field{"notes", ""}, info.notes);
}

/// An address in device memory; on the cpu backend an ordinary one.
using Address = std::uintptr_t;

/// Arguments of a launch, each in a slot of eight bytes, as the driver interfaces want them.
class Arguments {
  public:
    static constexpr std::size_t most = 16;

    template <class T>
    Arguments& add(T value) {
        static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
        std::memcpy(&slots_.at(count_++), &value, sizeof value);
        return *this;
    }
    template <class T>
    T get(std::size_t index) const {
        T value;
        std::memcpy(static_cast<void*>(&value), &slots_.at(index), sizeof value);
        return value;
    }
    std::array<void*, most> pointers() {
        std::array<void*, most> result{};
        for (std::size_t i = 0; i < count_; ++i) result[i] = &slots_[i];
        return result;
    }

  private:
    std::array<std::uint64_t, most> slots_{};
    std::size_t count_ = 0;
};

struct Shape {
    std::uint64_t grid = 1;   ///< blocks
    std::uint32_t block = 1;  ///< threads of a block
    std::uint32_t lds_bytes = 0;
};

/// A loaded kernel. Belongs to the device that made it.
struct Kernel {
    void* function = nullptr;
    std::string name;
};

/// What to compile: an embedded file, definitions before it, and the function in it.
struct KernelRequest {
    std::string_view file;  ///< "bandwidth"
    std::string_view function;
    std::vector<std::string> definitions = {};  ///< "RT_BLOCK=256"
};

/// Another device of the same backend as an opened one sees it: the far end of copies. Copies are
/// queued on the opened device. Lives no longer than that device. Every member throws DeviceError.
class Peer {
  public:
    Peer() = default;
    Peer(Peer const&) = delete;
    Peer& operator=(Peer const&) = delete;
    virtual ~Peer() = default;

    /// What connects the two: "nvlink", "xgmi, 1 hop", "pcie"; empty: nobody tells.
    virtual std::string link() const = 0;
    /// Whether each reaches the other's memory; else copies go through the host's.
    virtual bool is_direct() const = 0;
    virtual Address allocate(std::size_t bytes) = 0;  ///< memory of the peer
    virtual void release(Address memory) noexcept = 0;
    virtual void send(Address to_peer, Address from, std::size_t bytes) = 0;   ///< queued
    virtual void fetch(Address to, Address from_peer, std::size_t bytes) = 0;  ///< queued
    /// Both, side by side, each so often; queued.
    virtual void exchange(Address to_peer, Address from, Address to, Address from_peer,
                          std::size_t bytes, unsigned times) = 0;
};

/// One opened device. Copies, fills and launches are queued in order; what they return says nothing
/// of their end. Every member throws DeviceError.
class Device {
  public:
    Device() = default;
    Device(Device const&) = delete;
    Device& operator=(Device const&) = delete;
    virtual ~Device() = default;

    virtual DeviceInfo const& info() const = 0;
    virtual std::uint64_t free_bytes() = 0;

    virtual Address allocate(std::size_t bytes) = 0;
    virtual void release(Address memory) noexcept = 0;
    /// Host memory that the device reaches by itself.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) noexcept = 0;

    virtual void upload(Address to, void const* from, std::size_t bytes) = 0;  ///< queued
    virtual void download(void* to, Address from, std::size_t bytes) = 0;      ///< queued
    virtual void copy(Address to, Address from, std::size_t bytes) = 0;        ///< queued
    virtual void fill(Address to, std::uint8_t byte, std::size_t bytes) = 0;   ///< queued

    /// Copies `bytes` to the device and as many from it, side by side; queued.
    virtual void copy_both_ways(Address to, void const* from, void* back, Address source,
                                std::size_t bytes) = 0;

    virtual Kernel load(KernelRequest const& request) = 0;
    /// Blocks of this kernel that one compute unit holds at once; at least 1.
    virtual unsigned occupancy(Kernel const& kernel, unsigned block, unsigned lds_bytes) = 0;
    /// Bytes of memory that each thread takes for what did not fit into its registers.
    virtual unsigned spilled_bytes(Kernel const& kernel) = 0;
    virtual void launch(Kernel const& kernel, Shape const& shape, Arguments arguments) = 0;

    /// Puts a time stamp into the queue. Its number counts from 0 and is given anew after
    /// synchronize().
    virtual std::size_t mark() = 0;
    /// Waits for all that is queued.
    virtual void synchronize() = 0;
    /// Time between two stamps, valid from synchronize() to the next mark().
    virtual double seconds_between(std::size_t first, std::size_t second) = 0;

    virtual HardwareState state() = 0;
    /// The device with this index as the other end of copies.
    virtual std::unique_ptr<Peer> peer(std::uint64_t index) {
        throw DeviceError("the backend has no peer " + std::to_string(index), "unsupported");
    }
    /// The queue as libraries want it (hipStream_t, CUstream); null where there is none.
    virtual void* native_queue() { return nullptr; }
};

/// Device memory that is given back.
class Buffer {
  public:
    Buffer(Device& device, std::size_t bytes)
        : device_(&device), address_(device.allocate(bytes)), bytes_(bytes) {}
    Buffer(Buffer const&) = delete;
    Buffer& operator=(Buffer const&) = delete;
    ~Buffer() { device_->release(address_); }

    Address address() const { return address_; }
    std::size_t bytes() const { return bytes_; }

  private:
    Device* device_;
    Address address_;
    std::size_t bytes_;
};

/// Pinned host memory that is given back.
class PinnedBuffer {
  public:
    PinnedBuffer(Device& device, std::size_t bytes)
        : device_(&device), memory_(device.allocate_pinned(bytes)) {}
    PinnedBuffer(PinnedBuffer const&) = delete;
    PinnedBuffer& operator=(PinnedBuffer const&) = delete;
    ~PinnedBuffer() { device_->release_pinned(memory_); }

    void* data() const { return memory_; }

  private:
    Device* device_;
    void* memory_;
};

/// A way to reach devices. Both functions run in a worker and throw DeviceError.
struct Backend {
    std::string_view name;
    /// Its devices under the current masks; none if there is no library or no device.
    std::vector<DeviceInfo> (*list)();
    std::unique_ptr<Device> (*open)(std::uint64_t index);
};

/// In the order in which `auto` tries them; the last one has a device everywhere.
std::span<Backend const> all_backends();
/// The backend of this name, or null.
Backend const* find_backend(std::string_view name);

}  // namespace rocmtune::bench
