// SPDX-License-Identifier: MIT
// RCCL and NCCL, which have the same interface: collective operations between devices.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "bench/device.hpp"
#include "machine/dynamic_library.hpp"

namespace rocmtune::bench {

/// ncclUniqueId, passed by value (NCCL_UNIQUE_ID_BYTES is 128 in every release of both).
struct CollectiveId {
    std::array<char, 128> bytes;
};

/// The functions that we call. Data types and operations are numbers: ncclFloat32 is 7, ncclSum 0,
/// in NCCL 2 and in RCCL since its first release. References: nccl.h.in of NCCL 2.28, rccl.h.in of
/// ROCm 5.2 to 7.0.
class CollectiveLibrary {
  public:
    using Communicator = void*;
    static constexpr int float32 = 7;
    static constexpr int sum = 0;

    /// The library of this backend. @throws DeviceError (unsupported) if there is none.
    explicit CollectiveLibrary(std::string_view backend);

    std::string const& path() const { return library_.path(); }
    /// "2.28.3"; empty if the library does not tell.
    std::string version() const;

    CollectiveId new_id() const;
    /// Joins as `rank` of `count`, with the device that the calling thread has selected. Waits for
    /// all others to join.
    Communicator join(CollectiveId const& id, int rank, int count) const;
    void leave(Communicator communicator) const noexcept;

    // Operations on fp32 elements, queued on `stream`. Counts as nccl.h has them: of one rank's
    // part where an operation gathers or scatters.
    void all_reduce(Address from, Address to, std::size_t count, Communicator, void* stream) const;
    void all_gather(Address from, Address to, std::size_t part, Communicator, void* stream) const;
    void reduce_scatter(Address from, Address to, std::size_t part, Communicator,
                        void* stream) const;
    /// From rank 0.
    void broadcast(Address from, Address to, std::size_t count, Communicator, void* stream) const;

  private:
    void check(int status, char const* call) const;

    DynamicLibrary library_;
};

}  // namespace rocmtune::bench
