// SPDX-License-Identifier: MIT
// rocmtune bench and cache as a user runs them, on the processors and against fake HIP runtimes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Words = std::vector<std::string>;

/// Processes in whose environment this assignment stands. Zombies have none any more.
int processes_with(std::string const& assignment) {
    int count = 0;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator("/proc", error))
        count += content_of(entry.path() / "environ").find(assignment) != std::string::npos;
    return count;
}

/// Whether a worker measures that was started with this assignment.
bool measures(std::string const& assignment) {
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator("/proc", error)) {
        auto const words = content_of(entry.path() / "cmdline");
        if (words.find(std::string("--internal-worker\0bench\0", 24)) != words.npos &&
            content_of(entry.path() / "environ").find(assignment) != std::string::npos)
            return true;
    }
    return false;
}

void wait_for_worker(std::string const& assignment) {
    for (int tries = 0; tries < 1000 && !measures(assignment); ++tries) ::usleep(10'000);
    ASSERT_TRUE(measures(assignment));
}

/// One document with every step, of which none is said to be right, and the end that a signal
/// makes.
void expect_end_by_interrupt(Outcome const& outcome) {
    EXPECT_EQ(outcome.signal, SIGINT) << outcome.code;
    auto const document = json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << outcome.out;
    EXPECT_EQ(document["exit_code"], 128 + SIGINT);
    EXPECT_THAT(document["errors"][0]["message"].get<std::string>(), HasSubstr("SIGINT"));
    EXPECT_FALSE(document["measurements"].empty());
    for (auto const& one : document["measurements"]) EXPECT_NE(one["status"], "ok");
}

/// Small enough for a test, on the processors.
Launch bench_on_cpu(Words words) {
    for (auto const* const word : {"--backend", "cpu", "--time", "0.001", "--quick"})
        words.emplace_back(word);
    words.insert(words.begin(), "bench");
    return rocmtune_with(std::move(words));
}

json document_of(Outcome const& outcome) {
    return json::parse(outcome.out, nullptr, false);
}

TEST(Bench, on_processors_verifies_every_figure) {
    auto const outcome = run(bench_on_cpu({"bandwidth", "--size", "65536", "--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    auto const document = document_of(outcome);
    EXPECT_EQ(document["command"], "bench");
    EXPECT_EQ(document["measurements"].size(), 9U);
    for (auto const& one : document["measurements"]) {
        EXPECT_EQ(one["status"], "ok") << one["metric"];
        EXPECT_TRUE(one["verified"]) << one["metric"];
        EXPECT_EQ(one["backend"], "cpu");
        EXPECT_TRUE(one["gpu"].is_null());
        EXPECT_GE(one["samples"].size(), 3U);
        EXPECT_LE(one["low"], one["value"]);
        EXPECT_LE(one["value"], one["high"]);
    }
}

TEST(Bench, text_fits_the_screen_and_says_what_was_verified) {
    auto launch = bench_on_cpu({"vpoc", "--size", "20000", "--bins", "50"});
    launch.environment["COLUMNS"] = "80";
    auto const outcome = run(launch);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("50-bins-uniform"));
    EXPECT_THAT(outcome.out, HasSubstr("4 of 4 results verified"));
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Bench, of_own_ticks_gives_their_profile) {
    Directory const directory;
    write_file(directory / "day.csv", "price,volume\n10,1\n10.25,5\n10.25,2.5\n10.5,3\n11,1\n");
    auto const outcome =
        run(bench_on_cpu({"vpoc", "--ticks", directory / "day.csv", "--tick", "0.25", "--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    auto const profile = document_of(outcome)["measurements"][0]["profile"];
    EXPECT_EQ(profile["point_of_control"], 10.25);
    EXPECT_EQ(profile["value_area_low"], 10.25);
    EXPECT_EQ(profile["value_area_high"], 10.5);
    EXPECT_EQ(profile["total_volume"], 12.5);
    EXPECT_EQ(profile["volumes"], json::parse("[1, 7.5, 3, 0, 1]"));
}

TEST(Bench, without_a_gpu_auto_takes_the_processors) {
    auto launch = rocmtune_with(
        {"bench", "bandwidth", "--size", "65536", "--time", "0.001", "--quick", "--json"});
    launch.environment["ROCMTUNE_LIBAMDHIP64"] = "/nonexistent";
    launch.environment["ROCMTUNE_LIBCUDA"] = "/nonexistent";
    auto const outcome = run(launch);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(document_of(outcome)["measurements"][0]["backend"], "cpu");
}

TEST(Bench, ends_at_once_when_interrupted_and_leaves_no_worker) {
    auto launch =
        rocmtune_with({"bench", "bandwidth", "--backend", "cpu", "--time", "600", "--json"});
    auto const mark = "BENCH_TEST_MARK=" + std::to_string(::getpid());
    launch.environment["BENCH_TEST_MARK"] = std::to_string(::getpid());
    Running program(launch);
    wait_for_worker(mark);
    program.send(SIGINT);
    auto const start = std::chrono::steady_clock::now();
    auto const result = program.finish();
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
    expect_end_by_interrupt(result);
    EXPECT_EQ(processes_with(mark), 0);
}

TEST(Report, that_measures_says_what_it_knows_when_interrupted) {
    auto launch = rocmtune_with({"report", "--parts", "bench", "--time", "600", "--json"});
    launch.environment["ROCMTUNE_LIBAMDHIP64"] = "/nonexistent";
    launch.environment["ROCMTUNE_LIBCUDA"] = "/nonexistent";
    launch.environment["BENCH_TEST_MARK"] = std::to_string(::getpid());
    Running program(launch);
    wait_for_worker("BENCH_TEST_MARK=" + std::to_string(::getpid()));
    program.send(SIGINT);
    expect_end_by_interrupt(program.finish());
}

// ---- the exit codes -----------------------------------------------------------------------------

struct Row {
    char const* name;
    Words words;
    int code;
    char const* says;
};

void PrintTo(Row const& row, std::ostream* out) {
    *out << testing::PrintToString(row.words);
}

Row const rows[] = {
    {"no_hip_device", {"bench", "--backend", "hip"}, 4, "there is no hip device"},
    {"no_cuda_device", {"bench", "gemm", "--backend", "cuda"}, 4, "there is no cuda device"},
    {"no_such_benchmark", {"bench", "gem"}, 2, "did you mean 'gemm'?"},
    {"no_such_backend", {"bench", "--backend", "opencl"}, 2, "--backend cannot be 'opencl'"},
    {"no_such_type", {"bench", "--dtype", "fp12"}, 2, "--dtype cannot be 'fp12'"},
    {"no_selector", {"bench", "--gpu", "first"}, 2, "--gpu cannot be 'first'"},
    {"a_selector_without_number", {"bench", "--gpu", "hip:"}, 2, "--gpu cannot be 'hip:'"},
    {"an_empty_place", {"bench", "--gpu", "0,"}, 2, "a place of the list is empty"},
    {"no_such_device",
     {"bench", "--backend", "cpu", "--gpu", "hip:9"},
     2,
     "names no device of the backend cpu"},
    {"no_bins", {"bench", "vpoc", "--bins", "0"}, 2, "--bins needs a number of at least 1"},
    {"too_many_bins", {"bench", "vpoc", "--bins", "16777217"}, 2, "16777216"},
    {"half_a_bin", {"bench", "vpoc", "--bins", "1.5"}, 2, "whole number"},
    {"a_negative_size", {"bench", "--size", "-1"}, 2, "--size needs a number of at least 1"},
    {"a_tick_without_ticks", {"bench", "vpoc", "--tick", "0.25"}, 2, "--tick needs --ticks"},
    {"ticks_for_gemm", {"bench", "gemm", "--ticks", "@TICKS"}, 2, "--ticks belongs to vpoc"},
    {"no_such_ticks", {"bench", "vpoc", "--ticks", "/no/such"}, 2, "cannot read /no/such"},
    {"broken_ticks", {"bench", "vpoc", "--ticks", "@BROKEN"}, 2, "line 3: not two numbers"},
    {"a_tick_too_small",
     {"bench", "vpoc", "--ticks", "@TICKS", "--tick", "1e-9"},
     2,
     "1 to 16777216 rows"},
    {"tick_and_bins",
     {"bench", "--ticks", "@TICKS", "--tick", "1", "--bins", "3"},
     2,
     "exclude each other"},
    {"no_type_for_bandwidth",
     {"bench", "bandwidth", "--backend", "cpu", "--dtype", "int8", "--quick"},
     3,
     "nothing was measured: bandwidth has nothing of the type int8 here"},
    {"more_than_the_memory",
     {"bench", "bandwidth", "--backend", "cpu", "--size", "1e15", "--quick"},
     1,
     ""},
    {"no_action", {"cache"}, 2, "status, clear"},
    {"cache_status", {"cache", "status"}, 0, ""},
    {"cache_clear", {"cache", "clear", "--json"}, 0, ""},
};

class BenchCode : public testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(Bench, BenchCode, testing::ValuesIn(rows),
                         [](auto const& row) { return row.param.name; });

TEST_P(BenchCode, is_that_of_the_contract) {
    Directory const directory;
    write_file(directory / "ticks.csv", "price,volume\n1,1\n2,1\n");
    write_file(directory / "broken.csv", "price,volume\n1,1\n2\n");
    auto words = GetParam().words;
    for (auto& word : words) {
        if (word == "@TICKS") word = directory / "ticks.csv";
        if (word == "@BROKEN") word = directory / "broken.csv";
    }
    auto launch = rocmtune_with(words);
    launch.environment["ROCMTUNE_LIBAMDHIP64"] = "/nonexistent";
    launch.environment["ROCMTUNE_LIBCUDA"] = "/nonexistent";
    launch.environment["ROCMTUNE_CACHE"] = directory / "cache";
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(GetParam().says));
    EXPECT_TRUE(*GetParam().says != '\0' || outcome.err.empty()) << outcome.err;
}

// ---- a HIP runtime that goes wrong --------------------------------------------------------------

Launch bench_on_fake(int major, std::string const& fault) {
    auto launch = rocmtune_with({"bench", "bandwidth", "--backend", "hip", "--size", "65536",
                                 "--quick", "--time", "0.001", "--timeout", "3", "--json"});
    auto const library = std::string(ROCMTUNE_FAKES_DIR) + "/rocm-" + std::to_string(major) +
                         "/lib/libamdhip64.so." + std::to_string(major);
    launch.environment["ROCMTUNE_LIBAMDHIP64"] = library;
    launch.environment["FAKE_GPUS"] =
        "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX";
    if (!fault.empty()) launch.environment["FAKE_FAULT"] = fault;
    return launch;
}

TEST(BenchOnFakes, a_runtime_without_the_functions_is_unsupported_and_determines_nothing) {
    auto launch = bench_on_fake(7, "");
    launch.environment["ROCMTUNE_LIBAMDHIP64"] =
        ROCMTUNE_FAKES_DIR "/broken/no-launch/lib/libamdhip64.so.7";
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    auto const one = document_of(outcome)["measurements"][0];
    EXPECT_EQ(one["status"], "unsupported");
    EXPECT_THAT(one["detail"].get<std::string>(), HasSubstr("missing-symbol"));
}

TEST(BenchOnFakes, a_runtime_whose_kernels_do_nothing_gives_wrong_results) {
    for (int const major : {5, 6, 7}) {
        auto const outcome = run(bench_on_fake(major, ""));
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        EXPECT_EQ(document_of(outcome)["measurements"][0]["status"], "wrong-result");
    }
}

TEST(BenchOnFakes, a_device_has_many_names) {
    for (auto const* const list :
         {"0", "hip:0", "03:00.0", "0000:03:00.0", "GPU-1A2B3C4D5E6F7081", "hip:0, 03:00.0"}) {
        auto launch = bench_on_fake(7, "");
        launch.words.insert(launch.words.end(), {"--gpu", list});
        auto const outcome = run(launch);
        EXPECT_EQ(outcome.code, 1) << list << outcome.err;
        EXPECT_GE(document_of(outcome)["measurements"].size(), 1U) << list;
    }
    for (auto const* const other : {"1", "hip:1", "cuda:0", "04:00.0", "GPU-1A2B3C4D5E6F7082"}) {
        auto launch = bench_on_fake(7, "");
        launch.words.insert(launch.words.end(), {"--gpu", other});
        auto const outcome = run(launch);
        EXPECT_EQ(outcome.code, 2) << other;
        EXPECT_THAT(outcome.err, HasSubstr("names no device of the backend hip")) << other;
    }
}

TEST(BenchOnFakes, a_runtime_that_dies_while_counting_could_not_be_determined) {
    auto const outcome = run(bench_on_fake(6, "abort@hipGetDeviceCount"));
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("SIGABRT"));
}

}  // namespace
}  // namespace rocmtune::test
