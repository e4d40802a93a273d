// SPDX-License-Identifier: MIT
#include "kfd.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <linux/kfd_ioctl.h>

#include "faults.hpp"
#include "queues.hpp"

namespace fake_kfd {
namespace {

/// Beyond every allocation: where doorbells lie in the file behind the device.
constexpr std::uint64_t doorbell_offset = 1ULL << 39;
constexpr std::uint64_t allocation_step = 2ULL << 20;

/// As struct kfd_event of kfd_events.c. What wakes a waiter is its own: two threads that wait for
/// the same event (HIP's and ROCr's own do) both go on, also where the event resets itself.
struct Event {
    bool signalled = false;  ///< set while nobody waited: the next one need not wait
    bool auto_reset = false;
    std::uint64_t times_set = 0;
    int waiters = 0;
};

/// The longest that a wait for events sleeps before the runtime gets to look at its signals again.
/// Without it most runs of a benchmark end with both queues idle, the runtime's event thread asleep
/// in wait_events and the caller waiting for it. Likely cause: ROCr stores a signal's value and
/// then calls the driver only if it sees a waiter (SetEvent of interrupt_signal.h, behind a fence
/// of the compiler alone); on a GPU later completions cover that up, here everything completes at
/// once.
constexpr std::chrono::milliseconds longest_sleep{20};

struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::uint32_t, Event> events;
    std::map<std::uint32_t, std::jthread> queues;  ///< who serves them
    std::uint64_t next_offset = allocation_step;
    std::uint64_t next_handle = 1;
    std::uint32_t next_event = 1;
    std::uint32_t next_queue = 1;
};

/// Never destroyed: the runtime's threads use the device until the process has ended.
State& state() {
    static auto* const it = new State;
    return *it;
}

/// The gpu_id of every GPU node, in node order: the topology is the only list of devices.
std::vector<std::uint32_t> gpu_ids() {
    std::vector<std::uint32_t> ids;
    for (int node = 0;; ++node) {
        auto const path = "/sys/class/kfd/kfd/topology/nodes/" + std::to_string(node) + "/gpu_id";
        std::FILE* const file = std::fopen(path.c_str(), "re");
        if (file == nullptr) return ids;
        std::uint32_t id = 0;
        if (std::fscanf(file, "%u", &id) == 1 && id != 0) ids.push_back(id);
        std::fclose(file);
    }
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
    auto const ids = gpu_ids();
    std::span const room(
        reinterpret_cast<kfd_process_device_apertures*>(it.kfd_process_device_apertures_ptr),
        it.kfd_process_device_apertures_ptr != 0 ? it.num_of_nodes : 0);
    for (std::size_t i = 0; i < room.size() && i < ids.size(); ++i) room[i] = apertures(ids[i]);
    it.num_of_nodes = static_cast<std::uint32_t>(ids.size());
    return 0;
}

int get_clocks(kfd_ioctl_get_clock_counters_args& it) {
    std::timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    it.system_clock_counter = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
                              static_cast<std::uint64_t>(now.tv_nsec);
    it.gpu_clock_counter = it.cpu_clock_counter = it.system_clock_counter;
    it.system_clock_freq = 1'000'000'000;
    return 0;
}

int allocate(kfd_ioctl_alloc_memory_of_gpu_args& it) {
    std::scoped_lock const lock(state().mutex);
    it.handle = state().next_handle++;
    if ((it.flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR) != 0) return 0;
    if ((it.flags & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL) != 0) {
        it.mmap_offset = doorbell_offset;
        return 0;
    }
    it.mmap_offset = state().next_offset;
    state().next_offset += (it.size + allocation_step - 1) / allocation_step * allocation_step;
    return 0;
}

int map_memory(kfd_ioctl_map_memory_to_gpu_args& it) {
    it.n_success = it.n_devices;
    return 0;
}

int unmap_memory(kfd_ioctl_unmap_memory_from_gpu_args& it) {
    it.n_success = it.n_devices;
    return 0;
}

int change_event(std::uint32_t id, bool signalled);

int create_queue(kfd_ioctl_create_queue_args& it) {
    std::scoped_lock const lock(state().mutex);
    it.queue_id = state().next_queue++;
    it.doorbell_offset = doorbell_offset + it.queue_id * 8ULL;
    if (it.queue_type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL)
        state().queues[it.queue_id] = serve_queue(
            {it.ring_base_address, it.ring_size, it.write_pointer_address, it.read_pointer_address},
            [](std::uint32_t event) { (void)change_event(event, true); });
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

int create_event(kfd_ioctl_create_event_args& it) {
    std::scoped_lock const lock(state().mutex);
    it.event_id = it.event_trigger_data = it.event_slot_index = state().next_event++;
    state().events[it.event_id].auto_reset = it.auto_reset != 0;
    return 0;
}

/// `signalled` is what events are set to; an unknown event is EINVAL as in the kernel.
int change_event(std::uint32_t id, bool signalled) {
    std::scoped_lock const lock(state().mutex);
    auto const event = state().events.find(id);
    if (event == state().events.end()) return EINVAL;
    auto& it = event->second;
    it.signalled = signalled && !(it.auto_reset && it.waiters > 0);
    if (signalled) ++it.times_set;
    state().changed.notify_all();
    return 0;
}

int destroy_event(kfd_ioctl_destroy_event_args& it) {
    std::scoped_lock const lock(state().mutex);
    return state().events.erase(it.event_id) == 1 ? 0 : EINVAL;
}

/// One event of a wait, as struct kfd_event_waiter.
class Waiter {
  public:
    /// Under the lock. Takes a signal that is there already.
    explicit Waiter(std::uint32_t id) : id_(id) {
        auto const found = state().events.find(id);
        if (found == state().events.end()) return;
        auto& event = found->second;
        seen_ = event.times_set;
        activated_ = event.signalled;
        if (event.auto_reset) event.signalled = false;
        ++event.waiters;
    }
    void leave() const {
        auto const found = state().events.find(id_);
        if (found != state().events.end()) --found->second.waiters;
    }
    /// An event that is gone wakes those who wait for it.
    bool is_activated() const {
        auto const found = state().events.find(id_);
        return activated_ || found == state().events.end() || found->second.times_set != seen_;
    }

  private:
    std::uint32_t id_;
    std::uint64_t seen_ = 0;
    bool activated_ = false;
};

int wait_events(kfd_ioctl_wait_events_args& it) {
    std::span const wanted(reinterpret_cast<kfd_event_data const*>(it.events_ptr), it.num_events);
    std::unique_lock lock(state().mutex);
    std::vector<Waiter> waiters;
    for (auto const& data : wanted) waiters.emplace_back(data.event_id);
    auto const over = [&] {
        auto const count = std::ranges::count_if(waiters, &Waiter::is_activated);
        return it.wait_for_all != 0 ? count == std::ssize(waiters) : count > 0;
    };
    auto const asked = std::chrono::milliseconds(it.timeout);
    bool complete = state().changed.wait_for(lock, std::min(asked, longest_sleep), over);
    // Woken for nothing: the runtime looks at its signals' values again and comes back.
    complete = complete || asked > longest_sleep;
    for (auto const& waiter : waiters) waiter.leave();
    it.wait_result = complete ? KFD_IOC_WAIT_RESULT_COMPLETE : KFD_IOC_WAIT_RESULT_TIMEOUT;
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

int set_event(kfd_ioctl_set_event_args& it) {
    return change_event(it.event_id, true);
}
int reset_event(kfd_ioctl_reset_event_args& it) {
    return change_event(it.event_id, false);
}

struct Command {
    unsigned long request;
    char const* name;  ///< for FAKE_KFD_FAULT
    int (*answer)(void*);
};

constexpr Command commands[] = {
    {AMDKFD_IOC_GET_VERSION, "get_version", typed<get_version>},
    {AMDKFD_IOC_CREATE_QUEUE, "create_queue", typed<create_queue>},
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
    {AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, "alloc_memory", typed<allocate>},
    {AMDKFD_IOC_FREE_MEMORY_OF_GPU, "free_memory", accept},
    {AMDKFD_IOC_MAP_MEMORY_TO_GPU, "map_memory", typed<map_memory>},
    {AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, "unmap_memory", typed<unmap_memory>},
    {AMDKFD_IOC_SET_CU_MASK, "set_cu_mask", accept},
    {AMDKFD_IOC_SET_XNACK_MODE, "set_xnack_mode", typed<set_xnack>},
};

/// By number, not by the whole request: argument structures grew between kernel and libhsakmt.
int answer(unsigned long request, void* argument) {
    for (auto const& command : commands) {
        if (_IOC_NR(command.request) != _IOC_NR(request)) continue;
        if (int const error = fault_of(command.name)) return error;
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
