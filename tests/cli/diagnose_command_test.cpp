// SPDX-License-Identifier: MIT
// rocmtune diagnose -- COMMAND: the command runs as it would alone, and its failure is explained.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

Launch watching(std::string const& line, std::vector<std::string> const& options = {}) {
    auto launch = rocmtune_with({"diagnose", "--replay", host_file("rx7900xt")});
    launch.words.insert(launch.words.end(), options.begin(), options.end());
    launch.words.insert(launch.words.end(), {"--", "sh", "-c", line});
    return launch;
}

constexpr auto ring_timeout =
    "echo '[  123.4] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted "
    "seq=3' >&2; ";

constexpr auto no_start =
    "echo '[  123.4] amdgpu 0000:03:00.0: amdgpu: Fatal error during GPU init' >&2; ";

TEST(DiagnoseCommand, explains_a_failure_and_keeps_output_and_exit_code) {
    auto const result = run(watching(std::string("echo begun; ") + ring_timeout + "exit 7"));
    EXPECT_EQ(result.code, 7);
    EXPECT_EQ(result.out, "begun\n");
    EXPECT_THAT(result.err, HasSubstr("the command failed with 7"));
    EXPECT_THAT(result.err, HasSubstr("RT3601"));
}

TEST(DiagnoseCommand, says_nothing_of_a_success) {
    auto const result = run(watching("echo fine; echo words >&2"));
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "fine\n");
    EXPECT_EQ(result.err, "words\n");
}

TEST(DiagnoseCommand, tells_of_a_success_without_the_gpu) {
    auto const result =
        run(watching("echo 'level=INFO msg=\"no compatible GPUs were discovered\"'"));
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.err, HasSubstr("did not use the GPU"));
    EXPECT_THAT(result.err, HasSubstr("RT8611"));
}

TEST(DiagnoseCommand, names_the_signal_that_ended_it) {
    auto const result = run(watching("kill -SEGV $$"));
    EXPECT_EQ(result.code, 128 + SIGSEGV);
    EXPECT_THAT(result.err, HasSubstr("ended by SIGSEGV"));
}

TEST(DiagnoseCommand, has_the_codes_of_env_for_what_cannot_be_run) {
    auto launch = rocmtune_with({"diagnose", "--", "/no/such/program"});
    EXPECT_EQ(run(launch).code, 127);
    launch.words.back() = "/etc";
    auto const refused = run(launch);
    EXPECT_EQ(refused.code, 126);
    EXPECT_THAT(refused.err, HasSubstr("cannot run '/etc'"));
}

TEST(DiagnoseCommand, gives_a_terminal_to_a_command_that_would_have_one) {
    auto launch = watching("test -t 1 && stty size <&1 && printf '\\033[31mred\\033[0m\\n'");
    launch.columns = 97;
    auto const result = run(launch);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(" 97"));
    // The terminal of the test changes no byte, and neither does ours.
    EXPECT_THAT(result.out, HasSubstr("\033[31mred\033[0m\n"));
    EXPECT_THAT(result.out, Not(HasSubstr("\r")));
}

TEST(DiagnoseCommand, writes_the_document_to_a_file_only) {
    Directory directory;
    auto const file = directory / "diagnosis.json";
    auto const result = run(watching(std::string(no_start) + "exit 1", {"--json", "-o", file}));
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    auto const document = nlohmann::json::parse(content_of(file));
    EXPECT_EQ(document.at("diagnosis").at("causes").at(0).at("id"), "RT3604");
}

TEST(DiagnoseCommand, that_hangs_is_told_of_while_it_goes_on) {
    auto const result =
        run(watching(std::string(ring_timeout) + "sleep 1.5; echo done", {"--hang", "0.3"}));
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "done\n");
    EXPECT_THAT(result.err, HasSubstr("printed nothing for 0.3 s"));
    EXPECT_THAT(result.err, HasSubstr("RT3601"));
}

TEST(DiagnoseCommand, stands_alone) {
    auto launch = watching("true");
    launch.words.insert(launch.words.begin() + 2, "some text");
    EXPECT_EQ(run(launch).code, 2);
    auto const lonely = run(rocmtune_with({"diagnose", "--hang", "5", "text of an error"}));
    EXPECT_EQ(lonely.code, 2);
    EXPECT_THAT(lonely.err, HasSubstr("--hang is for a command"));
}

TEST(DiagnoseCommand, repeats_no_secret_of_the_output) {
    auto const result =
        run(watching("echo 'HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345 failed: "
                     "RuntimeError: HIP error: invalid device function' >&2; exit 1"));
    auto const ours = result.err.substr(result.err.find("rocmtune: the command"));
    EXPECT_THAT(ours, Not(HasSubstr("hf_AbCdEf")));
}

}  // namespace
}  // namespace rocmtune::test
