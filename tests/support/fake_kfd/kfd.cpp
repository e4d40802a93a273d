// SPDX-License-Identifier: MIT
#include "kfd.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <linux/kfd_ioctl.h>

#include "dispatch.hpp"
#include "events.hpp"
#include "faults.hpp"
#include "memory.hpp"
#include "queues.hpp"
#include "topology.hpp"

namespace fake_kfd {
namespace {

struct State {
    std::mutex mutex;
    std::map<std::uint32_t, std::jthread> queues;  ///< who serves them
    std::uint32_t next_queue = 1;
};

/// Never destroyed: the runtime's threads use the device until the process has ended.
State& state() {
    static auto* const it = new State;
    return *it;
}

int get_version(kfd_ioctl_get_version_args& it) {
    it.major_version = KFD_IOCTL_MAJOR_VERSION;
    it.minor_version = KFD_IOCTL_MINOR_VERSION;
    return 0;
}

/// Apertures as kfd_flat_memory.c lays them out for GFX9 (MAKE_LDS_APP_BASE_V9 and its kin).
kfd_process_device_apertures apertures(std::uint32_t gpu_id) {
    kfd_process_device_apertures it{};
    it.lds_base = 1ULL << 48;
    it.lds_limit = it.lds_base | 0xffffffffULL;
    it.scratch_base = 2ULL << 48;
    it.scratch_limit = it.scratch_base | 0xffffffffULL;
    it.gpuvm_base = 2ULL << 20;
    it.gpuvm_limit = (1ULL << 47) - 1;
    it.gpu_id = gpu_id;
    return it;
}

int get_apertures(kfd_ioctl_get_process_apertures_new_args& it) {
    auto const found = gpus();
    std::span const room(
        reinterpret_cast<kfd_process_device_apertures*>(it.kfd_process_device_apertures_ptr),
        it.kfd_process_device_apertures_ptr != 0 ? it.num_of_nodes : 0);
    for (std::size_t i = 0; i < room.size() && i < found.size(); ++i)
        room[i] = apertures(found[i].id);
    it.num_of_nodes = static_cast<std::uint32_t>(found.size());
    return 0;
}

std::uint64_t nanoseconds_of(clockid_t clock) {
    std::timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(now.tv_nsec);
}

/// As kfd_ioctl_get_clock_counters of the kernel: system time runs with the clock that HIP stamps
/// its own events by, and a GPU has another, which is that of the signals (queues.cpp).
int get_clocks(kfd_ioctl_get_clock_counters_args& it) {
    it.gpu_clock_counter = it.cpu_clock_counter = nanoseconds_of(CLOCK_MONOTONIC_RAW);
    it.system_clock_counter = nanoseconds_of(CLOCK_BOOTTIME);
    it.system_clock_freq = 1'000'000'000;
    return 0;
}

int create_queue(kfd_ioctl_create_queue_args& it) {
    auto const all = gpus();
    auto const gpu = std::ranges::find(all, it.gpu_id, &Gpu::id);
    if (gpu == all.end()) return EINVAL;
    std::scoped_lock const lock(state().mutex);
    it.queue_id = state().next_queue++;
    it.doorbell_offset = doorbell_offset + it.queue_id * 8ULL;
    state().queues[it.queue_id] =
        serve_queue({it.ring_base_address, it.ring_size, it.write_pointer_address,
                     it.read_pointer_address, *gpu},
                    it.queue_type);
    return 0;
}

/// The runtime frees the queue's memory next: who serves it has ended by then. Without the lock,
/// which that thread may want.
int destroy_queue(kfd_ioctl_destroy_queue_args& it) {
    std::jthread server;
    std::scoped_lock const lock(state().mutex);
    auto const found = state().queues.find(it.queue_id);
    if (found == state().queues.end()) return 0;
    server = std::move(found->second);
    state().queues.erase(found);
    return 0;
}

int get_tile_config(kfd_ioctl_get_tile_config_args& it) {
    it.num_tile_configs = it.num_macro_tile_configs = 0;
    it.gb_addr_config = it.num_banks = it.num_ranks = 0;
    return 0;
}

int set_xnack(kfd_ioctl_set_xnack_mode_args& it) {
    it.xnack_enabled = 0;
    return 0;
}

int accept(void*) {
    return 0;
}

/// Gives a typed handler the shape of the table's rows.
template <auto handler>
int typed(void* argument) {
    return []<class T>(int (*call)(T&), void* it) { return call(*static_cast<T*>(it)); }(handler,
                                                                                         argument);
}

struct Command {
    unsigned long request;
    char const* name;  ///< for FAKE_KFD_FAULT
    int (*answer)(void*);
    bool needs_gpu = false;  ///< fails once a GPU is lost
};

constexpr Command commands[] = {
    {AMDKFD_IOC_GET_VERSION, "get_version", typed<get_version>},
    {AMDKFD_IOC_CREATE_QUEUE, "create_queue", typed<create_queue>, true},
    {AMDKFD_IOC_DESTROY_QUEUE, "destroy_queue", typed<destroy_queue>},
    {AMDKFD_IOC_UPDATE_QUEUE, "update_queue", accept},
    {AMDKFD_IOC_SET_MEMORY_POLICY, "set_memory_policy", accept},
    {AMDKFD_IOC_GET_CLOCK_COUNTERS, "get_clock_counters", typed<get_clocks>},
    {AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, "get_apertures", typed<get_apertures>},
    {AMDKFD_IOC_CREATE_EVENT, "create_event", typed<create_event>},
    {AMDKFD_IOC_DESTROY_EVENT, "destroy_event", typed<destroy_event>},
    {AMDKFD_IOC_SET_EVENT, "set_event", typed<set_event>},
    {AMDKFD_IOC_RESET_EVENT, "reset_event", typed<reset_event>},
    {AMDKFD_IOC_WAIT_EVENTS, "wait_events", typed<wait_events>},
    {AMDKFD_IOC_SET_SCRATCH_BACKING_VA, "set_scratch", accept},
    {AMDKFD_IOC_GET_TILE_CONFIG, "get_tile_config", typed<get_tile_config>},
    {AMDKFD_IOC_SET_TRAP_HANDLER, "set_trap_handler", accept},
    {AMDKFD_IOC_ACQUIRE_VM, "acquire_vm", accept},
    {AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, "alloc_memory", typed<allocate>, true},
    {AMDKFD_IOC_FREE_MEMORY_OF_GPU, "free_memory", typed<release>},
    {AMDKFD_IOC_MAP_MEMORY_TO_GPU, "map_memory", typed<map_memory>, true},
    {AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, "unmap_memory", typed<unmap_memory>},
    {AMDKFD_IOC_SET_CU_MASK, "set_cu_mask", accept},
    {AMDKFD_IOC_SET_XNACK_MODE, "set_xnack_mode", typed<set_xnack>},
};

/// By number, not by the whole request: argument structures grew between kernel and libhsakmt.
int answer(unsigned long request, void* argument) {
    for (auto const& command : commands) {
        if (_IOC_NR(command.request) != _IOC_NR(request)) continue;
        if (int const error = fault_of(command.name)) return error;
        if (command.needs_gpu && is_a_gpu_lost()) return ENODEV;
        return command.answer(argument);
    }
    return EINVAL;
}

}  // namespace

int kfd_ioctl(unsigned long request, void* argument) {
    int const error = answer(request, argument);
    if (error == 0) return 0;
    errno = error;
    return -1;
}

}  // namespace fake_kfd
