// SPDX-License-Identifier: MIT
// Layouts: "HSA Platform System Architecture Specification 1.2", 2.9 (AQL packets), and ROCr's
// inc/amd_hsa_signal.h.
#include "queues.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <utility>

namespace fake_kfd {
namespace {

constexpr std::uint64_t packet_bytes = 64;
constexpr std::uint64_t completion_offset = 56;
constexpr unsigned dependencies = 5;

enum PacketType : std::uint16_t {
    vendor = 0,
    invalid = 1,
    dispatch = 2,
    barrier_and = 3,
    barrier_or = 5
};

/// amd_signal_t.
struct Signal {
    std::int64_t kind;
    std::atomic<std::int64_t> value;
    std::uint64_t event_mailbox;
    std::uint32_t event_id;
    std::uint32_t reserved;
    std::uint64_t start;
    std::uint64_t end;
};

template <class T>
std::atomic<T>& at(std::uint64_t address) {
    return *reinterpret_cast<std::atomic<T>*>(address);
}

std::uint64_t now() {
    std::timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
}

void rest() {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

/// A barrier packet waits for other queues.
void wait_for_dependencies(std::uint64_t packet, std::stop_token const& stop) {
    for (unsigned i = 0; i < dependencies; ++i) {
        auto const handle = at<std::uint64_t>(packet + 8 + 8 * i).load();
        while (handle != 0 && reinterpret_cast<Signal*>(handle)->value.load() > 0) {
            if (stop.stop_requested()) return;
            rest();
        }
    }
}

void complete(std::uint64_t packet, std::function<void(std::uint32_t)> const& raise) {
    auto const handle = at<std::uint64_t>(packet + completion_offset).load();
    if (handle == 0) return;
    auto& signal = *reinterpret_cast<Signal*>(handle);
    signal.start = now();
    signal.end = signal.start + 1000;
    signal.value.fetch_sub(1);
    if (signal.event_mailbox == 0) return;
    at<std::uint64_t>(signal.event_mailbox).store(signal.event_id);
    raise(signal.event_id);
}

void serve(std::stop_token const& stop, AqlQueue const& queue,
           std::function<void(std::uint32_t)> const& raise) {
    auto& written = at<std::uint64_t>(queue.write_index);
    auto& read = at<std::uint64_t>(queue.read_index);
    for (std::uint64_t index = read.load();; ++index) {
        auto const packet = queue.ring + index % (queue.size / packet_bytes) * packet_bytes;
        auto& header = at<std::uint16_t>(packet);
        // The index is moved first, the header last: only then is the packet whole.
        while (!stop.stop_requested() &&
               (written.load() <= index || (header.load() & 0xff) == invalid))
            rest();
        if ((header.load() & 0xff) == barrier_and) wait_for_dependencies(packet, stop);
        if (stop.stop_requested()) return;
        complete(packet, raise);
        header.store(invalid);
        read.store(index + 1);
    }
}

}  // namespace

std::jthread serve_queue(AqlQueue const& queue, std::function<void(std::uint32_t)> raise) {
    auto const* const mode = std::getenv("FAKE_KFD_QUEUES");
    if (mode == nullptr || std::strcmp(mode, "complete") != 0) return {};
    return std::jthread([queue, raise = std::move(raise)](std::stop_token const& stop) {
        serve(stop, queue, raise);
    });
}

}  // namespace fake_kfd
