// SPDX-License-Identifier: MIT
// probe --bug-report FILE --measure of the real program, on a GPU of the fake HIP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Little memory, so that the benchmarks have little to do.
Launch contact(std::string const& file) {
    auto launch = rocmtune_with({"probe", "--bug-report", file, "--measure"});
    launch.environment["ROCM_PATH"] = ROCMTUNE_FAKES_DIR "/rocm-7";
    launch.environment["FAKE_GPUS"] =
        "0000:83:00.0 gfx90a:sramecc+:xnack- 104 67108864 0 Instinct MI210";
    return launch;
}

std::string file_in(std::string const& archive, std::string const& name) {
    Launch launch;
    launch.words = {"/bin/tar", "-xOzf", archive, name};
    return run(launch).out;
}

TEST(FirstContact, prints_what_held_and_what_did_not_and_keeps_the_reports) {
    Directory const directory;
    auto const file = directory / "card.tar.gz";
    auto const result = run(contact(file));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("| 0000:83:00.0 | HIP | opens, copies, computes | 4 KiB were "
                                      "copied there and back, and a kernel wrote 64 KiB | held |"));
    // The fake runs no kernel of the benchmarks: what failed comes first.
    EXPECT_THAT(result.out,
                HasSubstr("|---|---|---|---|---|\n| 0000:83:00.0 | kernels | right results"));
    EXPECT_THAT(result.out, HasSubstr("bandwidth copy: wrong-result | **failed** |"));
    EXPECT_THAT(result.out, HasSubstr("| host | settings |"));
    EXPECT_THAT(result.err, HasSubstr("bench --backend hip --quick (at most 300 s)"));
    auto const bench = json::parse(file_in(file, "rocmtune/bench.json"));
    ASSERT_FALSE(bench.at("measurements").empty());
    EXPECT_TRUE(bench["measurements"][0]["samples"].empty());
    EXPECT_FALSE(bench.contains("host"));
    EXPECT_FALSE(json::parse(file_in(file, "rocmtune/check.json")).at("findings").empty());
    // The recording replays as one without.
    EXPECT_EQ(run({"probe", "--replay", file}).code, 0);
}

TEST(FirstContact, that_a_signal_ends_still_writes_what_there_is) {
    Directory const directory;
    auto const file = directory / "card.tar.gz";
    auto launch = contact(file);
    launch.environment["FAKE_FAULT"] = "hang@hipMalloc";
    launch.error_output = directory / "said";
    Running running(launch);
    for (int looks = 0;
         content_of(launch.error_output).find("check -l medium (") == std::string::npos;
         ::usleep(10'000))
        ASSERT_LT(++looks, 2000) << "it does not measure";
    running.send(SIGTERM);
    auto const result = running.finish();
    EXPECT_EQ(result.signal, SIGTERM) << result.code << result.err;
    EXPECT_THAT(result.out, HasSubstr("not reached"));
    EXPECT_THAT(content_of(launch.error_output), Not(HasSubstr("verify --self-test --backend")));
    EXPECT_EQ(run({"probe", "--replay", file}).code, 0);
}

TEST(FirstContact, needs_a_file_and_this_host) {
    EXPECT_THAT(run({"probe", "--measure"}).err, HasSubstr("--measure needs --bug-report FILE"));
    Directory const directory;
    auto const recorded = run(
        {"probe", "--measure", "--bug-report", directory / "x", "--replay", "example:mi300x-x8"});
    EXPECT_EQ(recorded.code, 2);
    EXPECT_THAT(recorded.err, HasSubstr("a recorded host"));
}

TEST(FirstContact, complains_of_the_file_before_anything_is_measured) {
    auto const result = run(contact("/nonexistent/card.tar.gz"));
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, Not(HasSubstr("check -l medium")));
}

}  // namespace
}  // namespace rocmtune::test
