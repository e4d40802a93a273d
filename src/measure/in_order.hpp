// SPDX-License-Identifier: MIT
// Work that threads do in any order, and whose results are wanted in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace rocmtune {

/// Hands on the parts of numbered results, one at a time, in the order of the numbers from 0. A
/// thread that is far ahead of the others waits, so that little is kept: numbers must be begun in
/// their order.
template <class Part>
class InOrder {
  public:
    explicit InOrder(std::function<void(Part)> take) : take_(std::move(take)) {}

    /// The next part of result `number`.
    void put(std::size_t number, Part part) {
        std::unique_lock lock(mutex_);
        moved_.wait(lock, [&] { return given_up_ || number == turn_ || may_wait(number); });
        if (given_up_) return;
        if (number == turn_) take_(std::move(part));
        else waiting_.emplace(number, std::move(part));
    }

    /// Result `number` has no more parts.
    void end(std::size_t number) {
        std::unique_lock const lock(mutex_);
        ended_.insert(number);
        while (ended_.erase(turn_) > 0) {
            auto next = waiting_.extract(++turn_);
            if (!next.empty()) take_(std::move(next.mapped()));
        }
        moved_.notify_all();
    }

    /// Nobody waits any more, and nothing more is handed on.
    void give_up() {
        std::unique_lock const lock(mutex_);
        given_up_ = true;
        moved_.notify_all();
    }

  private:
    /// Most results have one part.
    bool may_wait(std::size_t number) const {
        constexpr std::size_t most_waiting = 64;
        return number < turn_ + most_waiting && !waiting_.contains(number);
    }

    std::function<void(Part)> take_;
    std::mutex mutex_ = {};
    std::condition_variable moved_ = {};
    std::size_t turn_ = 0;  ///< number whose parts are handed on at once
    std::map<std::size_t, Part> waiting_ = {};
    std::set<std::size_t> ended_ = {};  ///< from `turn_` on
    bool given_up_ = false;
};

}  // namespace rocmtune
