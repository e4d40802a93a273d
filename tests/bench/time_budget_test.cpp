// SPDX-License-Identifier: MIT
// Runs of steps by a clock that the steps themselves turn on.
#include "bench/time_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rocmtune::bench {
namespace {

struct Turn {
    double seconds = 0;
    bool gives_way = false;
};

/// Which of the steps are run (x) and which are not (-), and when they were over.
struct Course {
    std::string run;
    double end = 0;
};

Course course(std::optional<double> seconds, std::vector<Turn> const& steps) {
    double now = 1000;
    TimeBudget budget(seconds, [&] { return now; });
    Course it;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::size_t to_come = 0;
        for (auto j = i + 1; j < steps.size(); ++j) to_come += steps[j].gives_way ? 0 : 1;
        bool const has_time = budget.has_time(steps[i].gives_way, to_come);
        it.run += has_time ? 'x' : '-';
        if (has_time) budget.run(steps[i].gives_way, [&] { now += steps[i].seconds; });
    }
    it.end = now - 1000;
    return it;
}

TEST(TimeBudget, without_a_bound_runs_everything) {
    EXPECT_EQ(course({}, {{1e6}, {1e6, true}, {1e6}}).run, "xxx");
}

TEST(TimeBudget, of_a_quick_device_runs_everything) {
    std::vector<Turn> steps;
    for (int i = 0; i < 6; ++i) steps.insert(steps.end(), {{0.5}, {2.5, true}, {0.5}});
    EXPECT_EQ(course(30, steps).run, std::string(18, 'x'));
}

TEST(TimeBudget, does_not_begin_what_would_take_as_long_as_the_step_before_and_end_too_late) {
    auto const it = course(10, {{4}, {4}, {4}, {4}});
    EXPECT_EQ(it.run, "xx--");
    EXPECT_LE(it.end, 10);
    EXPECT_EQ(course(0, {{1}, {1}}).run, "--");
}

/// The first step compiles and makes data; the others find them.
TEST(TimeBudget, rests_on_the_last_step_alone) {
    EXPECT_EQ(course(41, {{20}, {1}, {1}, {1}}).run, "xxxx");
    EXPECT_EQ(course(24, {{20}, {1}}).run, "x-");
}

TEST(TimeBudget, long_steps_give_way_to_those_that_come_after_them) {
    // 2 + 3 for the long one leave too little for three of two seconds.
    EXPECT_EQ(course(10, {{2}, {3, true}, {2}, {2}, {2}}).run, "x-xxx");
    EXPECT_EQ(course(12, {{2}, {3, true}, {2}, {2}, {2}}).run, "xxxxx");
    // What a long one really takes counts for the next.
    EXPECT_EQ(course(20, {{1}, {9, true}, {1}, {9, true}, {1}}).run, "xxx-x");
}

}  // namespace
}  // namespace rocmtune::bench
