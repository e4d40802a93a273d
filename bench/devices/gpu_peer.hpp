// SPDX-License-Identifier: MIT
// A second GPU beside an opened one, and the calls of both backends that it needs.
#pragma once

#include "bench/devices/gpu.hpp"

namespace rocmtune::bench {

/// Calls of libamdhip64 and of libcuda (with NVML for the link). A library without them gives empty
/// functions.
PeerCalls hip_peer_calls(DynamicLibrary const& library);
PeerCalls cuda_peer_calls(DynamicLibrary const& library);

class GpuPeer : public Peer {
  public:
    GpuPeer(GpuDevice& device, int index);
    ~GpuPeer() override;

    std::string link() const override { return link_; }
    bool is_direct() const override { return direct_; }
    Address allocate(std::size_t bytes) override;
    void release(Address memory) noexcept override;
    void send(Address to_peer, Address from, std::size_t bytes) override;
    void fetch(Address to, Address from_peer, std::size_t bytes) override;
    void exchange(Address to_peer, Address from, Address to, Address from_peer, std::size_t bytes,
                  unsigned times) override;

  private:
    PeerCalls const& calls() const { return device_.traits_.peers; }
    void copy(Address to, int to_device, Address from, int from_device, std::size_t bytes,
              Handle stream);
    void make_queue();

    GpuDevice& device_;
    int own_;
    int index_;
    bool direct_ = false;
    std::string link_;
    SecondQueue queue_;  ///< of the peer, made when it first sends
};

}  // namespace rocmtune::bench
