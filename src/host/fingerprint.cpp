// SPDX-License-Identifier: MIT
#include "host/fingerprint.hpp"

#include <fmt/format.h>

namespace rocmtune {
namespace {

/// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv): short, and the same everywhere.
class Hash {
  public:
    void add(std::string_view text) {
        for (auto const c : text) mix(static_cast<unsigned char>(c));
        mix(0);  // texts that follow each other do not run together
    }
    template <class T>
    void add(Fact<T> const& fact) {
        add(fact ? fmt::format("{}", *fact) : std::string("-"));
    }
    std::string text() const { return fmt::format("{:016x}", value_); }

  private:
    void mix(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

void add_gpu(Hash& hash, Gpu const& gpu) {
    for (auto const* text : {&gpu.pci_address, &gpu.gfx_target, &gpu.pci_device_id,
                             &gpu.pci_revision, &gpu.compute_partition, &gpu.memory_partition})
        hash.add(*text);
    hash.add(gpu.partition_index);
    hash.add(gpu.vram_bytes);
}

}  // namespace

std::string fingerprint(Host const& host) {
    Hash hash;
    hash.add(host.kernel_release);
    hash.add(host.amdgpu_version);
    hash.add(host.hip_runtime_path);
    for (auto const& gpu : host.gpus) add_gpu(hash, gpu);
    if (host.rocm_installations)
        for (auto const& rocm : *host.rocm_installations) {
            hash.add(rocm.path);
            hash.add(rocm.version);
        }
    if (host.frameworks)
        for (auto const& framework : *host.frameworks) {
            hash.add(framework.name);
            hash.add(framework.version);
        }
    return hash.text();
}

}  // namespace rocmtune
