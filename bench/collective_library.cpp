// SPDX-License-Identifier: MIT
#include "bench/collective_library.hpp"

#include "bench/cuda_libraries.hpp"
#include "bench/gemm_open.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::string_view rccl_majors[] = {"1"};
constexpr RocmLibrary rccl{"librccl", "ROCMTUNE_LIBRCCL", rccl_majors};

DynamicLibrary opened(std::string_view backend) {
    if (backend == "hip") return DynamicLibrary(library_candidates(rccl));
    if (backend == "cuda") return DynamicLibrary(cuda_library_candidates("libnccl", {"2"}));
    throw DeviceError("collectives are between GPUs", "unsupported");
}

void* pointer(Address address) {
    return reinterpret_cast<void*>(address);
}

using Reduce = int(void const* from, void* to, std::size_t count, int type, int operation,
                   void* communicator, void* stream);
using Gather = int(void const* from, void* to, std::size_t count, int type, void* communicator,
                   void* stream);
using Broadcast = int(void const* from, void* to, std::size_t count, int type, int root,
                      void* communicator, void* stream);

}  // namespace

CollectiveLibrary::CollectiveLibrary(std::string_view backend) : library_(opened(backend)) {
    if (!library_)
        throw DeviceError(
            fmt::format("{} is not installed", backend == "hip" ? "librccl" : "libnccl"),
            "unsupported");
}

void CollectiveLibrary::check(int status, char const* call) const {
    if (status == 0) return;
    auto* const text = library_.symbol<char const*(int)>("ncclGetErrorString");
    throw DeviceError(text == nullptr ? fmt::format("{}: status {}", call, status)
                                      : fmt::format("{}: {} ({})", call, text(status), status));
}

/// NCCL 2.9 and later, and RCCL, count 10,000 for a major version; before that it was 1,000.
std::string CollectiveLibrary::version() const {
    auto* const ask = library_.symbol<int(int*)>("ncclGetVersion");
    int code = 0;
    if (ask == nullptr || ask(&code) != 0) return {};
    int const major = code >= 10000 ? code / 10000 : code / 1000;
    int const minor = code >= 10000 ? code / 100 % 100 : code / 100 % 10;
    return fmt::format("{}.{}.{}", major, minor, code % 100);
}

CollectiveId CollectiveLibrary::new_id() const {
    CollectiveId id{};
    check(need<int(CollectiveId*)>(library_, "ncclGetUniqueId")(&id), "ncclGetUniqueId");
    return id;
}

CollectiveLibrary::Communicator CollectiveLibrary::join(CollectiveId const& id, int rank,
                                                        int count) const {
    Communicator made = nullptr;
    check(need<int(Communicator*, int, CollectiveId, int)>(library_, "ncclCommInitRank")(
              &made, count, id, rank),
          "ncclCommInitRank");
    return made;
}

void CollectiveLibrary::leave(Communicator communicator) const noexcept {
    auto* const destroy = library_.symbol<int(Communicator)>("ncclCommDestroy");
    if (communicator != nullptr && destroy != nullptr) (void)destroy(communicator);
}

void CollectiveLibrary::all_reduce(Address from, Address to, std::size_t count, Communicator it,
                                   void* stream) const {
    check(need<Reduce>(library_, "ncclAllReduce")(pointer(from), pointer(to), count, float32, sum,
                                                  it, stream),
          "ncclAllReduce");
}

void CollectiveLibrary::all_gather(Address from, Address to, std::size_t part, Communicator it,
                                   void* stream) const {
    check(need<Gather>(library_, "ncclAllGather")(pointer(from), pointer(to), part, float32, it,
                                                  stream),
          "ncclAllGather");
}

void CollectiveLibrary::reduce_scatter(Address from, Address to, std::size_t part, Communicator it,
                                       void* stream) const {
    check(need<Reduce>(library_, "ncclReduceScatter")(pointer(from), pointer(to), part, float32,
                                                      sum, it, stream),
          "ncclReduceScatter");
}

void CollectiveLibrary::broadcast(Address from, Address to, std::size_t count, Communicator it,
                                  void* stream) const {
    check(need<Broadcast>(library_, "ncclBroadcast")(pointer(from), pointer(to), count, float32, 0,
                                                     it, stream),
          "ncclBroadcast");
}

}  // namespace rocmtune::bench
