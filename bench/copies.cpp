// SPDX-License-Identifier: MIT
// Copies by size, parts of the benchmark bandwidth: between host and device, from pinned memory,
// from pageable memory and both ways at once; and between two devices, both ways too. A copy counts
// its bytes once, both ways the bytes of both directions. Each device copies to every other one, so
// that the reports of all devices together are the matrix; both ways is the same from either end
// and measured once.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/bandwidth.hpp"
#include "bench/data.hpp"
#include "machine/host_root.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t sizes[] = {std::size_t{1} << 20, std::size_t{16} << 20,
                                 std::size_t{256} << 20};
constexpr std::size_t quick_size = sizes[1], largest = sizes[2];
/// Seeds of what goes to the device or its peer, and of what comes back.
constexpr std::uint32_t sent = 1;
constexpr std::uint32_t fetched = 2;

std::uint32_t word(std::size_t i, std::uint32_t seed) {
    return mixed(static_cast<std::uint32_t>(i) + seed * 0x9e3779b9U);
}

void fill(std::uint32_t* words, std::size_t bytes, std::uint32_t seed) {
    for (std::size_t i = 0; i < bytes / 4; ++i) words[i] = word(i, seed);
}

std::string compare(std::uint32_t const* words, std::size_t bytes, std::uint32_t seed,
                    std::string_view where) {
    for (std::size_t i = 0; i < bytes / 4; ++i)
        if (words[i] != word(i, seed))
            return fmt::format("word {} of {} is wrong{}", i, bytes / 4, where);
    return {};
}

/// Compares what lies in device memory.
std::string compare(Device& device, Buffer const& memory, std::uint32_t seed,
                    std::string_view where = {}) {
    std::vector<std::uint32_t> words(memory.bytes() / 4);
    device.download(words.data(), memory.address(), memory.bytes());
    device.synchronize();
    return compare(words.data(), memory.bytes(), seed, where);
}

void need_room(Session const& session, std::size_t bytes) {
    if (2 * bytes > session.budget_bytes())
        throw DeviceError("the buffers are more than half of the free memory", "no-memory");
}

std::string counting(bool both) {
    return both ? "N bytes each way" : "N bytes";
}

// ---- host and device ----------------------------------------------------------------------------

enum class Direction { to_device, from_device, both };

struct HostCopy {
    std::string_view name;
    Direction direction;
    bool pinned;
    bool every_size;
};

/// The size curve matters where the link is used well: with pinned memory.
constexpr HostCopy host_copies[] = {
    {"host-to-device", Direction::to_device, true, true},
    {"device-to-host", Direction::from_device, true, true},
    {"both-ways", Direction::both, true, false},
    {"host-to-device", Direction::to_device, false, false},
    {"device-to-host", Direction::from_device, false, false},
};

/// Host memory of either kind.
class HostMemory {
  public:
    HostMemory(Device& device, std::size_t bytes, bool pinned) {
        if (pinned) pinned_ = std::make_unique<PinnedBuffer>(device, bytes);
        else pageable_.resize(bytes / sizeof(std::uint32_t));
    }
    std::uint32_t* words() {
        return pinned_ ? static_cast<std::uint32_t*>(pinned_->data()) : pageable_.data();
    }

  private:
    std::unique_ptr<PinnedBuffer> pinned_;
    std::vector<std::uint32_t> pageable_;
};

/// Everything of one copy. What goes each way is different and known.
struct Transfer {
    Transfer(Device& opened, std::size_t size, HostCopy const& copy)
        : device(opened),
          bytes(size),
          direction(copy.direction),
          down(opened, size, copy.pinned),
          up(opened, size, copy.pinned),
          to(opened, size),
          from(opened, size) {
        fill(down.words(), bytes, sent);
        fill(up.words(), bytes, fetched);
        device.upload(from.address(), up.words(), bytes);
        device.synchronize();
    }

    void queue() {
        if (direction == Direction::to_device) device.upload(to.address(), down.words(), bytes);
        else if (direction == Direction::from_device)
            device.download(up.words(), from.address(), bytes);
        else device.copy_both_ways(to.address(), down.words(), up.words(), from.address(), bytes);
    }

    std::vector<Output> outputs() {
        std::vector<Output> all;
        if (direction != Direction::from_device)
            all.push_back(device_output(device, to.address(), bytes));
        if (direction != Direction::to_device) all.push_back(host_output());
        return all;
    }

    /// Host memory as the device's queue sees it.
    Output host_output() {
        auto* const memory = reinterpret_cast<char*>(up.words());
        return copied_output(
            device, bytes,
            [this, memory](std::size_t offset, Address source, std::size_t count) {
                device.download(memory + offset, source, count);
            },
            [this, memory](Address there, std::size_t offset, std::size_t count) {
                device.upload(there, memory + offset, count);
            });
    }

    std::string check() {
        std::string wrong;
        if (direction != Direction::to_device) wrong = compare(up.words(), bytes, fetched, "");
        if (direction == Direction::from_device || !wrong.empty()) return wrong;
        return compare(device, to, sent);
    }

    Device& device;
    std::size_t bytes;
    Direction direction;
    HostMemory down, up;
    Buffer to, from;
};

void run(Session& session, HostCopy const& copy, std::size_t bytes, Measurement& result) {
    need_room(session, bytes);
    Transfer transfer(session.device, bytes, copy);
    Work work{.queue = [&] { transfer.queue(); },
              .amount = static_cast<double>(bytes) * (copy.direction == Direction::both ? 2 : 1)};
    work.outputs = transfer.outputs();
    work.check = [&] { return transfer.check(); };
    measure(session, work, result);
}

// ---- device and device --------------------------------------------------------------------------

/// Copies each way between two meetings of the devices: a meeting takes 20 us on two H200s, and
/// 256 MiB take 690.
constexpr unsigned exchanges = 8;

class PeerBuffer {
  public:
    PeerBuffer(Peer& peer, std::size_t bytes) : peer_(peer), address_(peer.allocate(bytes)) {}
    PeerBuffer(PeerBuffer const&) = delete;
    PeerBuffer& operator=(PeerBuffer const&) = delete;
    ~PeerBuffer() { peer_.release(address_); }
    Address address() const { return address_; }

  private:
    Peer& peer_;
    Address address_;
};

/// Two arrays at either end. What goes each way is different and known.
struct Exchange {
    Exchange(Device& opened, std::uint64_t index, std::size_t size, bool both_ways)
        : device(opened),
          peer(opened.peer(index)),
          bytes(size),
          both(both_ways),
          here(opened, size),
          arrived(opened, size),
          there(*peer, size),
          source(*peer, size) {
        std::vector<std::uint32_t> back(bytes / 4), out(bytes / 4);
        fill(back.data(), bytes, fetched);
        device.upload(arrived.address(), back.data(), bytes);
        peer->send(source.address(), arrived.address(), bytes);
        fill(out.data(), bytes, sent);
        device.upload(here.address(), out.data(), bytes);
        device.synchronize();
    }

    void queue() {
        if (both)
            peer->exchange(there.address(), here.address(), arrived.address(), source.address(),
                           bytes, exchanges);
        else peer->send(there.address(), here.address(), bytes);
    }

    std::vector<Output> outputs() {
        std::vector<Output> all{copied_output(
            device, bytes,
            [this](std::size_t offset, Address from, std::size_t count) {
                peer->send(there.address() + offset, from, count);
            },
            [this](Address to, std::size_t offset, std::size_t count) {
                peer->fetch(to, there.address() + offset, count);
            })};
        if (both) all.push_back(device_output(device, arrived.address(), bytes));
        return all;
    }

    /// Fetches what was sent: the peer's memory is not read from here.
    std::string check() {
        if (both)
            if (auto wrong = compare(device, arrived, fetched, " here"); !wrong.empty())
                return wrong;
        device.fill(arrived.address(), 0xA5, bytes);
        peer->fetch(arrived.address(), there.address(), bytes);
        return compare(device, arrived, sent, " at the peer");
    }

    Device& device;
    std::unique_ptr<Peer> peer;
    std::size_t bytes;
    bool both;
    Buffer here, arrived;
    PeerBuffer there, source;
};

void run(Session& session, std::uint64_t index, std::size_t bytes, bool both, Measurement& result) {
    need_room(session, bytes);
    Exchange it(session.device, index, bytes, both);
    result.parameters.mode = it.peer->is_direct() ? "direct" : "through the host";
    if (!it.peer->link().empty()) result.parameters.link = it.peer->link();
    Work work{.queue = [&it] { it.queue(); },
              .amount = static_cast<double>(bytes) * (both ? 2 * exchanges : 1)};
    work.outputs = it.outputs();
    work.check = [&it] { return it.check(); };
    measure(session, work, result);
}

/// NUMA node of a PCI device; absent where there is one only (-1) or none is told.
std::optional<std::int64_t> numa_node(std::string const& pci_address) {
    HostRoot const root(directory_source("/"));
    auto const text = root.read("/sys/bus/pci/devices/" + pci_address + "/numa_node");
    auto const node = text ? to_unsigned(trim(*text)) : std::nullopt;
    return node ? std::optional(static_cast<std::int64_t>(*node)) : std::nullopt;
}

Step step_of(Session& session, OtherDevice const& other, std::size_t bytes, bool both) {
    auto draft = draft_of(session, "bandwidth", both ? "peer-both-ways" : "peer-copy", "GB/s");
    draft.parameters.bytes = bytes;
    draft.parameters.counting = counting(both);
    draft.parameters.peer =
        other.pci_address.empty() ? fmt::format("device {}", other.index) : other.pci_address;
    draft.parameters.numa_node = numa_node(session.device.info().pci_address);
    draft.parameters.peer_numa_node = numa_node(other.pci_address);
    return {std::move(draft), [&session, index = other.index, bytes, both](Measurement& result) {
                run(session, index, bytes, both, result);
            }};
}

}  // namespace

std::vector<Step> plan_host_copies(Session& session) {
    std::vector<Step> steps;
    if (session.device.info().backend == "cpu" || !has_bandwidth_type(session)) return steps;
    for (auto const& copy : host_copies)
        for (auto const bytes : sizes) {
            bool const wanted = copy.every_size || bytes == largest;
            if (!wanted || (session.options.quick && bytes != quick_size)) continue;
            auto draft = draft_of(session, "bandwidth", std::string(copy.name), "GB/s");
            draft.parameters.mode = copy.pinned ? "pinned" : "pageable";
            draft.parameters.bytes = bytes;
            draft.parameters.counting = counting(copy.direction == Direction::both);
            steps.push_back({std::move(draft), [&session, &copy, bytes](Measurement& result) {
                                 run(session, copy, bytes, result);
                             }});
        }
    return steps;
}

std::vector<Step> plan_peer_copies(Session& session) {
    std::vector<Step> steps;
    if (!has_bandwidth_type(session)) return steps;
    bool const quick = session.options.quick;
    for (auto const& other : session.options.others) {
        for (auto const bytes : sizes)
            if (!quick || bytes == quick_size)
                steps.push_back(step_of(session, other, bytes, false));
        if (session.device.info().index < other.index)
            steps.push_back(step_of(session, other, quick ? quick_size : largest, true));
    }
    return steps;
}

}  // namespace rocmtune::bench
