// SPDX-License-Identifier: MIT
// The processors of this host as a device: reference, and what is there where no GPU is. Launches
// run at once on all processors of the affinity mask; the queue is always empty.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/devices/cpu_kernels.hpp"
#include "bench/host_threads.hpp"
#include "machine/host_root.hpp"

namespace rocmtune::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// The value of the first line "KEY : VALUE" of a file; empty if there is none.
std::string value_in(HostRoot const& root, std::string const& file, std::string_view key) {
    auto const text = root.read(file);
    if (!text) return {};
    for (auto const& [name, value] : key_value_lines(*text, ':'))
        if (trim(name) == key) return std::string(trim(value));
    return {};
}

/// Largest cache of processor 0 times how many of it the mask's processors share.
std::uint64_t cache_bytes(HostRoot const& root) {
    std::uint64_t most = 0;
    for (int index = 0; index < 5; ++index) {
        auto const size =
            root.read(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
        if (!size) continue;
        auto const unit = size->ends_with('M') ? 1U << 20 : 1U << 10;
        most = std::max(most, static_cast<std::uint64_t>(leading_real(*size).value_or(0)) * unit);
    }
    return most;
}

std::string host_target() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") ? "x86-64-v4"
           : __builtin_cpu_supports("avx2")  ? "x86-64-v3"
                                             : "x86-64";
#else
    return {};
#endif
}

DeviceInfo describe() {
    HostRoot const root(directory_source("/"));
    DeviceInfo info{.backend = "cpu"};
    auto const model = value_in(root, "/proc/cpuinfo", "model name");
    info.name = model.empty() ? "processor" : printable(model);
    info.target = host_target();
    info.compute_units = processor_count();
    info.lds_bytes = std::uint64_t{1} << 30;  // ordinary memory
    info.cache_bytes = cache_bytes(root);
    return info;
}

class CpuDevice : public Device {
  public:
    DeviceInfo const& info() const override { return info_; }

    std::uint64_t free_bytes() override {
        auto const kib = value_in(HostRoot(directory_source("/")), "/proc/meminfo", "MemAvailable");
        return static_cast<std::uint64_t>(leading_real(kib).value_or(0)) * 1024;
    }

    Address allocate(std::size_t bytes) override {
        auto const size = std::max<std::size_t>(bytes, 1);
        void* const memory =
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw DeviceError(fmt::format("{} of memory: {}", human_bytes(bytes), "refused"),
                              "no-memory");
        (void)::madvise(memory, size, MADV_HUGEPAGE);
        sizes_[reinterpret_cast<Address>(memory)] = size;
        touch(static_cast<char*>(memory), size);
        return reinterpret_cast<Address>(memory);
    }

    void release(Address memory) noexcept override {
        auto const found = sizes_.find(memory);
        if (found == sizes_.end()) return;
        ::munmap(reinterpret_cast<void*>(memory), found->second);
        sizes_.erase(found);
    }

    void* allocate_pinned(std::size_t bytes) override {
        return reinterpret_cast<void*>(allocate(bytes));
    }
    void release_pinned(void* memory) noexcept override {
        release(reinterpret_cast<Address>(memory));
    }

    void upload(Address to, void const* from, std::size_t bytes) override {
        move(reinterpret_cast<char*>(to), static_cast<char const*>(from), bytes);
    }
    void download(void* to, Address from, std::size_t bytes) override {
        move(static_cast<char*>(to), reinterpret_cast<char const*>(from), bytes);
    }
    void copy(Address to, Address from, std::size_t bytes) override {
        move(reinterpret_cast<char*>(to), reinterpret_cast<char const*>(from), bytes);
    }
    void fill(Address to, std::uint8_t byte, std::size_t bytes) override {
        in_parallel([&](unsigned part, unsigned parts) {
            auto const range = part_of(bytes, part, parts, 4096);
            std::memset(reinterpret_cast<char*>(to) + range.begin, byte, range.end - range.begin);
        });
    }

    void copy_both_ways(Address to, void const* from, void* back, Address source,
                        std::size_t bytes) override {
        upload(to, from, bytes);
        download(back, source, bytes);
    }

    Kernel load(KernelRequest const& request) override {
        auto const& definitions = request.definitions;
        auto const defines = [&](std::string_view name) {
            return std::ranges::find(definitions, name) != definitions.end();
        };
        for (auto const rows : {cpu_bandwidth_kernels(defines("RT_DOUBLE")),
                                cpu_vpoc_kernels(defines("RT_NEAREST")), cpu_gemm_kernels()})
            for (auto const& row : rows)
                if (row.file == request.file && row.function == request.function)
                    return {reinterpret_cast<void*>(row.run), std::string(row.function)};
        throw DeviceError(fmt::format("processors have no kernel {}", request.function),
                          "unsupported");
    }

    unsigned occupancy(Kernel const&, unsigned, unsigned) override { return 1; }
    unsigned spilled_bytes(Kernel const&) override { return 0; }

    void launch(Kernel const& kernel, Shape const& shape, Arguments arguments) override {
        auto const run = reinterpret_cast<CpuKernel>(kernel.function);
        in_parallel([&](unsigned part, unsigned parts) { run(arguments, shape, part, parts); });
    }

    std::size_t mark() override {
        if (synchronized_) marks_.clear();
        synchronized_ = false;
        marks_.push_back(Clock::now());
        return marks_.size() - 1;
    }
    void synchronize() override { synchronized_ = true; }
    double seconds_between(std::size_t first, std::size_t second) override {
        return std::chrono::duration<double>(marks_.at(second) - marks_.at(first)).count();
    }

    HardwareState state() override { return {}; }

  private:
    /// Every page is touched by the processor that works on it later.
    static void touch(char* memory, std::size_t bytes) {
        in_parallel([&](unsigned part, unsigned parts) {
            auto const range = part_of(bytes, part, parts, 4096);
            for (auto i = range.begin; i < range.end; i += 4096) memory[i] = 0;
        });
    }

    static void move(char* to, char const* from, std::size_t bytes) {
        in_parallel([&](unsigned part, unsigned parts) {
            auto const range = part_of(bytes, part, parts, 4096);
            std::memcpy(to + range.begin, from + range.begin, range.end - range.begin);
        });
    }

    DeviceInfo info_ = describe();
    std::map<Address, std::size_t> sizes_;
    std::vector<Clock::time_point> marks_;
    bool synchronized_ = false;
};

std::vector<DeviceInfo> list() {
    return {describe()};
}

std::unique_ptr<Device> open(std::uint64_t index) {
    if (index != 0) throw DeviceError("the processors are one device, number 0", "unsupported");
    return std::make_unique<CpuDevice>();
}

}  // namespace

Backend cpu_backend() {
    return {"cpu", list, open};
}

}  // namespace rocmtune::bench
