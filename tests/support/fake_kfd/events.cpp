// SPDX-License-Identifier: MIT
#include "events.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include <linux/kfd_ioctl.h>

namespace fake_kfd {
namespace {

/// As struct kfd_event of kfd_events.c. What wakes a waiter is its own: two threads that wait for
/// the same event (HIP's and ROCr's own do) both go on, also where the event resets itself.
struct Event {
    bool signalled = false;  ///< set while nobody waited: the next one need not wait
    bool auto_reset = false;
    std::uint32_t type = KFD_IOC_EVENT_SIGNAL;
    kfd_event_data told{};  ///< what a wait for a memory or hardware event tells
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
    std::uint32_t next_event = 1;
};

/// Never destroyed: the runtime's threads use the device until the process has ended.
State& state() {
    static auto* const it = new State;
    return *it;
}

/// Under the lock.
void set(Event& event) {
    event.signalled = !(event.auto_reset && event.waiters > 0);
    ++event.times_set;
    state().changed.notify_all();
}

/// All events of this type, after `tell` has written what they tell.
template <class Function>
void set_all(std::uint32_t type, Function const& tell) {
    std::scoped_lock const lock(state().mutex);
    for (auto& [id, event] : state().events) {
        if (event.type != type) continue;
        tell(event.told);
        set(event);
    }
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

    /// What the event tells beside that it is set.
    void tell(kfd_event_data& data) const {
        auto const found = state().events.find(id_);
        if (found == state().events.end() || !is_activated()) return;
        auto const& event = found->second;
        if (event.type == KFD_IOC_EVENT_MEMORY)
            data.memory_exception_data = event.told.memory_exception_data;
        if (event.type == KFD_IOC_EVENT_HW_EXCEPTION)
            data.hw_exception_data = event.told.hw_exception_data;
    }

  private:
    std::uint32_t id_;
    std::uint64_t seen_ = 0;
    bool activated_ = false;
};

}  // namespace

int create_event(kfd_ioctl_create_event_args& it) {
    std::scoped_lock const lock(state().mutex);
    it.event_id = it.event_trigger_data = it.event_slot_index = state().next_event++;
    auto& event = state().events[it.event_id];
    event.auto_reset = it.auto_reset != 0;
    event.type = it.event_type;
    return 0;
}

int destroy_event(kfd_ioctl_destroy_event_args& it) {
    std::scoped_lock const lock(state().mutex);
    return state().events.erase(it.event_id) == 1 ? 0 : EINVAL;
}

int set_event(kfd_ioctl_set_event_args& it) {
    std::scoped_lock const lock(state().mutex);
    auto const event = state().events.find(it.event_id);
    if (event == state().events.end()) return EINVAL;
    set(event->second);
    return 0;
}

int reset_event(kfd_ioctl_reset_event_args& it) {
    std::scoped_lock const lock(state().mutex);
    auto const event = state().events.find(it.event_id);
    if (event == state().events.end()) return EINVAL;
    event->second.signalled = false;
    state().changed.notify_all();
    return 0;
}

int wait_events(kfd_ioctl_wait_events_args& it) {
    std::span const wanted(reinterpret_cast<kfd_event_data*>(it.events_ptr), it.num_events);
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
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        waiters[i].tell(wanted[i]);
        waiters[i].leave();
    }
    it.wait_result = complete ? KFD_IOC_WAIT_RESULT_COMPLETE : KFD_IOC_WAIT_RESULT_TIMEOUT;
    return 0;
}

void raise_event(std::uint32_t id) {
    kfd_ioctl_set_event_args it{.event_id = id, .pad = 0};
    (void)set_event(it);
}

void raise_memory_fault(std::uint32_t gpu_id, std::uint64_t address) {
    set_all(KFD_IOC_EVENT_MEMORY, [&](kfd_event_data& told) {
        auto& fault = told.memory_exception_data;
        fault = {};
        fault.failure.NotPresent = 1;
        fault.va = address;
        fault.gpu_id = gpu_id;
    });
}

void raise_reset(std::uint32_t gpu_id) {
    set_all(KFD_IOC_EVENT_HW_EXCEPTION, [&](kfd_event_data& told) {
        told.hw_exception_data = {.reset_type = KFD_HW_EXCEPTION_WHOLE_GPU_RESET,
                                  .reset_cause = KFD_HW_EXCEPTION_GPU_HANG,
                                  .memory_lost = 1,
                                  .gpu_id = gpu_id};
    });
}

}  // namespace fake_kfd
