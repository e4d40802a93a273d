// SPDX-License-Identifier: MIT
// Holds back the signals that ask this program to end, so that it can print what it knows. They
// take effect when the object is gone: the caller still sees a program that a signal ended.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <system_error>
#include <thread>

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "machine/posix_file.hpp"

namespace rocmtune {

class HeldSignals {
  public:
    HeldSignals() {
        auto const set = held();
        ::pthread_sigmask(SIG_BLOCK, &set, &before_);
        ++living;
    }
    HeldSignals(HeldSignals const&) = delete;
    HeldSignals& operator=(HeldSignals const&) = delete;
    ~HeldSignals() {
        --living;
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    /// Whether an object of this class lives in this thread. What our caller blocked does not
    /// count.
    static bool are_held() { return living > 0; }

    /// The signal that waits, if one does.
    static std::optional<int> waiting() {
        sigset_t pending;
        if (::sigpending(&pending) != 0) return std::nullopt;
        for (int const signal : asking)
            if (::sigismember(&pending, signal) == 1 && !is_ignored(signal)) return signal;
        return std::nullopt;
    }

    /// Readable when one waits, which stays waiting. Invalid with errno.
    static FileDescriptor arrivals() {
        auto const set = held();
        return above_standard(FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)));
    }

    /// From now on a signal, also one that waits already, ends this program after `grace`: writing
    /// to a reader that does not read, or opening a pipe that nobody opens, would wait for ever.
    /// For the last steps of a program, since it starts a thread that stays.
    static void bound_what_follows(std::chrono::milliseconds grace) {
        auto const set = held();
        int const fd = arrivals().release();
        if (fd < 0) return (void)::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        try {
            std::thread([set, fd, grace] {
                pollfd arrival{fd, POLLIN, 0};
                // Readable means pending; it is left so, to end the program as the signal always
                // does.
                (void)::poll(&arrival, 1, -1);
                std::this_thread::sleep_for(grace);
                ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
            }).detach();
        } catch (std::system_error const&) {
            // No more threads or memory for us: a signal then ends the program at once.
            ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        }
    }

  private:
    static sigset_t held() {
        sigset_t set;
        ::sigemptyset(&set);
        for (int const signal : asking)
            if (!is_ignored(signal)) ::sigaddset(&set, signal);
        return set;
    }

    /// As nohup does. A signal that is blocked would wait although it is ignored.
    static bool is_ignored(int signal) {
        struct sigaction action {};
        return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    }

    /// Of several that wait the kernel delivers the lowest first: it is the one that ends us.
    static constexpr std::array<int, 4> asking{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    static inline thread_local int living = 0;
    sigset_t before_;
};

/// For calls that may never come back: opening a file on a server that is gone, or a pipe without
/// writer. What `work` returns; nothing if it does not return within `limit`, or before a signal
/// that is held back asks this program to end. It is then left to itself in a thread, so that it
/// must own what it works on. For files that the user named: a child would not have his /dev/fd/63.
template <typename Result>
std::optional<Result> in_time(std::function<Result()> const& work,
                              std::optional<std::chrono::milliseconds> limit) {
    using Clock = std::chrono::steady_clock;
    // Where nothing bounds it, a signal ends the program as it is.
    if (!limit && !HeldSignals::are_held()) return work();
    auto const deadline = limit ? Clock::now() + *limit : Clock::time_point::max();
    std::packaged_task<Result()> task(work);
    auto result = task.get_future();
    std::thread thread;
    try {
        thread = std::thread(std::move(task));
    } catch (std::system_error const&) {
        return work();  // no more threads for us
    }
    constexpr std::chrono::milliseconds step{50};
    while (result.wait_for(step) != std::future_status::ready)
        if (Clock::now() >= deadline || HeldSignals::waiting()) {
            thread.detach();
            return std::nullopt;
        }
    thread.join();
    return result.get();
}

}  // namespace rocmtune
