// SPDX-License-Identifier: MIT
// Collective operations over all chosen devices: one process, a thread and a communicator each.
// Data sizes, algorithm and bus bandwidth are those of nccl-tests (doc/PERFORMANCE.md there), so
// that figures can be compared: the size is that of the whole array, the algorithm bandwidth is the
// size by the time of the slowest device, the bus bandwidth what each device's links carried if the
// operation moves no byte more than it must.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <exception>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/collective_library.hpp"
#include "bench/data.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t sizes[] = {std::size_t{1} << 20, std::size_t{16} << 20,
                                 std::size_t{256} << 20};
constexpr std::size_t samples = 20;
/// nccl-tests' default: between its two looks at the clock it queues as many.
constexpr unsigned least_queued = 20;
constexpr unsigned most_queued = 1000;

/// Whole numbers below 2^16: sums over up to 256 devices are exact in fp32, in any order.
float value_of(std::uint64_t i, std::uint64_t rank) {
    return static_cast<float>(mixed(static_cast<std::uint32_t>(i * 0x9e3779b9U + rank)) >> 16);
}

float sum_of(std::uint64_t i, std::uint64_t ranks) {
    float sum = 0;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) sum += value_of(i, rank);
    return sum;
}

/// One device's place in an operation. All counts in elements.
struct Place {
    std::uint64_t rank = 0;
    std::uint64_t ranks = 1;
    std::uint64_t all = 0;                              ///< of the whole array
    std::uint64_t part() const { return all / ranks; }  ///< of one rank's share
};

struct Collective {
    std::string_view name;
    /// Bytes over each device's links by bytes of the array.
    double (*bus_factor)(double ranks);
    bool sends_part;     ///< the input is one share, else the whole
    bool receives_part;  ///< the output is
    void (*queue)(CollectiveLibrary const&, Address from, Address to, Place const&, void*, void*);
    float (*expected)(std::uint64_t i, Place const&);  ///< element `i` of the output
};

constexpr Collective collectives[] = {
    {"all-reduce", [](double n) { return 2 * (n - 1) / n; }, false, false,
     [](auto const& it, Address from, Address to, Place const& place, void* group, void* stream) {
         it.all_reduce(from, to, place.all, group, stream);
     },
     [](std::uint64_t i, Place const& place) { return sum_of(i, place.ranks); }},
    {"all-gather", [](double n) { return (n - 1) / n; }, true, false,
     [](auto const& it, Address from, Address to, Place const& place, void* group, void* stream) {
         it.all_gather(from, to, place.part(), group, stream);
     },
     [](std::uint64_t i, Place const& place) {
         return value_of(i % place.part(), i / place.part());
     }},
    {"reduce-scatter", [](double n) { return (n - 1) / n; }, false, true,
     [](auto const& it, Address from, Address to, Place const& place, void* group, void* stream) {
         it.reduce_scatter(from, to, place.part(), group, stream);
     },
     [](std::uint64_t i, Place const& place) {
         return sum_of(place.rank * place.part() + i, place.ranks);
     }},
    {"broadcast", [](double) { return 1.0; }, false, false,
     [](auto const& it, Address from, Address to, Place const& place, void* group, void* stream) {
         it.broadcast(from, to, place.all, group, stream);
     },
     [](std::uint64_t i, Place const&) { return value_of(i, 0); }},
};

/// What the threads of one run share. A thread that fails says so before the next meeting: the
/// others must not wait for it inside the library, which has no deadline of its own. Who leaves
/// drops out of the barrier.
struct Meeting {
    explicit Meeting(std::ptrdiff_t threads) : barrier(threads) {}

    /// Waits for all; false if one of them has failed.
    bool all_well() {
        barrier.arrive_and_wait();
        return !failed;
    }

    std::barrier<> barrier;
    std::atomic<bool> failed = false;
    std::atomic<unsigned> queued = least_queued;  ///< operations of a sample; rank 0 decides
};

/// A communicator that is left.
class Member {
  public:
    Member(CollectiveLibrary const& library, CollectiveId const& id, Place const& place)
        : library_(library),
          handle_(library.join(id, static_cast<int>(place.rank), static_cast<int>(place.ranks))) {}
    Member(Member const&) = delete;
    Member& operator=(Member const&) = delete;
    ~Member() { library_.leave(handle_); }
    void* handle() const { return handle_; }

  private:
    CollectiveLibrary const& library_;
    CollectiveLibrary::Communicator handle_;
};

/// One device and its thread.
struct Lane {
    std::uint64_t index = 0;
    Place place = {};
    std::vector<double> seconds = {};  ///< of one operation, sample by sample
    std::string wrong = {};
    std::exception_ptr failure = {};
};

/// What all lanes of one run are told.
struct Task {
    Session const& session;
    Collective const& collective;
    CollectiveLibrary const& library;
    CollectiveId id;
    Meeting& meeting;
};

/// A device with its arrays, whose input is filled.
struct Ready {
    Ready(Task const& task, Lane const& lane)
        : device(find_backend(task.session.options.backend)->open(lane.index)),
          inputs(task.collective.sends_part ? lane.place.part() : lane.place.all),
          outputs(task.collective.receives_part ? lane.place.part() : lane.place.all),
          from(fitting(), inputs * sizeof(float)),
          to(*device, outputs * sizeof(float)) {
        std::vector<float> values(inputs);
        for (std::uint64_t i = 0; i < inputs; ++i) values[i] = value_of(i, lane.place.rank);
        device->upload(from.address(), values.data(), from.bytes());
        device->synchronize();
    }
    /// The device, if the arrays leave half of its free memory to others.
    Device& fitting() const {
        if ((inputs + outputs) * sizeof(float) > device->free_bytes() / 2)
            throw DeviceError("the arrays take more than half of the free memory", "no-memory");
        return *device;
    }

    std::unique_ptr<Device> device;
    std::uint64_t inputs, outputs;
    Buffer from, to;
};

/// Seconds of one of `count` operations, queued at once.
double timed(Task const& task, Lane const& lane, Ready& ready, Member const& member,
             unsigned count) {
    auto const first = ready.device->mark();
    for (unsigned i = 0; i < count; ++i)
        task.collective.queue(task.library, ready.from.address(), ready.to.address(), lane.place,
                              member.handle(), ready.device->native_queue());
    auto const last = ready.device->mark();
    ready.device->synchronize();
    return ready.device->seconds_between(first, last) / count;
}

void sample(Task const& task, Lane& lane, Ready& ready, Member const& member) {
    constexpr unsigned warm_up = 5;
    (void)timed(task, lane, ready, member, warm_up);
    auto const one = timed(task, lane, ready, member, warm_up);
    if (lane.place.rank == 0) {
        auto const fitting = task.session.options.seconds / samples / std::max(one, 1e-9);
        // By a clock that is broken it is no number, and the samples are refused.
        task.meeting.queued = fitting > least_queued
                                  ? static_cast<unsigned>(std::min<double>(fitting, most_queued))
                                  : least_queued;
    }
    for (std::size_t i = 0; i < samples; ++i) {
        task.meeting.barrier.arrive_and_wait();
        lane.seconds.push_back(timed(task, lane, ready, member, task.meeting.queued));
    }
}

/// Compares the whole output.
std::string compare(Task const& task, Lane const& lane, Ready& ready) {
    std::vector<float> found(ready.outputs);
    ready.device->download(found.data(), ready.to.address(), ready.to.bytes());
    ready.device->synchronize();
    for (std::uint64_t i = 0; i < ready.outputs; ++i) {
        auto const expected = task.collective.expected(i, lane.place);
        if (found[i] != expected)
            return fmt::format("element {} of {} is {}, not {}", i, ready.outputs, found[i],
                               expected);
    }
    return {};
}

/// Watches some operations in a row, and then the whole of a last one. All lanes do the same.
std::string check(Task const& task, Lane const& lane, Ready& ready, Member const& member) {
    auto& device = *ready.device;
    Witness witness(device, {device_output(device, ready.to.address(), ready.to.bytes())});
    auto const queue = [&] {
        task.collective.queue(task.library, ready.from.address(), ready.to.address(), lane.place,
                              member.handle(), device.native_queue());
    };
    witness.watch(queue);
    return witness.verdict(queue, [&] { return compare(task, lane, ready); });
}

void run_lane(Task const& task, Lane& lane) {
    std::unique_ptr<Ready> ready;
    std::unique_ptr<Member> member;
    auto const guarded = [&](auto const& f) {
        try {
            f();
        } catch (...) {
            lane.failure = std::current_exception();
            task.meeting.failed = true;
        }
        return task.meeting.all_well();
    };
    if (!guarded([&] { ready = std::make_unique<Ready>(task, lane); })) return;
    if (!guarded([&] { member = std::make_unique<Member>(task.library, task.id, lane.place); }))
        return;
    // From here on a device that fails leaves the others waiting in the library: the deadline of
    // the worker ends that.
    sample(task, lane, *ready, *member);
    lane.wrong = check(task, lane, *ready, *member);
}

void run_guarded(Task const& task, Lane& lane) {
    try {
        run_lane(task, lane);
    } catch (...) {
        lane.failure = std::current_exception();
        task.meeting.failed = true;
    }
    task.meeting.barrier.arrive_and_drop();
}

/// Bytes a second of each sample, by the slowest device.
std::vector<double> bytes_per_second(std::vector<Lane> const& lanes, double bytes) {
    std::vector<double> rates;
    for (std::size_t i = 0; i < samples; ++i) {
        double slowest = 0;
        for (auto const& lane : lanes) slowest = std::max(slowest, lane.seconds.at(i));
        rates.push_back(bytes / slowest);
    }
    return rates;
}

/// What is wrong with the result of a lane or with its times; empty if nothing is.
/// @throws what a lane threw
std::string wrong_lane(std::vector<Lane> const& lanes) {
    for (auto const& lane : lanes)
        if (lane.failure) std::rethrow_exception(lane.failure);
    for (auto const& lane : lanes) {
        auto const wrong = lane.wrong.empty() ? impossible_time(lane.seconds) : lane.wrong;
        if (!wrong.empty()) return fmt::format("device {}: {}", lane.index, wrong);
    }
    return {};
}

/// The lanes of all chosen devices, this one first.
std::vector<Lane> lanes_of(Session const& session, std::size_t bytes) {
    std::vector<Lane> lanes;
    for (auto const index : chosen_devices(session)) lanes.push_back({.index = index});
    auto const ranks = lanes.size();
    for (std::size_t rank = 0; rank < ranks; ++rank)
        lanes[rank].place = {rank, ranks,
                             std::max<std::size_t>(bytes / sizeof(float) / ranks, 1) * ranks};
    return lanes;
}

/// What the figure of the algorithm bandwidth is made from.
struct Found {
    std::vector<double> rates = {};  ///< in bytes a second
    std::string library = {};
    std::string version = {};
};

void finish(Found const& found, double factor, Measurement& result) {
    result.parameters.library = found.library;
    if (!found.version.empty()) result.parameters.kernel = found.version;
    for (auto const rate : found.rates) result.samples.push_back(rate * factor * 1e-9);
    result.verified = true;
    result.status = "ok";
    summarize_into(result);
}

/// The bus bandwidth.
void run(Session& session, Collective const& collective, std::size_t bytes, Found& found,
         Measurement& result) {
    CollectiveLibrary const library(session.device.info().backend);
    found.library = library.path();
    found.version = library.version();
    auto lanes = lanes_of(session, bytes);
    Meeting meeting(std::ssize(lanes));
    Task const task{session, collective, library, library.new_id(), meeting};
    result.state_before = session.device.state();
    {
        std::vector<std::jthread> threads;
        for (auto& lane : lanes) threads.emplace_back([&] { run_guarded(task, lane); });
    }
    result.state_after = session.device.state();
    auto const moved = static_cast<double>(lanes.front().place.all * sizeof(float));
    if (auto wrong = wrong_lane(lanes); !wrong.empty()) return refuse(std::move(wrong), result);
    found.rates = bytes_per_second(lanes, moved);
    finish(found, collective.bus_factor(static_cast<double>(lanes.size())), result);
}

Measurement draft_for(Session const& session, Collective const& collective, std::size_t bytes,
                      bool bus) {
    auto draft = draft_of(session, "collectives",
                          fmt::format("{}-{}", collective.name, bus ? "bus" : "algorithm"), "GB/s");
    auto const ranks = session.options.others.size() + 1;
    draft.parameters.bytes = bytes;
    draft.parameters.dtype = "fp32";
    draft.parameters.devices = ranks;
    draft.parameters.counting =
        bus ? fmt::format("{:.4g} x N bytes", collective.bus_factor(static_cast<double>(ranks)))
            : "N bytes";
    return draft;
}

void add_steps(Session& session, Collective const& collective, std::size_t bytes,
               std::vector<Step>& steps) {
    auto const found = std::make_shared<Found>();
    steps.push_back({draft_for(session, collective, bytes, true),
                     [=, &session, &collective](Measurement& result) {
                         run(session, collective, bytes, *found, result);
                     }});
    steps.push_back({draft_for(session, collective, bytes, false), [=](Measurement& result) {
                         if (found->rates.empty())
                             throw DeviceError("there is no bus bandwidth", "unsupported");
                         finish(*found, 1, result);
                     }});
}

/// What was asked for by name says why it has no figure.
Step refusal(Session const& session, std::string const& why) {
    return {draft_of(session, "collectives", "all-reduce-bus", "GB/s"),
            [why](Measurement&) { throw DeviceError(why, "unsupported"); }};
}

}  // namespace

std::vector<Step> plan_collectives(Session& session) {
    std::vector<Step> steps;
    auto const& options = session.options;
    if (!options.first) return steps;
    if (options.others.empty())
        return {refusal(session, "there is no second GPU among those chosen")};
    if (!options.dtype.empty() && options.dtype != "fp32")
        return {refusal(session, "collectives are measured in fp32")};
    for (auto const& collective : collectives) {
        if (options.size) add_steps(session, collective, *options.size, steps);
        for (auto const bytes : sizes)
            if (!options.size && (!options.quick || bytes == sizes[1]))
                add_steps(session, collective, bytes, steps);
    }
    return steps;
}

}  // namespace rocmtune::bench
