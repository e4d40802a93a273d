// SPDX-License-Identifier: MIT
// The real program with little room for its stack, as batch systems and shells limit it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(ROCMTUNE_SLOWED_BY_TSAN)
constexpr bool takes_more = true;  // sanitizers put red zones around what lies on the stack
#else
constexpr bool takes_more = false;
#endif

Launch on_a_host_with_a_gpu(std::vector<std::string> const& words) {
    auto launch = rocmtune_with(words);
    launch.environment["ROCM_PATH"] = ROCMTUNE_FAKES_DIR "/rocm-7";
    launch.environment["FAKE_GPUS"] = "0000:03:00.0 gfx1100 42 21458059264 0 Radeon";
    return launch;
}

Outcome with_stack(std::string const& kib, std::vector<std::string> const& words) {
    auto launch = on_a_host_with_a_gpu(words);
    launch.words.insert(launch.words.begin(),
                        {"/bin/sh", "-c", "ulimit -s " + kib + " && exec \"$0\" \"$@\""});
    return run(launch);
}

class SmallStack : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(SmallStack, of_256_kib_is_enough) {
    if (takes_more) GTEST_SKIP() << "sanitizers take more";
    auto const outcome = with_stack("256", GetParam());
    EXPECT_EQ(outcome.signal, 0) << outcome.err;
    EXPECT_EQ(outcome.code, run(on_a_host_with_a_gpu(GetParam())).code) << outcome.err;
    EXPECT_THAT(outcome.err, testing::Not(HasSubstr("stack")));
}

TEST_P(SmallStack, of_64_kib_is_refused_with_a_sentence) {
    if (takes_more) GTEST_SKIP() << "sanitizers take more";
    auto const outcome = with_stack("64", GetParam());
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err,
                HasSubstr("a stack of 256 KiB is needed, and the limit here is 64 KiB"));
    EXPECT_THAT(outcome.err, HasSubstr("ulimit -s 8192"));
}

std::vector<std::string> const commands[] = {
    {"probe"},
    {"probe", "-v"},
    {"check", "--skip", "liveness"},
    {"report"},
    {"bench", "vpoc", "--backend", "cpu", "--quick"},
    {"env"},
    {"lint", "/etc/profile"},
    {"explain", "HIP_VISIBLE_DEVICES"},
    {"check", "--replay", "example:mi300x-x8", "-v"},
};

INSTANTIATE_TEST_SUITE_P(Commands, SmallStack, testing::ValuesIn(commands), [](auto const& test) {
    std::string name = std::to_string(test.index);
    for (auto const& word : test.param)
        if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == word.npos) name += '_' + word;
    return name;
});

TEST(TooSmallStack, gives_a_document_to_who_reads_one_and_runs_code_125) {
    if (takes_more) GTEST_SKIP() << "sanitizers take more";
    auto const outcome = with_stack("64", {"probe", "--json"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(json::parse(outcome.out).at("exit_code"), 3);
    EXPECT_EQ(with_stack("64", {"run", "--", "true"}).code, 125);
    EXPECT_EQ(with_stack("64", {"--version"}).code, 0);
}

}  // namespace
}  // namespace rocmtune::test
