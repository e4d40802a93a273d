// SPDX-License-Identifier: MIT
// The minute of `rocmtune bench` without a name.
#include "measure/benchmarks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/runner.hpp"
#include "cli/typed_options.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(DeviceMinute, is_over_after_sixty_seconds_whatever_the_last_benchmark_does) {
    DeviceMinute::Clock::time_point const start{};
    DeviceMinute const minute(true, start);
    for (std::size_t const count : {1U, 3U, 4U})
        for (std::size_t i = 0; i < count; ++i)
            for (int used = 0; used <= 60; used += 5) {
                auto const left = minute.seconds(i, count, start + seconds(used));
                ASSERT_TRUE(left);
                EXPECT_GE(*left, 0);
                if (DeviceMinute::end_of(i, count) < used) continue;
                EXPECT_LE(seconds(used) + DeviceMinute::lifetime(left), seconds(60)) << i << used;
            }
}

TEST(DeviceMinute, leaves_a_quarter_to_each_that_comes_later_and_what_is_not_needed) {
    DeviceMinute::Clock::time_point const start{};
    DeviceMinute const minute(true, start);
    EXPECT_EQ(minute.seconds(0, 3, start), 27);
    EXPECT_EQ(minute.seconds(1, 3, start + seconds(9)), 33);
    EXPECT_EQ(minute.seconds(2, 3, start + seconds(42)), 15);
    EXPECT_EQ(minute.seconds(2, 3, start + seconds(99)), 0);
}

TEST(DeviceMinute, is_asked_for_by_who_names_neither_benchmark_nor_time_on_any_backend) {
    auto const bounded = [](std::vector<std::pair<std::string, std::string>> const& options,
                            std::vector<std::string> benchmarks = {}) {
        Arguments arguments;
        arguments.command = "bench";
        for (auto const& [name, value] : options) arguments.add(name, {value});
        arguments.positionals = std::move(benchmarks);
        BenchCommand command;
        fill(command, arguments);
        return is_bounded(command.benchmarks);
    };
    EXPECT_TRUE(bounded({}));
    EXPECT_TRUE(bounded({{"--quick", ""}, {"--backend", "hip"}}));
    EXPECT_TRUE(bounded({{"--backend", "cpu"}}));
    EXPECT_FALSE(bounded({{"--time", "0.5"}}));
    EXPECT_FALSE(bounded({{"--ticks", "file"}}));
    EXPECT_FALSE(bounded({}, {"all"}));
}

TEST(DeviceMinute, without_a_bound_is_none) {
    DeviceMinute const minute(false, {});
    EXPECT_FALSE(minute.seconds(0, 3, {}));
    EXPECT_EQ(DeviceMinute::lifetime({}), milliseconds(0));
}

std::vector<Measurement> with(std::vector<std::string> const& statuses) {
    std::vector<Measurement> all;
    for (auto const& status : statuses) {
        all.emplace_back();
        all.back().status = status;
    }
    return all;
}

TEST(BenchTime, what_a_worker_did_not_end_in_time_is_unfinished_and_not_failed) {
    auto all = with({"ok", "timeout", "error"});
    excuse_late(all);
    EXPECT_EQ(all[0].status, "ok");
    EXPECT_EQ(all[1].status, "unfinished");
    EXPECT_THAT(all[1].detail.value_or(""), testing::StartsWith("not ended in time, since"));
    EXPECT_EQ(all[2].status, "unfinished");
    EXPECT_THAT(all[2].detail.value_or(""), testing::StartsWith("not begun, since"));
    auto crashed = with({"ok", "error", "error"});
    excuse_late(crashed);
    EXPECT_EQ(crashed[2].status, "error");
}

TEST(BenchTime, what_had_no_time_is_undetermined) {
    EXPECT_EQ(exit_of(with({"ok", "unsupported"})), Exit::ok);
    EXPECT_EQ(exit_of(with({"ok", "unfinished"})), Exit::undetermined);
    EXPECT_EQ(exit_of(with({"ok", "unfinished", "timeout"})), Exit::findings);
    EXPECT_EQ(exit_of(with({"unsupported"})), Exit::undetermined);
}

/// The real worker, whose time is over before it begins.
TEST(BenchTime, a_worker_without_time_says_so_of_every_figure_and_how_to_get_it) {
    bench::Options options;
    options.benchmarks = {"bandwidth"};
    options.size = 4096;
    options.time_seconds = 0;
    WorkerMachinery machinery;
    machinery.program = ROCMTUNE_BINARY;
    auto const all = bench::run_benchmark(options, seconds(60), {}, machinery);
    EXPECT_GT(all.size(), 5U);
    for (auto const& one : all) {
        EXPECT_EQ(one.status, "unfinished") << one.metric;
        EXPECT_FALSE(one.value);
        EXPECT_THAT(one.detail.value_or(""),
                    testing::HasSubstr("rocmtune bench bandwidth takes what it needs"));
    }
}

}  // namespace
}  // namespace rocmtune::test
