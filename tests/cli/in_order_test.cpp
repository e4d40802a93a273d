// SPDX-License-Identifier: MIT
// What threads finish in any order comes out in order, and little of it is kept.
#include "measure/in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace rocmtune {
namespace {

using Parts = std::vector<std::pair<std::size_t, int>>;

TEST(InOrder, hands_on_parts_by_number_and_then_as_they_come) {
    constexpr std::size_t results = 500;
    Parts taken;
    InOrder<std::pair<std::size_t, int>> order([&](auto part) { taken.push_back(part); });
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed)
        threads.emplace_back([&, seed] {
            std::mt19937 chance(seed);
            for (auto i = next++; i < results; i = next++) {
                auto const parts = static_cast<int>(i % 7 == 0 ? 20 : i % 3);
                if (chance() % 8 == 0) std::this_thread::yield();
                for (int part = 0; part < parts; ++part) order.put(i, {i, part});
                order.end(i);
            }
        });
    for (auto& thread : threads) thread.join();
    Parts expected;
    for (std::size_t i = 0; i < results; ++i)
        for (int part = 0; part < static_cast<int>(i % 7 == 0 ? 20 : i % 3); ++part)
            expected.emplace_back(i, part);
    EXPECT_EQ(taken, expected);
}

TEST(InOrder, lets_nobody_wait_when_it_is_given_up) {
    InOrder<int> order([](int) {});
    order.put(1, 1);
    std::thread waiting([&] { order.put(1, 2); });  // not its turn, and one part waits already
    order.give_up();
    waiting.join();
}

}  // namespace
}  // namespace rocmtune
