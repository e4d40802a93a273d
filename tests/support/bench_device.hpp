// SPDX-License-Identifier: MIT
// A device that does what another one does, but for one fault.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "bench/device.hpp"

namespace rocmtune::bench {

inline std::unique_ptr<Device> open_cpu(std::uint64_t index) {
    return find_backend("cpu")->open(index);
}

}  // namespace rocmtune::bench

namespace rocmtune::test {

class FaultyDevice : public bench::Device {
  public:
    explicit FaultyDevice(std::unique_ptr<bench::Device> inner) : inner_(std::move(inner)) {}

    std::function<void(void* host, std::size_t bytes)> downloaded;  ///< sees every download
    bool corrupt_downloads = false;  ///< eight bytes in the middle of every download are others
    bool skip_launches = false;      ///< launches succeed and do nothing
    long drop_launch = 0;            ///< every so-manieth launch succeeds and does nothing; 0: none
    long drop_work = 0;              ///< the same of all that is queued: launches, fills, copies
    long allocations_left = -1;      ///< so many succeed; -1: all
    long launches_left = -1;         ///< so many succeed, then the device is lost
    long allocated = 0;              ///< not yet released

    std::optional<bench::DeviceInfo> said;    ///< instead of what the other one says of itself
    std::optional<std::uint64_t> free_of_it;  ///< the same of its free memory

    bench::DeviceInfo const& info() const override { return said ? *said : inner_->info(); }
    std::uint64_t free_bytes() override { return free_of_it.value_or(inner_->free_bytes()); }
    bench::Address allocate(std::size_t bytes) override {
        if (allocations_left == 0)
            throw bench::DeviceError("out of memory, as the test wants it", "no-memory");
        if (allocations_left > 0) --allocations_left;
        ++allocated;
        return inner_->allocate(bytes);
    }
    void release(bench::Address memory) noexcept override {
        --allocated;
        inner_->release(memory);
    }
    void* allocate_pinned(std::size_t bytes) override { return inner_->allocate_pinned(bytes); }
    void release_pinned(void* memory) noexcept override { inner_->release_pinned(memory); }
    void upload(bench::Address to, void const* from, std::size_t bytes) override {
        if (!drops_work()) inner_->upload(to, from, bytes);
    }
    void download(void* to, bench::Address from, std::size_t bytes) override {
        if (!drops_work()) inner_->download(to, from, bytes);
        if (downloaded) downloaded(to, bytes);
        if (!corrupt_downloads) return;
        // The highest byte of one double, or of two floats, and a large part of integers. Two
        // different bits: words whose exclusive or is taken would hide the same one twice. A
        // double of 0, a part that had nothing to add, becomes 2.
        auto* const middle = static_cast<unsigned char*>(to) + bytes / 2 / 8 * 8;
        middle[3] ^= 0x20;
        if (bytes % 8 == 0) middle[7] ^= 0x40;
    }
    void copy(bench::Address to, bench::Address from, std::size_t bytes) override {
        if (!drops_work()) inner_->copy(to, from, bytes);
    }
    void fill(bench::Address to, std::uint8_t byte, std::size_t bytes) override {
        if (!drops_work()) inner_->fill(to, byte, bytes);
    }
    void copy_both_ways(bench::Address to, void const* from, void* back, bench::Address source,
                        std::size_t bytes) override {
        inner_->copy_both_ways(to, from, back, source, bytes);
    }
    bench::Kernel load(bench::KernelRequest const& request) override {
        return inner_->load(request);
    }
    unsigned occupancy(bench::Kernel const& kernel, unsigned block, unsigned lds_bytes) override {
        return inner_->occupancy(kernel, block, lds_bytes);
    }
    unsigned spilled_bytes(bench::Kernel const& kernel) override {
        return inner_->spilled_bytes(kernel);
    }
    void launch(bench::Kernel const& kernel, bench::Shape const& shape,
                bench::Arguments arguments) override {
        if (launches_left == 0) throw bench::DeviceError("the device fell off the bus", "lost");
        if (launches_left > 0) --launches_left;
        bool const dropped = drop_launch > 0 && ++launches_ % drop_launch == 0;
        if (!drops_work() && !skip_launches && !dropped) inner_->launch(kernel, shape, arguments);
    }
    std::size_t mark() override { return inner_->mark(); }
    void synchronize() override { inner_->synchronize(); }
    double seconds_between(std::size_t first, std::size_t second) override {
        return inner_->seconds_between(first, second);
    }
    HardwareState state() override { return inner_->state(); }

  private:
    bool drops_work() { return drop_work > 0 && ++queued_ % drop_work == 0; }

    std::unique_ptr<bench::Device> inner_;
    long launches_ = 0;
    long queued_ = 0;
};

}  // namespace rocmtune::test
