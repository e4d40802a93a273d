// SPDX-License-Identifier: MIT
// The longer levels through the real program and a fake HIP, whose kernels do nothing: a GPU that
// computes nothing is found, one that hangs is named, what the end of the run cuts off is unknown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using Variables = std::map<std::string, std::string>;
using Words = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

std::string const fakes = ROCMTUNE_FAKES_DIR;
constexpr char const* first = "0000:03:00.0";
constexpr char const* second = "0000:83:00.0";
/// Small memories: benchmarks take their arrays from them.
constexpr char const* two_gpus =
    "0000:03:00.0 gfx1100 42 67108864 1a2b3c4d5e6f7081 Radeon RX 7900 XTX;"
    "0000:83:00.0 gfx90a:sramecc+:xnack- 104 67108864 0 Instinct MI210";

Launch level_run(Variables const& variables, Words more = {}, char const* level = "medium") {
    Words words{"check", "--only", "liveness,measured", "--json", "-l", level};
    words.insert(words.end(), more.begin(), more.end());
    auto launch = rocmtune_with(std::move(words));
    launch.environment.insert({{"ROCM_PATH", fakes + "/rocm-7"}, {"FAKE_GPUS", two_gpus}});
    for (auto const& [name, value] : variables) launch.environment[name] = value;
    return launch;
}

/// The finding of a check on a GPU.
json finding(json const& document, std::string const& id, std::string const& subject) {
    for (auto const& one : document.at("findings"))
        if (one.at("id") == id && one.at("subject") == subject) return one;
    return {{"verdict", "none"}, {"message", "no finding"}};
}

TEST(MediumLevel, finds_kernels_that_do_nothing) {
    auto const result = run(level_run({}));
    EXPECT_EQ(result.code, 1) << result.err;
    auto const document = json::parse(result.out);
    EXPECT_EQ(document["summary"]["level"], "medium");
    for (auto const* const gpu : {first, second}) {
        EXPECT_EQ(finding(document, "RT3801", gpu)["verdict"], "pass");
        auto const kernels = finding(document, "RT3802", gpu);
        EXPECT_EQ(kernels["verdict"], "fail") << kernels;
        EXPECT_EQ(kernels["action"], "isolate");
        EXPECT_THAT(kernels["message"].get<std::string>(), HasSubstr("wrong-result"));
    }
}

class WithoutWhatKernelsNeed : public testing::TestWithParam<std::string> {};

TEST_P(WithoutWhatKernelsNeed, is_no_fault_of_a_gpu_but_no_pass_and_the_reason_is_told) {
    auto const result = run(level_run({{"ROCM_PATH", fakes + "/broken/" + GetParam()}}));
    EXPECT_EQ(result.code, 3) << result.out << result.err;
    auto const document = json::parse(result.out);
    for (auto const* const gpu : {first, second}) {
        auto const kernels = finding(document, "RT3802", gpu);
        EXPECT_EQ(kernels["verdict"], "unknown") << kernels;
        EXPECT_THAT(kernels["message"].get<std::string>(), HasSubstr("unsupported: "));
    }
}

INSTANTIATE_TEST_SUITE_P(Incomplete, WithoutWhatKernelsNeed,
                         testing::Values("no-launch", "no-compiler"), [](auto const& row) {
                             return row.param == "no-launch" ? "launch" : "compiler";
                         });

// The fifth wait is one of the benchmarks: the trial of liveness before them has three.

TEST(MediumLevel, of_a_gpu_that_is_lost_names_it) {
    auto const result =
        run(level_run({{"FAKE_FAULT", "error=719@hipStreamSynchronize/1#5"}}, {"--gpu", "1"}));
    EXPECT_EQ(result.code, 1) << result.out << result.err;
    auto const kernels = finding(json::parse(result.out), "RT3802", second);
    EXPECT_EQ(kernels["verdict"], "fail");
    EXPECT_THAT(kernels["message"].get<std::string>(), HasSubstr("is lost"));
}

TEST(MediumLevel, that_ran_out_of_time_in_a_kernel_does_not_pass) {
    auto const begin = Clock::now();
    auto const result = run(level_run({{"FAKE_FAULT", "stubborn@hipStreamSynchronize/1#5"}},
                                      {"--gpu", "1", "--timeout", "3"}));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
    EXPECT_EQ(result.code, 3) << result.out << result.err;
    auto const kernels = finding(json::parse(result.out), "RT3802", second);
    EXPECT_THAT(kernels["verdict"], AnyOf("unknown", "timeout")) << kernels;
}

TEST(MediumLevel, ended_by_a_signal_prints_what_is_known_and_leaves_no_worker) {
    Running running(
        level_run({{"FAKE_FAULT", "stubborn@hipStreamSynchronize/1#5"}}, {"--gpu", "1"}));
    // The first worker that stays is the one that hangs; all others end within moments.
    std::string workers;
    auto const list = fmt::format("/proc/{0}/task/{0}/children", running.pid());
    for (int same = 0, looks = 0; same < 100; ::usleep(10'000)) {
        ASSERT_LT(++looks, 2000) << "no worker stays";
        auto const now = content_of(list);
        same = !now.empty() && now == workers ? same + 1 : 0;
        workers = now;
    }
    running.send(SIGTERM);
    auto const result = running.finish();
    EXPECT_EQ(result.signal, SIGTERM) << result.code << result.err;
    auto const document = json::parse(result.out);
    EXPECT_EQ(document["exit_code"], 128 + SIGTERM);
    EXPECT_EQ(finding(document, "RT3801", second)["verdict"], "pass");
    auto const kernels = finding(document, "RT3802", second);
    EXPECT_EQ(kernels["verdict"], "unknown") << kernels;
    EXPECT_THAT(kernels["message"].get<std::string>(), HasSubstr("asked to end"));
    EXPECT_FALSE(std::filesystem::exists(fmt::format("/proc/{}", std::stoi(workers))));
}

TEST(LongLevel, copies_between_all_pairs) {
    // A copy between GPUs that fails is found, and only by the level that makes one.
    auto const evidence = [](char const* level) {
        auto const result =
            run(level_run({{"FAKE_FAULT", "error=1@hipMemcpyPeerAsync"}}, {}, level));
        auto const document = json::parse(result.out);
        return finding(document, "RT3802", first).dump() +
               finding(document, "RT3802", second).dump();
    };
    auto const medium = evidence("medium");
    EXPECT_THAT(medium, HasSubstr("wrong-result"));
    EXPECT_THAT(medium, Not(HasSubstr("peer")));
    auto const long_ = evidence("long");
    EXPECT_THAT(long_, HasSubstr("bandwidth peer-copy"));
    EXPECT_THAT(long_, HasSubstr("bandwidth peer-both-ways"));
}

class LongerLevels : public testing::TestWithParam<std::string> {};

TEST_P(LongerLevels, on_a_host_without_a_gpu_say_so) {
    auto launch = level_run({{"FAKE_GPUS", ""}}, {}, GetParam().c_str());
    auto result = run(launch);
    EXPECT_EQ(result.code, 4) << result.out << result.err;
    std::erase(launch.words, "--json");
    std::erase(launch.words, "--only");
    std::erase(launch.words, "liveness,measured");
    EXPECT_THAT(run(launch).out, HasSubstr("No AMD GPU to check"));
}

INSTANTIATE_TEST_SUITE_P(All, LongerLevels, testing::Values("medium", "long"),
                         [](auto const& row) { return row.param; });

// ---- no false alarm -----------------------------------------------------------------------------

/// Real results: those of the processor, whose benchmarks check themselves as on a GPU.
std::vector<Measurement> of_the_processor() {
    auto const result = run(rocmtune_with({"bench", "bandwidth", "--backend", "cpu", "--size",
                                           "1048576", "--quick", "--time", "0.01", "--json"}));
    std::vector<Measurement> all;
    auto const document = json::parse(result.out);
    for (auto const& one : document.at("measurements")) {
        auto& made = all.emplace_back();
        made.benchmark = one.at("benchmark");
        made.metric = one.at("metric");
        made.unit = one.at("unit");
        made.status = one.at("status");
        made.verified = one.at("verified");
        if (one.at("value").is_number()) made.value = one.at("value").get<double>();
    }
    return all;
}

TEST(LongerLevelsOfHealthyHosts, raise_no_false_alarm) {
    auto const measured = of_the_processor();
    ASSERT_GE(measured.size(), 5U);
    for (auto const* const name : {"mi300x-x8", "rx7900xt-x2", "strix-halo", "mi300x-cpx"}) {
        auto const host = FaultyHost(name).probed();
        CheckSelection selection;
        selection.level = CheckLevel::long_;
        selection.only = {"measured"};
        for (auto const& gpu : host.gpus)
            for (auto one : measured) {
                one.gpu = gpu.row.value();
                selection.measurements.push_back(std::move(one));
            }
        std::size_t passed = 0;
        for (auto const& one : run_checks(host, embedded_chips(), selection)) {
            EXPECT_THAT(one.verdict, AnyOf(Verdict::pass, Verdict::skip)) << name << one.message;
            if (one.id == "RT3802" && one.verdict == Verdict::pass) ++passed;
        }
        EXPECT_EQ(passed, host.gpus.size()) << name;
    }
}

}  // namespace
}  // namespace rocmtune::test
