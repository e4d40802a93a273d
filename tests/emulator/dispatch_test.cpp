// SPDX-License-Identifier: MIT
// Whole dispatches: who work-items are, how waves take turns, what ends a kernel.
#include <cstdlib>
#include <set>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "code_object.hpp"
#include "emulator.hpp"
#include "executor.h"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using namespace emulator;
using testing::HasSubstr;

constexpr char const* targets[] = {"gfx906",  "gfx908",  "gfx90a",  "gfx942", "gfx1030",
                                   "gfx1100", "gfx1151", "gfx1200", "gfx1201"};

/// tests/emulator/kernels.hip for a target.
std::string compiled(std::string const& target) {
    auto const output = std::string(ROCMTUNE_KERNEL_CACHE) + "/" + target + "-emulator";
    std::filesystem::create_directories(ROCMTUNE_KERNEL_CACHE);
    Launch launch;
    launch.words = {ROCMTUNE_SOURCE_DIR "/tests/bench/compile_kernel", target,
                    ROCMTUNE_SOURCE_DIR "/tests/emulator/kernels.hip", output};
    auto const outcome = run(launch);
    if (outcome.code != 0) throw std::runtime_error(outcome.err);
    return content_of(output + ".co");
}

u64 address_of(void const* memory) {
    return reinterpret_cast<u64>(memory);
}

/// Runs a kernel of one target.
struct Runner {
    explicit Runner(std::string name, Options chosen = {})
        : target(std::move(name)), options(chosen), code(compiled(target)) {}

    void run(std::string const& kernel, std::vector<u64> const& slots, Grid grid) {
        auto const arguments = code.arguments(kernel, slots, grid);
        emulator.execute(target, code.packet(kernel, arguments, grid), options);
    }

    std::string target;
    Options options;
    CodeObject code;
    Emulator emulator;
};

class Dispatches : public testing::TestWithParam<char const*> {};

TEST_P(Dispatches, tell_every_work_item_who_it_is) {
    Runner runner(GetParam());
    // The last workgroups of each axis are not full.
    constexpr u32 width = 21, height = 10, depth = 5;
    std::vector<u32> out(width * height * depth, ~0U);
    auto arguments = runner.code.arguments(
        "store_ids", std::vector<u64>{address_of(out.data()), width, height}, {});
    auto packet = runner.code.packet("store_ids", arguments, {});
    packet.workgroup_size = {8, 4, 3};
    packet.grid_size = {width, height, depth};
    // Hidden arguments, as the runtime sets them: sizes of workgroups behind counts of them.
    std::array<u32, 3> const groups{2, 2, 1};
    std::array<u16, 6> const sizes{8, 4, 3, 5, 2, 2};
    std::memcpy(arguments.data() + 16, groups.data(), sizeof groups);
    std::memcpy(arguments.data() + 28, sizes.data(), sizeof sizes);
    for (auto const schedule : {Schedule::in_order, Schedule::random}) {
        std::fill(out.begin(), out.end(), ~0U);
        runner.emulator.execute(runner.target, packet, {.schedule = schedule});
        for (u32 z = 0; z < depth; ++z)
            for (u32 y = 0; y < height; ++y)
                for (u32 x = 0; x < width; ++x)
                    ASSERT_EQ(out[(z * height + y) * width + x], x | y << 10 | z << 20);
    }
}

TEST_P(Dispatches, give_every_lane_its_private_memory) {
    Runner runner(GetParam());
    std::vector<u32> order(64);
    for (u32 i = 0; i < 64; ++i) order[i] = i * 29 % 64;
    for (auto const* kernel : {"large_array", "volatile_array"}) {
        std::vector<u32> out(100);
        runner.run(kernel, {address_of(out.data()), address_of(order.data())}, {1, 100});
        for (u32 item = 0; item < out.size(); ++item) {
            u32 sum = 0;
            for (u32 i = 0; i < 64; ++i) sum = sum * 3 + (63 - i) * 1000 + item;
            ASSERT_EQ(out[item], sum) << kernel << " " << item;
        }
    }
}

TEST_P(Dispatches, wait_at_barriers_under_every_schedule) {
    Runner runner(GetParam());
    for (auto const schedule :
         {Schedule::in_order, Schedule::reverse, Schedule::lockstep, Schedule::random}) {
        runner.options.schedule = schedule;
        std::vector<u32> out(256);
        runner.run("exchange", {address_of(out.data())}, {1, 256});
        for (u32 item = 0; item < 256; ++item) ASSERT_EQ(out[item], 255 - item + 7);
    }
}

INSTANTIATE_TEST_SUITE_P(, Dispatches, testing::ValuesIn(targets),
                         [](auto const& it) { return std::string(it.param); });

TEST(DispatchFaults, ignore_barriers) {
    Runner runner("gfx90a", {.fault = Fault::ignored_barriers});
    std::vector<u32> out(256);
    runner.run("exchange", {address_of(out.data())}, {1, 256});
    EXPECT_EQ(out[0], 0xCDCDCDCDU);  // what LDS holds at first
}

TEST(DispatchFaults, lose_every_4096th_atomic_operation) {
    Runner runner("gfx90a", {.fault = Fault::lost_atomics});
    std::array<u32, 2> out{};
    runner.run("count", {address_of(out.data())}, {64, 256});
    EXPECT_EQ(out[0] + out[1], 64 * 256 - 4U);
}

std::string failure_of(Runner& runner, std::string const& kernel, std::vector<u64> const& slots) {
    try {
        runner.run(kernel, slots, {1, 64});
        return "none";
    } catch (Failure const& failure) {
        return failure.what();
    }
}

TEST(DispatchFailures, name_the_address_where_nothing_is_mapped) {
    Runner runner("gfx90a");
    auto* const page = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_THAT(failure_of(runner, "count", {address_of(page)}), HasSubstr("memory fault"));
    ::munmap(page, 4096);
    EXPECT_THAT(failure_of(runner, "count", {8}), HasSubstr("global_atomic_add"));
    // The next dispatch is none the worse for it.
    std::array<u32, 2> out{};
    EXPECT_EQ(failure_of(runner, "count", {address_of(out.data())}), "none");
    EXPECT_EQ(out[0], 32U);
}

TEST(DispatchFailures, name_the_instruction_that_leaves_lds) {
    Runner runner("gfx1100");
    std::array<u32, 1> out{};
    EXPECT_EQ(failure_of(runner, "beyond_lds", {address_of(out.data()), 63}), "none");
    EXPECT_THAT(failure_of(runner, "beyond_lds", {address_of(out.data()), 64}),
                testing::AllOf(HasSubstr("ds_load_b32"),
                               HasSubstr("byte 256 lies beyond the 256 bytes of LDS")));
}

// ---- the C interface ----------------------------------------------------------------------------

struct Executor {
    Executor() : library(::dlopen(ROCMTUNE_EXECUTOR, RTLD_NOW)) {
        if (library == nullptr) throw std::runtime_error(::dlerror());
        execute = reinterpret_cast<decltype(execute)>(::dlsym(library, "amdgpu_execute"));
        forget = reinterpret_cast<decltype(forget)>(::dlsym(library, "amdgpu_forget"));
    }
    void* library;
    decltype(&amdgpu_execute) execute = nullptr;
    decltype(&amdgpu_forget) forget = nullptr;
};

TEST(Executor, executes_packets_and_says_why_it_cannot) {
    Executor const executor;
    CodeObject const code(compiled("gfx908"));
    std::vector<u32> out(256);
    auto const arguments =
        code.arguments("exchange", std::vector<u64>{address_of(out.data())}, {1, 256});
    auto const packet = code.packet("exchange", arguments, {1, 256});
    EXPECT_EQ(executor.execute("gfx908:sramecc+:xnack-", &packet, 0), nullptr);
    EXPECT_EQ(out[1], 254U + 7);
    EXPECT_STREQ(executor.execute("gfx803", &packet, 1),
                 "GPU 1 (gfx803): the emulator does not know the target gfx803");
}

TEST(Executor, refuses_words_that_it_does_not_know) {
    Executor const executor;
    Packet const packet;
    for (auto const* variable : {"AMDGPU_EMULATOR_SCHEDULE", "AMDGPU_EMULATOR_FAULT"}) {
        ::setenv(variable, "sideways", 1);
        EXPECT_THAT(executor.execute("gfx90a", &packet, 0),
                    HasSubstr(std::string(variable) + "=sideways is none of: "));
        ::unsetenv(variable);
    }
}

TEST(Executor, forgets_code_that_was_replaced) {
    Executor const executor;
    CodeObject const code(compiled("gfx90a"));
    std::array<u32, 2> out{};
    auto const arguments =
        code.arguments("count", std::vector<u64>{address_of(out.data())}, {1, 64});
    auto const packet = code.packet("count", arguments, {1, 64});
    EXPECT_EQ(executor.execute("gfx90a", &packet, 0), nullptr);
    i64 offset = 0;
    std::memcpy(&offset, reinterpret_cast<void const*>(packet.kernel_object + 16), sizeof offset);
    constexpr u32 end = 0xBF810000;  // s_endpgm
    std::memcpy(reinterpret_cast<void*>(packet.kernel_object + static_cast<u64>(offset)), &end,
                sizeof end);
    executor.forget();
    EXPECT_EQ(executor.execute("gfx90a", &packet, 0), nullptr);
    EXPECT_EQ(out[0] + out[1], 64U);
}

}  // namespace
}  // namespace rocmtune::test
