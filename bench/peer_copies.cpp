// SPDX-License-Identifier: MIT
// Copies between two devices by size, and both ways at once. A copy counts its bytes once, both
// ways the bytes of both directions. Each device copies to every other one, so that the reports of
// all devices together are the matrix; both ways is the same from either end and measured once.
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/benchmarks.hpp"
#include "bench/data.hpp"
#include "machine/host_root.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t sizes[] = {std::size_t{1} << 20, std::size_t{16} << 20,
                                 std::size_t{256} << 20};
/// Copies each way between two meetings of the devices: a meeting takes 20 us on two H200s, and
/// 256 MiB take 690.
constexpr unsigned exchanges = 8;
/// Seeds of what goes out and of what comes back.
constexpr std::uint32_t sent = 1;
constexpr std::uint32_t fetched = 2;

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

std::vector<std::uint32_t> pattern(std::size_t bytes, std::uint32_t seed) {
    std::vector<std::uint32_t> words(bytes / 4);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = mixed(static_cast<std::uint32_t>(i) + seed * 0x9e3779b9U);
    return words;
}

/// Two arrays at either end. What goes each way is different and known.
struct Exchange {
    Exchange(Device& opened, std::uint64_t index, std::size_t size)
        : device(opened),
          peer(opened.peer(index)),
          bytes(size),
          here(opened, size),
          arrived(opened, size),
          there(*peer, size),
          source(*peer, size) {
        auto const back = pattern(bytes, fetched);
        device.upload(arrived.address(), back.data(), bytes);
        peer->send(source.address(), arrived.address(), bytes);
        auto const out = pattern(bytes, sent);
        device.upload(here.address(), out.data(), bytes);
        device.synchronize();
    }

    std::vector<Output> outputs(bool both) {
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

    std::string compare(std::uint32_t seed, std::string_view where) {
        std::vector<std::uint32_t> found(bytes / 4);
        device.download(found.data(), arrived.address(), bytes);
        device.synchronize();
        auto const expected = pattern(bytes, seed);
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i] != expected[i])
                return fmt::format("word {} of {} is wrong {}", i, found.size(), where);
        return {};
    }

    /// Fetches what was sent: the peer's memory is not read from here.
    std::string check(bool both) {
        if (auto wrong = both ? compare(fetched, "here") : ""; !wrong.empty()) return wrong;
        device.fill(arrived.address(), 0xA5, bytes);
        peer->fetch(arrived.address(), there.address(), bytes);
        return compare(sent, "at the peer");
    }

    Device& device;
    std::unique_ptr<Peer> peer;
    std::size_t bytes;
    Buffer here, arrived;
    PeerBuffer there, source;
};

void run(Session& session, std::uint64_t index, std::size_t bytes, bool both, Measurement& result) {
    if (2 * bytes > session.budget_bytes())
        throw DeviceError("the buffers are more than half of the free memory", "no-memory");
    Exchange it(session.device, index, bytes);
    result.parameters.mode = it.peer->is_direct() ? "direct" : "through the host";
    if (!it.peer->link().empty()) result.parameters.link = it.peer->link();
    Work work{.queue = {}, .amount = static_cast<double>(bytes) * (both ? 2 * exchanges : 1)};
    work.queue = [&it, both] {
        if (both)
            it.peer->exchange(it.there.address(), it.here.address(), it.arrived.address(),
                              it.source.address(), it.bytes, exchanges);
        else it.peer->send(it.there.address(), it.here.address(), it.bytes);
    };
    work.outputs = it.outputs(both);
    work.check = [&it, both] { return it.check(both); };
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
    draft.parameters.counting = both ? "N bytes each way" : "N bytes";
    draft.parameters.peer =
        other.pci_address.empty() ? fmt::format("device {}", other.index) : other.pci_address;
    draft.parameters.numa_node = numa_node(session.device.info().pci_address);
    draft.parameters.peer_numa_node = numa_node(other.pci_address);
    return {std::move(draft), [&session, index = other.index, bytes, both](Measurement& result) {
                run(session, index, bytes, both, result);
            }};
}

}  // namespace

std::vector<Step> plan_peer_copies(Session& session) {
    std::vector<Step> steps;
    for (auto const& other : session.options.others) {
        for (auto const bytes : sizes)
            if (!session.options.quick || bytes == sizes[1])
                steps.push_back(step_of(session, other, bytes, false));
        if (session.device.info().index < other.index)
            steps.push_back(step_of(session, other, sizes[session.options.quick ? 1 : 2], true));
    }
    return steps;
}

}  // namespace rocmtune::bench
