// SPDX-License-Identifier: MIT
#include "bench/host_threads.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <sched.h>

namespace rocmtune::bench {
namespace {

/// Waiting threads look this often before they sleep: a figure must not contain wake-ups.
constexpr int spins = 20000;

/// Tells the processor that this loop waits, so that another thread of the core gets more of it.
/// On ARM isb, as in Rust's std::hint::spin_loop: yield does nothing on most of them.
void pause_in_loop() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
}

void wait_for_change(std::atomic<unsigned> const& value, unsigned old) {
    for (int i = 0; i < spins; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause_in_loop();
    }
    value.wait(old, std::memory_order_acquire);
}

/// One thread a processor, bound to it: pages stay on the node that touched them first.
class Pool {
  public:
    Pool() : parts_(processor_count()) {
        for (unsigned part = 1; part < parts_; ++part)
            std::thread([this, part] { serve(part); }).detach();
    }

    void run(std::function<void(unsigned, unsigned)> const& f) {
        work_ = &f;
        left_.store(parts_ - 1, std::memory_order_relaxed);
        turn_.fetch_add(1, std::memory_order_release);
        turn_.notify_all();
        f(0, parts_);
        for (unsigned left = left_.load(); left != 0; left = left_.load())
            wait_for_change(left_, left);
    }

  private:
    void serve(unsigned part) {
        bind(part);
        for (unsigned seen = 0;; ++seen) {
            wait_for_change(turn_, seen);
            (*work_)(part, parts_);
            left_.fetch_sub(1, std::memory_order_release);
            left_.notify_all();
        }
    }

    /// To the part-th processor of the mask. Best effort.
    static void bind(unsigned part) {
        cpu_set_t mask;
        if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return;
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (!CPU_ISSET(cpu, &mask) || part-- != 0) continue;
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            ::sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }

    unsigned parts_;
    std::function<void(unsigned, unsigned)> const* work_ = nullptr;
    std::atomic<unsigned> turn_{0};
    std::atomic<unsigned> left_{0};
};

}  // namespace

unsigned processor_count() {
    cpu_set_t mask;
    if (::sched_getaffinity(0, sizeof mask, &mask) != 0)
        return std::max(1U, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&mask)));
}

void in_parallel(std::function<void(unsigned, unsigned)> const& f) {
    // Never destroyed: its threads wait for work until the process ends.
    static auto& pool = *new Pool;
    pool.run(f);
}

Range part_of(std::size_t count, unsigned part, unsigned parts, std::size_t grain) {
    auto const grains = (count + grain - 1) / grain;
    auto const at = [&](std::size_t i) { return std::min(grains * i / parts * grain, count); };
    return {at(part), at(part + 1)};
}

}  // namespace rocmtune::bench
