// SPDX-License-Identifier: MIT
// One rule after the other: a program that is limited by one thing gets its word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "limits/samples.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

LimitKind first_limit(WatchSample const& sample) {
    return observation_of(run_of(sample, 4)).limits.front().kind;
}

TEST(Limits, of_a_program_that_sleeps_are_nothing_that_was_seen) {
    EXPECT_EQ(first_limit(asleep()), LimitKind::nothing_seen);
}

TEST(Limits, of_a_program_that_works_now_and_then_are_what_it_waits_for) {
    auto sample = asleep();
    sample.cpu_seconds = sample.thread_seconds = 0.02;
    EXPECT_EQ(first_limit(sample), LimitKind::waiting);
    EXPECT_EQ(first_limit(with_gpu(asleep())), LimitKind::waiting) << "it holds a GPU that rests";
}

TEST(Limits, are_one_thread_while_other_processors_rest) {
    EXPECT_EQ(first_limit(one_thread()), LimitKind::one_thread);
    auto alone = one_thread();
    alone.processors = alone.host_processors = 1;
    EXPECT_EQ(first_limit(alone), LimitKind::processors) << "there is no other";
    alone.host_processors = 8;
    EXPECT_EQ(first_limit(alone), LimitKind::processors) << "it may use no other";
}

TEST(Limits, are_one_thread_where_short_processes_follow_each_other) {
    auto sample = asleep();
    sample.cpu_seconds = 0.09;
    sample.kernel_seconds = 0.06;
    sample.runnable = 1;
    sample.started = 3;
    sample.minor_faults = sample.short_faults = 60'000;
    EXPECT_EQ(first_limit(sample), LimitKind::one_thread);
}

TEST(Limits, are_few_threads_between_one_and_all) {
    auto sample = one_thread();
    sample.cpu_seconds = 0.29;
    EXPECT_EQ(first_limit(sample), LimitKind::few_threads);
}

TEST(Limits, are_the_processors_that_it_may_use) {
    auto sample = one_thread();
    sample.cpu_seconds = 0.78;
    sample.runnable = 8;
    EXPECT_EQ(first_limit(sample), LimitKind::processors);
    sample.cpu_seconds = 0.19;
    sample.runnable = 2;
    sample.processors = 2;
    EXPECT_EQ(first_limit(sample), LimitKind::processors) << "it is bound to two";
}

TEST(Limits, are_launches_where_a_gpu_waits_for_one_thread) {
    EXPECT_EQ(first_limit(with_gpu(one_thread(), [](GpuSample& gpu) { gpu.busy = 0.4; })),
              LimitKind::launches);
    EXPECT_EQ(first_limit(with_gpu(one_thread())), LimitKind::one_thread)
        << "the GPU does nothing at all";
}

TEST(Limits, are_copies_where_the_link_or_the_copy_engines_are_busy) {
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       gpu.busy = 0.2;
                                       gpu.pcie_bytes_per_second = 28e9;
                                   })),
              LimitKind::copies);
    EXPECT_EQ(first_limit(with_gpu(one_thread(),
                                   [](GpuSample& gpu) {
                                       gpu.busy = 0.2;
                                       gpu.copy_engines = 0.9;
                                       gpu.pcie_bytes_per_second.reset();
                                   })),
              LimitKind::copies);
}

TEST(Limits, are_compute_or_the_memory_of_a_gpu_that_works_all_the_time) {
    EXPECT_EQ(first_limit(with_gpu(one_thread(), works)), LimitKind::gpu_compute);
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       works(gpu);
                                       gpu.memory_busy = 0.85;
                                   })),
              LimitKind::gpu_memory_bandwidth);
}

TEST(Limits, are_the_power_of_a_gpu_at_its_cap) {
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       works(gpu);
                                       gpu.power_watts = 298;
                                   })),
              LimitKind::power);
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       works(gpu);
                                       gpu.power_throttled = 0.8;
                                   })),
              LimitKind::power);
    EXPECT_EQ(first_limit(with_gpu(asleep(), [](GpuSample& gpu) { gpu.power_watts = 298; })),
              LimitKind::waiting)
        << "a cap is no limit of a GPU that rests";
}

TEST(Limits, are_the_temperature_of_a_gpu_near_its_limit) {
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       works(gpu);
                                       gpu.temperature_celsius = 109;
                                   })),
              LimitKind::temperature);
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       works(gpu);
                                       gpu.heat_throttled = 0.5;
                                       gpu.power_watts = 299;
                                   })),
              LimitKind::temperature)
        << "heat comes before power";
}

TEST(Limits, are_those_of_the_one_gpu_of_several_that_is_held_back) {
    auto sample = with_gpu(with_gpu(asleep(), works), works);
    sample.gpus.back().pci_address = "0000:04:00.0";
    sample.gpus.back().busy = 0.9;
    sample.gpus.back().heat_throttled = 1;
    auto const limit = observation_of(run_of(sample, 4)).limits.front();
    EXPECT_EQ(limit.kind, LimitKind::temperature);
    EXPECT_THAT(limit.says, HasSubstr("0000:04:00.0"));
}

TEST(Limits, are_the_memory_of_a_gpu_that_is_nearly_full) {
    auto const full = [](GpuSample& gpu) { gpu.vram_bytes = 15.9e9; };
    EXPECT_EQ(first_limit(with_gpu(asleep(), full)), LimitKind::gpu_memory);
    auto const busy = observation_of(run_of(with_gpu(asleep(),
                                                     [&](GpuSample& gpu) {
                                                         works(gpu);
                                                         full(gpu);
                                                     }),
                                            4));
    ASSERT_EQ(busy.limits.size(), 2U);
    EXPECT_EQ(busy.limits[0].kind, LimitKind::gpu_compute) << "it works: memory is the second";
    EXPECT_EQ(busy.limits[1].kind, LimitKind::gpu_memory);
    auto const of_others = with_gpu(asleep(), [&](GpuSample& gpu) { full(gpu), gpu.held = 0; });
    EXPECT_EQ(first_limit(of_others), LimitKind::nothing_seen);
}

TEST(Limits, are_the_memory_of_the_host) {
    auto sample = one_thread();
    sample.available_bytes = 1e9;
    EXPECT_EQ(first_limit(sample), LimitKind::host_memory);
    sample.available_bytes = 2.5e9;
    EXPECT_EQ(first_limit(sample), LimitKind::one_thread);
    sample.major_faults = 30;
    EXPECT_EQ(first_limit(sample), LimitKind::host_memory) << "it swaps";
    sample.available_bytes = 20e9;
    EXPECT_EQ(first_limit(sample), LimitKind::one_thread) << "files that are mapped";
    sample.memory_pressure_seconds = 0.05;
    EXPECT_EQ(first_limit(sample), LimitKind::host_memory);
}

TEST(Limits, are_page_faults_by_what_they_cost_here) {
    auto sample = one_thread();
    sample.minor_faults = 60'000;
    EXPECT_EQ(first_limit(sample), LimitKind::page_faults);
    sample.fault_cost_seconds = 1e-7;
    EXPECT_EQ(first_limit(sample), LimitKind::one_thread) << "they are cheap here";
    sample.fault_cost_seconds.reset();
    EXPECT_EQ(first_limit(sample), LimitKind::one_thread) << "nobody knows their cost";
}

TEST(Limits, are_the_disk_that_it_waits_for) {
    auto sample = asleep();
    sample.blocked = 1;
    sample.written_bytes = 2e6;
    EXPECT_EQ(first_limit(sample), LimitKind::disk);
    sample.written_bytes = 0;
    EXPECT_EQ(first_limit(sample), LimitKind::waiting) << "a driver, perhaps";
    sample.read_bytes.reset();
    sample.written_bytes.reset();
    EXPECT_EQ(first_limit(sample), LimitKind::disk) << "how much is not told";
    auto busy = one_thread();
    busy.written_bytes = 5e6;
    EXPECT_EQ(first_limit(busy), LimitKind::one_thread) << "it writes and does not wait";
    auto crowded = asleep();
    crowded.cpu_seconds = crowded.thread_seconds = 0.011;
    crowded.runnable = 0.75;
    crowded.blocked = 0.2;
    crowded.written_bytes = 20e6;
    EXPECT_EQ(first_limit(crowded), LimitKind::disk) << "it waits for others, and would not alone";
}

TEST(Limits, are_others_that_compute_on_its_gpu) {
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       works(gpu);
                                       gpu.others = 1;
                                   })),
              LimitKind::other_users);
    EXPECT_EQ(first_limit(with_gpu(asleep(),
                                   [](GpuSample& gpu) {
                                       works(gpu);
                                       gpu.held = 0;
                                   })),
              LimitKind::other_users)
        << "it sleeps while a GPU that it does not hold works";
}

TEST(Limits, are_others_that_hold_the_processors) {
    auto sample = one_thread();
    sample.cpu_seconds = sample.thread_seconds = 0.05;
    sample.others_seconds = 0.75;
    auto const limits = observation_of(run_of(sample, 4)).limits;
    ASSERT_EQ(limits.size(), 2U);
    EXPECT_EQ(limits[0].kind, LimitKind::other_users);
    EXPECT_EQ(limits[1].kind, LimitKind::one_thread) << "what it would be alone";
    sample.runnable = 0.5;
    EXPECT_NE(first_limit(sample), LimitKind::other_users) << "it does not wait for them";
}

TEST(Limits, have_pages_of_other_nodes_beside_them) {
    auto sample = one_thread();
    sample.numa_pages = 5000;
    sample.numa_misses = 2000;
    auto const limits = observation_of(run_of(sample, 4)).limits;
    ASSERT_EQ(limits.size(), 2U);
    EXPECT_EQ(limits[1].kind, LimitKind::numa);
    sample.numa_misses = 4000;
    EXPECT_EQ(first_limit(sample), LimitKind::numa) << "most of them";
    sample.numa_pages = 50;
    sample.numa_misses = 40;
    EXPECT_EQ(observation_of(run_of(sample, 4)).limits.size(), 1U) << "these are few";
}

// ---- what is not known --------------------------------------------------------------------------

TEST(Limits, say_that_the_load_of_a_gpu_is_not_known) {
    auto const unknown = with_gpu(
        one_thread(), [](GpuSample& gpu) { gpu = {.pci_address = gpu.pci_address, .held = 1}; });
    auto const limit = observation_of(run_of(unknown, 4)).limits.front();
    EXPECT_EQ(limit.kind, LimitKind::one_thread);
    EXPECT_THAT(limit.doubt, HasSubstr("the load of a GPU is not told"));
}

TEST(Limits, say_that_the_load_of_the_memory_of_a_gpu_is_not_known) {
    auto const limit = observation_of(run_of(with_gpu(asleep(),
                                                      [](GpuSample& gpu) {
                                                          works(gpu);
                                                          gpu.memory_busy.reset();
                                                      }),
                                             4))
                           .limits.front();
    EXPECT_EQ(limit.kind, LimitKind::gpu_compute);
    EXPECT_THAT(limit.doubt, HasSubstr("not told"));
    EXPECT_THAT(limit.says, Not(HasSubstr("unknown")));
}

TEST(Limits, of_a_program_that_nobody_saw_are_nothing_that_was_seen) {
    auto const it = observation_of(run_of({.seconds = 0.1}, 4));
    EXPECT_EQ(it.limits.front().kind, LimitKind::nothing_seen);
    EXPECT_THAT(it.limits.front().says, HasSubstr("could not be seen"));
    EXPECT_FALSE(it.processors_share || it.resident_bytes || it.read_bytes_per_second);
}

TEST(Limits, of_a_program_that_ran_too_short_are_not_told) {
    auto const it = observation_of(run_of(one_thread(), 0.2));
    ASSERT_EQ(it.limits.size(), 1U);
    EXPECT_EQ(it.limits.front().kind, LimitKind::nothing_seen);
    EXPECT_THAT(it.limits.front().says, HasSubstr("too seldom"));
    EXPECT_EQ(observation_of({}).limits.front().kind, LimitKind::nothing_seen);
}

/// Every word has a sentence and a doubt, whatever is known.
TEST(Limits, have_a_sentence_each) {
    for (std::size_t i = 0; i < limit_kind_words.size(); ++i) {
        auto const kind = static_cast<LimitKind>(i);
        for (auto const& sample :
             {with_gpu(one_thread(), works), with_gpu({.seconds = 1}, [](GpuSample& gpu) {
                  gpu = {.pci_address = "0000:03:00.0", .held = 1};
              })}) {
            EXPECT_FALSE(says_of(kind, sample).empty()) << word_of(kind);
            EXPECT_EQ(doubt_of(kind, sample).empty(), kind == LimitKind::nothing_seen)
                << word_of(kind);
        }
    }
}

}  // namespace
}  // namespace rocmtune::test
