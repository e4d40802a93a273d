// SPDX-License-Identifier: MIT
// Copies between host and device by size: from pinned memory, from pageable memory, both ways at
// once. A copy counts its bytes once; both ways counts the bytes of both directions.
#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/benchmarks.hpp"
#include "bench/data.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t sizes[] = {std::size_t{1} << 20, std::size_t{16} << 20,
                                 std::size_t{256} << 20};

enum class Direction { to_device, from_device, both };

struct Copy {
    std::string_view name;
    Direction direction;
    bool pinned;
    bool every_size;
};

/// The size curve matters where the link is used well: with pinned memory.
constexpr Copy copies[] = {
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
    Transfer(Device& opened, std::size_t size, bool pinned)
        : device(opened),
          bytes(size),
          down(opened, size, pinned),
          up(opened, size, pinned),
          to(opened, size),
          from(opened, size) {
        fill(down.words(), 1);
        fill(up.words(), 2);
        device.upload(from.address(), up.words(), bytes);
        device.synchronize();
    }

    static std::uint32_t word(std::size_t i, std::uint32_t seed) {
        return mixed(static_cast<std::uint32_t>(i) + seed * 0x9e3779b9U);
    }
    void fill(std::uint32_t* words, std::uint32_t seed) const {
        for (std::size_t i = 0; i < bytes / 4; ++i) words[i] = word(i, seed);
    }

    void queue(Direction direction) {
        if (direction == Direction::to_device) device.upload(to.address(), down.words(), bytes);
        else if (direction == Direction::from_device)
            device.download(up.words(), from.address(), bytes);
        else device.copy_both_ways(to.address(), down.words(), up.words(), from.address(), bytes);
    }

    std::vector<Output> outputs(Direction direction) {
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

    std::string compare(std::uint32_t const* words, std::uint32_t seed) const {
        for (std::size_t i = 0; i < bytes / 4; ++i)
            if (words[i] != word(i, seed))
                return fmt::format("word {} of {} is wrong", i, bytes / 4);
        return {};
    }

    std::string check(Direction direction) {
        std::string wrong;
        if (direction != Direction::to_device) wrong = compare(up.words(), 2);
        if (direction == Direction::from_device || !wrong.empty()) return wrong;
        std::vector<std::uint32_t> arrived(bytes / 4);
        device.download(arrived.data(), to.address(), bytes);
        device.synchronize();
        return compare(arrived.data(), 1);
    }

    Device& device;
    std::size_t bytes;
    HostMemory down, up;
    Buffer to, from;
};

void run(Session& session, Copy const& copy, std::size_t bytes, Measurement& result) {
    if (2 * bytes > session.budget_bytes())
        throw DeviceError("the buffers are more than half of the free memory", "no-memory");
    Transfer transfer(session.device, bytes, copy.pinned);
    Work work{.queue = [&] { transfer.queue(copy.direction); },
              .amount = static_cast<double>(bytes) * (copy.direction == Direction::both ? 2 : 1)};
    work.outputs = transfer.outputs(copy.direction);
    work.check = [&] { return transfer.check(copy.direction); };
    measure(session, work, result);
}

}  // namespace

std::vector<Step> plan_host_copies(Session& session) {
    std::vector<Step> steps;
    if (session.device.info().backend == "cpu") return steps;
    for (auto const& copy : copies)
        for (auto const bytes : sizes) {
            bool const wanted = copy.every_size || bytes == std::end(sizes)[-1];
            if (!wanted || (session.options.quick && bytes != sizes[1])) continue;
            auto draft = draft_of(session, "bandwidth", std::string(copy.name), "GB/s");
            draft.parameters.mode = copy.pinned ? "pinned" : "pageable";
            draft.parameters.bytes = bytes;
            draft.parameters.counting =
                copy.direction == Direction::both ? "N bytes each way" : "N bytes";
            steps.push_back({std::move(draft), [&session, &copy, bytes](Measurement& result) {
                                 run(session, copy, bytes, result);
                             }});
        }
    return steps;
}

}  // namespace rocmtune::bench
