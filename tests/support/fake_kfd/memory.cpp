// SPDX-License-Identifier: MIT
#include "memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <linux/kfd_ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dispatch.hpp"

namespace fake_kfd {
namespace {

constexpr std::uint64_t allocation_step = 2ULL << 20;
constexpr std::uint64_t page = 4096;
constexpr off64_t host_memory_size = off64_t{1} << 42;
constexpr char const* host_memory_name = "fake_kfd_host_memory";
constexpr int read_write = PROT_READ | PROT_WRITE;

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

struct State {
    std::mutex mutex;
    std::map<std::uint64_t, Range> device_memory;  ///< by handle: what becomes usable when mapped
    std::uint64_t next_offset = allocation_step;
    std::uint64_t next_handle = 1;
    std::uint64_t next_host_offset = 0;
};

/// Never destroyed: the runtime's threads use the device until the process has ended.
State& state() {
    static auto* const it = new State;
    return *it;
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
    return (value + step - 1) / step * step;
}

/// The file that memory of the host is moved into.
int host_memory() {
    static int const fd = [] {
        int const made = ::memfd_create(host_memory_name, MFD_CLOEXEC);
        return ::ftruncate64(made, host_memory_size) == 0 ? made : -1;
    }();
    return fd;
}

/// A part of the address space, and where in the file of host memory it lies already.
struct Mapping {
    Range range;
    bool is_shared = false;
    std::uint64_t offset = 0;
};

/// The mappings in `wanted`, as /proc/self/maps has them (proc(5)), cut to it.
std::vector<Mapping> mappings(Range wanted) {
    std::ifstream file("/proc/self/maps");
    std::vector<Mapping> found;
    for (std::string line; std::getline(file, line);) {
        Mapping it;
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &it.range.begin,
                        &it.range.end, &it.offset) != 3)
            continue;
        auto const begin = std::max(it.range.begin, wanted.begin);
        it.offset += begin - it.range.begin;
        it.range = {begin, std::min(it.range.end, wanted.end)};
        it.is_shared = line.find(host_memory_name) != line.npos;
        if (it.range.begin < it.range.end) found.push_back(it);
    }
    return found;
}

bool map_at(std::uint64_t address, std::uint64_t size, std::uint64_t offset) {
    return ::mmap64(reinterpret_cast<void*>(address), size, read_write, MAP_SHARED | MAP_FIXED,
                    host_memory(), static_cast<off64_t>(offset)) != MAP_FAILED;
}

/// Under the lock. Moves pages into the file; what another thread writes to them meanwhile is lost.
bool move_to_file(Mapping& it) {
    auto const size = it.range.end - it.range.begin;
    it.offset = state().next_host_offset;
    state().next_host_offset += size;
    for (std::uint64_t done = 0; done < size;) {
        auto const count = ::pwrite64(host_memory(), reinterpret_cast<void*>(it.range.begin + done),
                                      size - done, static_cast<off64_t>(it.offset + done));
        if (count <= 0) return false;
        done += static_cast<std::uint64_t>(count);
    }
    return map_at(it.range.begin, size, it.offset);
}

/// Under the lock. The host's pages appear at `gpu`, too. A driver has page tables for that.
int mirror(Range host, std::uint64_t gpu) {
    for (auto& it : mappings(host)) {
        if (!it.is_shared && !move_to_file(it)) return EFAULT;
        auto const at = gpu + (it.range.begin - host.begin);
        if (!map_at(at, it.range.end - it.range.begin, it.offset)) return ENOMEM;
    }
    return 0;
}

}  // namespace

int allocate(kfd_ioctl_alloc_memory_of_gpu_args& it) {
    std::scoped_lock const lock(state().mutex);
    it.handle = state().next_handle++;
    if ((it.flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR) != 0) {
        if (it.mmap_offset == it.va_addr) return 0;
        auto const begin = it.mmap_offset / page * page;
        return mirror({begin, begin + round_up(it.size, page)}, it.va_addr);
    }
    if ((it.flags & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL) != 0) {
        it.mmap_offset = doorbell_offset;
        return 0;
    }
    state().device_memory[it.handle] = {it.va_addr, it.va_addr + it.size};
    it.mmap_offset = state().next_offset;
    state().next_offset += round_up(it.size, allocation_step);
    return 0;
}

int release(kfd_ioctl_free_memory_of_gpu_args& it) {
    forget_code();
    std::scoped_lock const lock(state().mutex);
    state().device_memory.erase(it.handle);
    return 0;
}

/// The runtime maps memory that only the GPU uses without any access for the processor, which is
/// what executes kernels here.
int map_memory(kfd_ioctl_map_memory_to_gpu_args& it) {
    std::scoped_lock const lock(state().mutex);
    auto const found = state().device_memory.find(it.handle);
    if (found != state().device_memory.end()) {
        auto const [begin, end] = found->second;
        if (::mprotect(reinterpret_cast<void*>(begin), end - begin, read_write) != 0) return errno;
    }
    it.n_success = it.n_devices;
    return 0;
}

int unmap_memory(kfd_ioctl_unmap_memory_from_gpu_args& it) {
    forget_code();
    it.n_success = it.n_devices;
    return 0;
}

}  // namespace fake_kfd
