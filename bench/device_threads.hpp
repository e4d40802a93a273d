// SPDX-License-Identifier: MIT
// Several devices that work at once, each with a thread of its own.
#pragma once

#include <atomic>
#include <barrier>
#include <exception>
#include <thread>
#include <vector>

namespace rocmtune::bench {

/// What the threads share. One that fails says so before the next meeting: the others must not wait
/// for its device inside a library, which has no deadline of its own.
class DeviceThreads {
  public:
    explicit DeviceThreads(std::size_t count)
        : barrier_(static_cast<std::ptrdiff_t>(count)), failures_(count) {}

    /// Calls f(i) for each device and waits for all. A thread that ends is waited for no more.
    template <class F>
    void run(F const& f) {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < failures_.size(); ++i)
            threads.emplace_back([this, &f, i] {
                guarded(i, [&] { f(i); });
                barrier_.arrive_and_drop();
            });
    }

    /// @throws what a thread has thrown, that of the first device if there are several
    void rethrow() const {
        for (auto const& failure : failures_)
            if (failure) std::rethrow_exception(failure);
    }

    /// Calls f() and waits for all others to do the same; false if it threw in one of them.
    template <class F>
    bool together(std::size_t device, F const& f) {
        guarded(device, f);
        meet();
        return !failed_;
    }

    void meet() { barrier_.arrive_and_wait(); }

  private:
    template <class F>
    void guarded(std::size_t device, F const& f) {
        try {
            f();
        } catch (...) {
            failures_[device] = std::current_exception();
            failed_ = true;
        }
    }

    std::barrier<> barrier_;
    std::vector<std::exception_ptr> failures_;
    std::atomic<bool> failed_ = false;
};

}  // namespace rocmtune::bench
