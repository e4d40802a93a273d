// SPDX-License-Identifier: MIT
// librccl over the fake HIP, whose device memory is the host's: the last rank to arrive does the
// work for all, at once. Operations are done rightly, so that it is the caller who is tested; the
// fault wrong=N@FUNCTION spoils element N of rank 0's output. Signatures: rccl.h of ROCm 5.2
// to 7.0.
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fake.hpp"
#include "ledger.hpp"

namespace {

constexpr int success = 0;
constexpr int invalid_argument = 4;
constexpr int float32 = 7;

struct UniqueId {
    char bytes[128];
};

/// What one rank brings to an operation.
struct Part {
    float const* from = nullptr;
    float* to = nullptr;
};

/// The ranks that belong together; each operation is one round.
struct Group {
    explicit Group(std::size_t ranks) : parts(ranks) {}

    /// Returns when all ranks have come and the last one has called `work`.
    template <class F>
    void meet(std::size_t rank, Part part, F const& work) {
        std::unique_lock lock(mutex);
        parts[rank] = part;
        auto const mine = round;
        if (++arrived == parts.size()) {
            work(parts);
            arrived = 0;
            ++round;
            all_here.notify_all();
        }
        all_here.wait(lock, [&] { return round != mine; });
    }

    std::mutex mutex;
    std::condition_variable all_here;
    std::vector<Part> parts;
    std::size_t arrived = 0;
    std::size_t round = 0;
};

struct Communicator {
    std::shared_ptr<Group> group;
    std::size_t rank;
};

std::shared_ptr<Group> group_of(UniqueId const& id, std::size_t ranks) {
    static std::mutex mutex;
    static auto* const groups = new std::map<std::string, std::shared_ptr<Group>>;
    std::scoped_lock const lock(mutex);
    auto& group = (*groups)[std::string(id.bytes, sizeof id.bytes)];
    if (group == nullptr) group = std::make_shared<Group>(ranks);
    return group;
}

using Parts = std::vector<Part>;

float sum(Parts const& parts, std::size_t i) {
    float total = 0;
    for (auto const& part : parts) total += part.from[i];
    return total;
}

template <class F>
int operate(void const* from, void* to, int type, void* handle, char const* name, F const& work) {
    if (type != float32 || handle == nullptr) return invalid_argument;
    auto& it = *static_cast<Communicator*>(handle);
    it.group->meet(it.rank, {static_cast<float const*>(from), static_cast<float*>(to)},
                   [&](Parts const& parts) {
                       work(parts);
                       if (auto const wrong = fake::ordered("wrong", name))
                           parts[0].to[*wrong] += 1;
                       if (auto const value = fake::no_number(name)) parts[0].to[0] = *value;
                   });
    return success;
}

}  // namespace

FAKE_EXPORT int ncclGetVersion(int* version) {
    *version = 22203;
    return success;
}

FAKE_EXPORT char const* ncclGetErrorString(int) {
    return "unhandled fake error";
}

FAKE_EXPORT int ncclGetUniqueId(UniqueId* id) {
    FAKE_ENTRY();
    static int made = 0;
    std::memset(id, 0, sizeof *id);
    std::memcpy(id->bytes, &++made, sizeof made);
    return success;
}

FAKE_EXPORT int ncclCommInitRank(void** room, int count, UniqueId id, int rank) {
    fake::select(rank);
    FAKE_ENTRY();
    auto* const made = new Communicator{group_of(id, static_cast<std::size_t>(count)),
                                        static_cast<std::size_t>(rank)};
    made->group->meet(made->rank, {}, [](Parts const&) {});
    fake::took("communicator", made);
    *room = made;
    return success;
}

FAKE_EXPORT int ncclCommDestroy(void* handle) {
    FAKE_ENTRY();
    if (!fake::gave_back("communicator", handle)) return invalid_argument;
    delete static_cast<Communicator*>(handle);
    return success;
}

FAKE_EXPORT int ncclAllReduce(void const* from, void* to, std::size_t count, int type, int,
                              void* handle, void*) {
    FAKE_ENTRY();
    return operate(from, to, type, handle, __func__, [&](Parts const& parts) {
        for (std::size_t i = 0; i < count; ++i) {
            auto const total = sum(parts, i);
            for (auto const& part : parts) part.to[i] = total;
        }
    });
}

FAKE_EXPORT int ncclAllGather(void const* from, void* to, std::size_t count, int type, void* handle,
                              void*) {
    FAKE_ENTRY();
    return operate(from, to, type, handle, __func__, [&](Parts const& parts) {
        for (auto const& part : parts)
            for (std::size_t rank = 0; rank < parts.size(); ++rank)
                std::memcpy(part.to + rank * count, parts[rank].from, count * sizeof(float));
    });
}

FAKE_EXPORT int ncclReduceScatter(void const* from, void* to, std::size_t count, int type, int,
                                  void* handle, void*) {
    FAKE_ENTRY();
    return operate(from, to, type, handle, __func__, [&](Parts const& parts) {
        for (std::size_t rank = 0; rank < parts.size(); ++rank)
            for (std::size_t i = 0; i < count; ++i)
                parts[rank].to[i] = sum(parts, rank * count + i);
    });
}

FAKE_EXPORT int ncclBroadcast(void const* from, void* to, std::size_t count, int type, int root,
                              void* handle, void*) {
    FAKE_ENTRY();
    return operate(from, to, type, handle, __func__, [&](Parts const& parts) {
        for (auto const& part : parts)
            std::memcpy(part.to, parts[static_cast<std::size_t>(root)].from, count * sizeof(float));
    });
}
