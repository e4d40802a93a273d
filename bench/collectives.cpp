// SPDX-License-Identifier: MIT
// Collective operations over all chosen devices: one process, a thread and a communicator each.
// Data sizes, algorithm and bus bandwidth are those of nccl-tests (doc/PERFORMANCE.md there), so
// that figures can be compared: the size is that of the whole array, the algorithm bandwidth is the
// size by the time of the slowest device, the bus bandwidth what each device's links carried if the
// operation moves no byte more than it must.
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include <fmt/format.h>

#include "bench/data.hpp"
#include "bench/device_threads.hpp"
#include "bench/library_functions.hpp"
#include "bench/session.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t sizes[] = {std::size_t{1} << 20, std::size_t{16} << 20,
                                 std::size_t{256} << 20};
constexpr std::size_t samples = 20;
/// nccl-tests' default: between its two looks at the clock it queues as many.
constexpr unsigned least_queued = 20;
constexpr unsigned most_queued = 1000;

// ---- RCCL and NCCL, which have the same interface -----------------------------------------------

/// ncclUniqueId, passed by value (NCCL_UNIQUE_ID_BYTES is 128 in every release of both).
struct GroupId {
    std::array<char, 128> bytes;
};

/// The functions that we call; all but error_text return 0 for success. References: nccl.h.in of
/// NCCL 2.28, rccl.h.in of ROCm 5.2 to 7.0. Counts as nccl.h has them: of one rank's part where an
/// operation gathers or scatters.
struct Functions : LibraryFunctions {
    using LibraryFunctions::LibraryFunctions;
    Function<int(GroupId* id)> get_id = need("ncclGetUniqueId");
    Function<int(Handle* communicator, int count, GroupId id, int rank)> join =
        need("ncclCommInitRank");
    Function<int(Handle communicator)> leave = find("ncclCommDestroy");
    Function<int(int* code)> version = find("ncclGetVersion");
    Function<char const*(int status)> error_text = find("ncclGetErrorString");
};

/// Data types and operations are numbers: ncclFloat32 is 7, ncclSum 0, in NCCL 2 and in RCCL since
/// its first release.
constexpr int nccl_float32 = 7;
constexpr int nccl_sum = 0;

using Reduce = int(void const* from, void* to, std::size_t count, int type, int operation,
                   Handle communicator, Handle stream);
using Gather = int(void const* from, void* to, std::size_t count, int type, Handle communicator,
                   Handle stream);
using Broadcast = int(void const* from, void* to, std::size_t count, int type, int root,
                      Handle communicator, Handle stream);

constexpr std::string_view rccl_majors[] = {"1"};
constexpr RocmLibrary rccl{"librccl", "ROCMTUNE_LIBRCCL", rccl_majors};

/// The library of a backend. @throws DeviceError (unsupported) if there is none.
DynamicLibrary library_for(std::string_view backend) {
    bool const hip = backend == "hip";
    if (!hip && backend != "cuda") throw DeviceError("collectives are between GPUs", "unsupported");
    DynamicLibrary library(hip ? library_candidates(rccl)
                               : cuda_library_candidates("libnccl", {"2"}));
    if (!library)
        throw DeviceError(fmt::format("{} is not installed", hip ? "librccl" : "libnccl"),
                          "unsupported");
    return library;
}

/// A group of ranks that have the library in common.
struct Group {
    explicit Group(std::string_view backend) : nccl(library_for(backend)) {
        check(nccl.get_id(&id), "ncclGetUniqueId");
    }

    void check(int status, char const* call) const {
        if (status == 0) return;
        if (nccl.error_text == nullptr) check_status(status, call);
        throw DeviceError(fmt::format("{}: {} ({})", call, nccl.error_text(status), status));
    }

    /// "2.28.3"; empty if the library does not tell. NCCL 2.9 and later, and RCCL, count 10,000 for
    /// a major version; before that it was 1,000.
    std::string version() const {
        int code = 0;
        if (nccl.version == nullptr || nccl.version(&code) != 0) return {};
        int const major = code >= 10000 ? code / 10000 : code / 1000;
        int const minor = code >= 10000 ? code / 100 % 100 : code / 100 % 10;
        return fmt::format("{}.{}.{}", major, minor, code % 100);
    }

    Functions nccl;
    GroupId id{};
};

/// A communicator that is left.
class Member {
  public:
    /// Joins with the device that the calling thread has selected, and waits for all others to
    /// join.
    Member(Group const& group, std::uint64_t rank, std::uint64_t ranks) : group_(group) {
        group.check(
            group.nccl.join(&handle_, static_cast<int>(ranks), group.id, static_cast<int>(rank)),
            "ncclCommInitRank");
    }
    Member(Member const&) = delete;
    Member& operator=(Member const&) = delete;
    ~Member() {
        if (handle_ != nullptr && group_.nccl.leave != nullptr) (void)group_.nccl.leave(handle_);
    }

    /// Queues an operation. The last arguments are the communicator and the stream.
    template <class F, class... Arguments>
    void call(char const* name, Handle stream, Arguments... arguments) const {
        group_.check(need<F>(group_.nccl.library, name)(arguments..., handle_, stream), name);
    }

  private:
    Group const& group_;
    Handle handle_ = nullptr;
};

// ---- operations ---------------------------------------------------------------------------------

/// Whole numbers below 2^16: sums over up to 256 devices are exact in fp32, in any order.
float value_of(std::uint64_t i, std::uint64_t rank) {
    return static_cast<float>(mixed(static_cast<std::uint32_t>(i * 0x9e3779b9U + rank)) >> 16);
}

float sum_of(std::uint64_t i, std::uint64_t ranks) {
    float sum = 0;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) sum += value_of(i, rank);
    return sum;
}

/// What one rank has to do with an operation. All counts in elements.
struct Rank {
    std::uint64_t index = 0;
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
    void (*queue)(Member const&, Handle stream, void* from, void* to, Rank const&);
    float (*expected)(std::uint64_t i, Rank const&);  ///< element `i` of the output
};

constexpr Collective collectives[] = {
    {"all-reduce", [](double n) { return 2 * (n - 1) / n; }, false, false,
     [](Member const& it, Handle stream, void* from, void* to, Rank const& rank) {
         it.call<Reduce>("ncclAllReduce", stream, from, to, rank.all, nccl_float32, nccl_sum);
     },
     [](std::uint64_t i, Rank const& rank) { return sum_of(i, rank.ranks); }},
    {"all-gather", [](double n) { return (n - 1) / n; }, true, false,
     [](Member const& it, Handle stream, void* from, void* to, Rank const& rank) {
         it.call<Gather>("ncclAllGather", stream, from, to, rank.part(), nccl_float32);
     },
     [](std::uint64_t i, Rank const& rank) { return value_of(i % rank.part(), i / rank.part()); }},
    {"reduce-scatter", [](double n) { return (n - 1) / n; }, false, true,
     [](Member const& it, Handle stream, void* from, void* to, Rank const& rank) {
         it.call<Reduce>("ncclReduceScatter", stream, from, to, rank.part(), nccl_float32,
                         nccl_sum);
     },
     [](std::uint64_t i, Rank const& rank) {
         return sum_of(rank.index * rank.part() + i, rank.ranks);
     }},
    {"broadcast", [](double) { return 1.0; }, false, false,
     [](Member const& it, Handle stream, void* from, void* to, Rank const& rank) {
         it.call<Broadcast>("ncclBroadcast", stream, from, to, rank.all, nccl_float32, 0);
     },
     [](std::uint64_t i, Rank const&) { return value_of(i, 0); }},
};

/// What is found on one device.
struct DeviceResult {
    std::uint64_t index = 0;
    Rank rank = {};
    std::vector<double> seconds = {};  ///< of one operation, sample by sample
    std::string wrong = {};
};

/// What all threads of one run are told.
struct Task {
    Session const& session;
    Collective const& collective;
    Group const& group;
    DeviceThreads& threads;
    std::atomic<unsigned> queued = least_queued;  ///< operations of a sample; rank 0 decides
};

/// A device with its arrays, whose input is filled, as one rank of an operation.
struct Participant {
    Participant(Task& of, DeviceResult const& here)
        : task(of),
          rank(here.rank),
          device(find_backend(of.session.options.backend)->open(here.index)),
          inputs(of.collective.sends_part ? rank.part() : rank.all),
          outputs(of.collective.receives_part ? rank.part() : rank.all),
          from(fitting(), inputs * sizeof(float)),
          to(*device, outputs * sizeof(float)) {
        std::vector<float> values(inputs);
        for (std::uint64_t i = 0; i < inputs; ++i) values[i] = value_of(i, rank.index);
        device->upload(from.address(), values.data(), from.bytes());
        device->synchronize();
    }

    /// The device, if the arrays leave half of its free memory to others.
    Device& fitting() const {
        if ((inputs + outputs) * sizeof(float) > device->free_bytes() / 2)
            throw DeviceError("the arrays take more than half of the free memory", "no-memory");
        return *device;
    }

    void queue() const {
        task.collective.queue(*member, device->native_queue(), pointer(from.address()),
                              pointer(to.address()), rank);
    }

    /// Seconds of one of `count` operations, queued at once.
    double timed(unsigned count) const {
        auto const first = device->mark();
        for (unsigned i = 0; i < count; ++i) queue();
        auto const last = device->mark();
        device->synchronize();
        return device->seconds_between(first, last) / count;
    }

    std::vector<double> sample() const {
        constexpr unsigned warm_up = 5;
        (void)timed(warm_up);
        auto const one = timed(warm_up);
        auto const fitting_ones = task.session.options.seconds / samples / std::max(one, 1e-9);
        // By a clock that is broken it is no number, and the samples are refused.
        if (rank.index == 0 && fitting_ones > least_queued)
            task.queued = static_cast<unsigned>(std::min<double>(fitting_ones, most_queued));
        std::vector<double> seconds;
        for (std::size_t i = 0; i < samples; ++i) {
            task.threads.meet();
            seconds.push_back(timed(task.queued));
        }
        return seconds;
    }

    /// Compares the whole output.
    std::string compare() const {
        std::vector<float> found(outputs);
        device->download(found.data(), to.address(), to.bytes());
        device->synchronize();
        for (std::uint64_t i = 0; i < outputs; ++i) {
            auto const expected = task.collective.expected(i, rank);
            if (found[i] != expected)
                return fmt::format("element {} of {} is {}, not {}", i, outputs, found[i],
                                   expected);
        }
        return {};
    }

    /// Watches some operations in a row, and then the whole of a last one. All ranks do the same.
    std::string check() const {
        OutputWatch watch(*device, {device_output(*device, to.address(), to.bytes())});
        watch.watch([this] { queue(); });
        return watch.verdict([this] { queue(); }, [this] { return compare(); });
    }

    Task& task;
    Rank rank;
    std::unique_ptr<Device> device;
    std::uint64_t inputs, outputs;
    Buffer from, to;
    std::unique_ptr<Member> member = {};
};

void run_device(Task& task, std::size_t i, DeviceResult& result) {
    std::unique_ptr<Participant> it;
    auto const prepare = [&] { it = std::make_unique<Participant>(task, result); };
    auto const join = [&] {
        it->member = std::make_unique<Member>(task.group, result.rank.index, result.rank.ranks);
    };
    if (!task.threads.together(i, prepare) || !task.threads.together(i, join)) return;
    // From here on a device that fails leaves the others waiting in the library: the deadline of
    // the worker ends that.
    result.seconds = it->sample();
    result.wrong = it->check();
}

/// What is wrong with the result of a device or with its times; empty if nothing is.
std::string wrong_device(std::vector<DeviceResult> const& devices) {
    for (auto const& one : devices) {
        auto const wrong = one.wrong.empty() ? impossible_time(one.seconds) : one.wrong;
        if (!wrong.empty()) return fmt::format("device {}: {}", one.index, wrong);
    }
    return {};
}

/// All chosen devices, this one first.
std::vector<DeviceResult> devices_of(Session const& session, std::size_t bytes) {
    std::vector<DeviceResult> devices;
    for (auto const index : chosen_devices(session)) devices.push_back({.index = index});
    auto const ranks = devices.size();
    auto const all = std::max<std::size_t>(bytes / sizeof(float) / ranks, 1) * ranks;
    for (std::size_t i = 0; i < ranks; ++i) devices[i].rank = {i, ranks, all};
    return devices;
}

/// What both figures are made from.
struct Found {
    std::vector<double> rates = {};  ///< bytes a second of each sample, by the slowest device
    std::string library = {};
    std::string version = {};
};

void finish(Found const& found, double factor, Measurement& result) {
    result.parameters.library = found.library;
    if (!found.version.empty()) result.parameters.kernel = found.version;
    std::vector<double> figures;
    for (auto const rate : found.rates) figures.push_back(rate * factor * 1e-9);
    complete(std::move(figures), result);
}

/// The bus bandwidth.
void run(Session& session, Collective const& collective, std::size_t bytes, Found& found,
         Measurement& result) {
    Group const group(session.device.info().backend);
    found.library = group.nccl.library.path();
    found.version = group.version();
    auto devices = devices_of(session, bytes);
    DeviceThreads threads(devices.size());
    Task task{session, collective, group, threads};
    result.state_before = session.device.state();
    threads.run([&](std::size_t i) { run_device(task, i, devices[i]); });
    result.state_after = session.device.state();
    threads.rethrow();
    if (auto wrong = wrong_device(devices); !wrong.empty()) return refuse(std::move(wrong), result);
    auto const moved = static_cast<double>(devices.front().rank.all * sizeof(float));
    for (std::size_t i = 0; i < samples; ++i) {
        double slowest = 0;
        for (auto const& one : devices) slowest = std::max(slowest, one.seconds.at(i));
        found.rates.push_back(moved / slowest);
    }
    finish(found, collective.bus_factor(static_cast<double>(devices.size())), result);
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
