// SPDX-License-Identifier: MIT
// The merge: each field's declared order of sources decides which claim is the value, and which
// other claims are worth calling a dispute.
#include "base/host.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

bool is_part(std::optional<std::uint64_t> partition, std::optional<std::uint64_t> partitions) {
    return partitions.value_or(1) > 1 || partition.value_or(0) > 0;
}

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

/// Position of a reader in a blank-separated list, or -1.
int rank_in(std::string_view sources, std::string_view reader) {
    int rank = 0;
    while (!sources.empty()) {
        auto const end = std::min(sources.find(' '), sources.size());
        if (sources.substr(0, end) == reader) return rank;
        sources.remove_prefix(std::min(end + 1, sources.size()));
        ++rank;
    }
    return -1;
}

template <class T>
bool differs(T const& a, T const& b, double tolerance) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        if (tolerance == 0) return a != b;
        auto const x = static_cast<double>(a);
        auto const y = static_cast<double>(b);
        return std::abs(x - y) > tolerance * std::max(std::abs(x), std::abs(y));
    } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
                         std::is_same_v<T, std::vector<std::string>>) {
        return a != b;
    } else {
        return false;  // records and lists of records have one reader each
    }
}

struct Settle {
    template <class T>
    void operator()(FactField const& field, Fact<T>& fact) const {
        fact.settle([&](std::string_view reader) { return rank_in(field.sources, reader); },
                    [&](T const& a, T const& b) { return differs(a, b, field.tolerance); });
    }
    template <class T>
    void operator()(Field const&, T&) const {}
};

}  // namespace

bool is_partition(Gpu const& gpu) {
    return is_part(gpu.partition_index.value(), gpu.partition_count.value());
}

std::string subject_at(std::string_view address, std::optional<std::uint64_t> partition,
                       std::optional<std::uint64_t> partitions) {
    if (!is_part(partition, partitions)) return std::string(address);
    return fmt::format("{}/{}", address, partition.value_or(0));
}

std::string subject_of(Gpu const& gpu) {
    if (!gpu.pci_address) return "host";
    return subject_at(*gpu.pci_address, gpu.partition_index.value(), gpu.partition_count.value());
}

bool is_among(std::vector<std::uint64_t> const& rows, Gpu const& gpu) {
    return rows.empty() || (gpu.row && std::ranges::find(rows, *gpu.row) != rows.end());
}

std::optional<std::string> why_gpus_are_unread(Host const& host) {
    if (!host.gpus.empty() || host.pci_functions) return std::nullopt;
    return "PCI bus: " + std::string(missing_name(host.pci_functions.reason()));
}

bool is_asleep(Gpu const& gpu) {
    return gpu.runtime_status &&
           (*gpu.runtime_status == "suspended" || *gpu.runtime_status == "suspending");
}

Gpu const* sleeping_gpu(Host const& host) {
    auto const found = std::ranges::find_if(host.gpus, is_asleep);
    return found == host.gpus.end() ? nullptr : &*found;
}

bool holds(GpuProcess const& process, Gpu const& gpu) {
    return gpu.pci_address &&
           std::ranges::find(process.gpus, *gpu.pci_address) != process.gpus.end();
}

bool is_held(Host const& host, Gpu const& gpu) {
    return host.gpu_processes &&
           std::ranges::any_of(*host.gpu_processes,
                               [&](GpuProcess const& process) { return holds(process, gpu); });
}

bool is_device_mask(std::string_view name) {
    return std::ranges::find(mask_names, name) != mask_names.end();
}

bool is_gfx_override(std::string_view name) {
    return name.starts_with("HSA_OVERRIDE_GFX_VERSION");
}

std::optional<std::string> variable_of(Host const& host, std::string_view name) {
    if (!host.environment) return std::nullopt;
    auto const found = host.environment->find(std::string(name));
    return found == host.environment->end() ? std::nullopt : std::optional(found->second);
}

bool is_set(Host const& host, std::string_view name) {
    auto const& hidden = host.environment_hidden;
    return variable_of(host, name) || (hidden && std::ranges::find(*hidden, name) != hidden->end());
}

std::map<std::string, std::string> gfx_overrides(Host const& host) {
    std::map<std::string, std::string> overrides;
    if (!host.environment) return overrides;
    for (auto const& [name, value] : *host.environment)
        if (is_gfx_override(name) && !value.empty()) overrides.emplace(name, value);
    return overrides;
}

bool in_container(Host const& host) {
    return host.container && *host.container != "none";
}

std::optional<std::string> kernel_argument(Host const& host, std::string_view name) {
    std::optional<std::string> value;
    if (!host.kernel_arguments) return value;
    for (auto const& word : *host.kernel_arguments)
        if (word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=')
            value = word.substr(name.size() + 1);
    return value;
}

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

std::string_view missing_name(Missing reason) {
    switch (reason) {
        case Missing::not_read: return "not-read";
        case Missing::not_recorded: return "not-recorded";
        case Missing::absent: return "absent";
        case Missing::unsupported: return "unsupported";
        case Missing::invalid: return "invalid";
        case Missing::suspended: return "suspended";
        case Missing::failed: return "failed";
        case Missing::timeout: return "timeout";
        case Missing::denied: return "denied";
    }
    return "not-read";
}

void settle(Host& host) {
    visit_fields(host, Settle{});
    for (auto& gpu : host.gpus) visit_fields(gpu, Settle{});
}

}  // namespace rocmtune
