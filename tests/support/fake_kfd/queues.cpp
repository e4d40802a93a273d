// SPDX-License-Identifier: MIT
// AQL packets: "HSA Platform System Architecture Specification 1.2", 2.9.
#include "queues.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <linux/kfd_ioctl.h>

#include "dispatch.hpp"
#include "events.hpp"
#include "faults.hpp"
#include "sdma.hpp"
#include "signals.hpp"

namespace fake_kfd {
namespace {

constexpr std::uint64_t packet_bytes = 64;
constexpr std::uint64_t completion_offset = 56;
constexpr unsigned dependencies = 5;

enum PacketType : std::uint16_t { invalid = 1, kernel = 2, barrier_and = 3, barrier_or = 5 };

void rest() {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

/// A queue that goes no further keeps its packets until it is destroyed.
void stand_still(std::stop_token const& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait(lock, stop, [] { return false; });
}

/// Whether the signals that a barrier packet names have the wanted state.
bool may_pass(std::uint64_t packet, unsigned type) {
    unsigned named = 0;
    unsigned over = 0;
    for (unsigned i = 0; i < dependencies; ++i) {
        auto const handle = at<std::uint64_t>(packet + 8 + 8 * i).load();
        if (handle == 0) continue;
        ++named;
        if (reinterpret_cast<Signal*>(handle)->value.load() <= 0) ++over;
    }
    return type == barrier_and ? over == named : over > 0 || named == 0;
}

void complete(std::uint64_t packet, std::uint64_t start) {
    auto const handle = at<std::uint64_t>(packet + completion_offset).load();
    if (handle == 0) return;
    auto& signal = *reinterpret_cast<Signal*>(handle);
    auto const [mailbox, event] = std::pair(signal.event_mailbox, signal.event_id);
    signal.start = start;
    // Never at once: a rate is work by time.
    signal.end = std::max(now(), start + 1000);
    // From here on the signal may be gone.
    signal.value.fetch_sub(1);
    if (mailbox == 0) return;
    at<std::uint64_t>(mailbox).store(event);
    raise_event(event);
}

/// False if the queue goes no further.
bool take(Queue const& queue, std::uint64_t packet, std::stop_token const& stop) {
    unsigned const type = at<std::uint16_t>(packet).load() & 0xffU;
    if (type == barrier_and || type == barrier_or)
        while (!may_pass(packet, type) && !stop.stop_requested()) rest();
    if (stop.stop_requested()) return false;
    auto const start = now();
    if (type == kernel && !dispatch(queue.gpu, packet)) return false;
    complete(packet, start);
    return true;
}

void serve_packets(std::stop_token const& stop, Queue const& queue) {
    auto& written = at<std::uint64_t>(queue.write_index);
    auto& read = at<std::uint64_t>(queue.read_index);
    for (std::uint64_t index = read.load();; ++index) {
        auto const packet = queue.ring + index % (queue.size / packet_bytes) * packet_bytes;
        auto& header = at<std::uint16_t>(packet);
        // The index is moved first, the header last: only then is the packet whole.
        while (!stop.stop_requested() &&
               (written.load() <= index || (header.load() & 0xff) == invalid))
            rest();
        if (stop.stop_requested()) return;
        if (is_a_gpu_lost() || !take(queue, packet, stop)) return stand_still(stop);
        header.store(invalid);
        read.store(index + 1);
    }
}

/// The packets of a copy engine have different sizes, and the indices count bytes.
void serve_copies(std::stop_token const& stop, Queue const& queue) {
    auto& written = at<std::uint64_t>(queue.write_index);
    auto& read = at<std::uint64_t>(queue.read_index);
    for (std::uint64_t index = read.load(); !stop.stop_requested();) {
        if (written.load() <= index) {
            rest();
            continue;
        }
        auto const packet = queue.ring + index % queue.size;
        if (is_a_gpu_lost() || (is_sdma_copy(packet) && fault_word("copy") == "hang"))
            return stand_still(stop);
        auto const bytes = execute_sdma_packet(packet);
        if (bytes == 0) rest();
        index += bytes;
        read.store(index);
    }
}

}  // namespace

std::jthread serve_queue(Queue const& queue, std::uint32_t type) {
    if (!packets_are_taken()) return {};
    auto* const serve = type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL ? serve_packets : serve_copies;
    return std::jthread([queue, serve](std::stop_token const& stop) { serve(stop, queue); });
}

}  // namespace fake_kfd
