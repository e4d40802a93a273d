// SPDX-License-Identifier: MIT
#include "host/fingerprint.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

class Hash {
  public:
    void add(std::string_view text) {
        value_ = fnv1a(text, value_);
        value_ = fnv1a({"\0", 1}, value_);  // texts that follow each other do not run together
    }
    template <class T>
    void add(Fact<T> const& fact) {
        add(fact ? fmt::format("{}", *fact) : std::string("-"));
    }
    std::string text() const { return fmt::format("{:016x}", value_); }

  private:
    std::uint64_t value_ = fnv1a({});
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
