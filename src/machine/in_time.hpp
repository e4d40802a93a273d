// SPDX-License-Identifier: MIT
// Calls that may never come back: opening a file on a server that is gone, or a pipe without
// writer.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <system_error>
#include <thread>

#include "machine/held_signals.hpp"

namespace rocmtune {

/// What `work` returns; nothing if it does not return within `limit`, or before a signal that is
/// held back asks this program to end. It is then left to itself in a thread, so that it must own
/// what it works on. For files that the user named: a child would not have his /dev/fd/63.
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
