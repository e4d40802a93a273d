// SPDX-License-Identifier: MIT
// rocmtune run: the command, its environment, its end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "support/env_shells.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

Launch launch_of(Words const& options, Words const& command) {
    Words words{"run", "--replay", host_file("mi300x-x8"), "--workload", "llm-training"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), command.begin(), command.end());
    return rocmtune_with(words);
}

Outcome run_with(Words const& options, Words const& command, Variables const& exported = {}) {
    auto launch = launch_of(options, command);
    for (auto const& [name, value] : exported) launch.environment[name] = value;
    return run(launch);
}

Variables environment_with(Words const& options, Variables const& exported) {
    return variables_in(run_with(options, {"env", "-0"}, exported).out);
}

TEST(Run, sets_what_env_would_and_keeps_what_is_set) {
    auto const seen = environment_with({}, {{"NCCL_MIN_NCHANNELS", ""}, {"OTHER", "a\nb"}});
    EXPECT_EQ(seen.at("HSA_NO_SCRATCH_RECLAIM"), "1");
    EXPECT_FALSE(seen.contains("NCCL_DEBUG")) << "the recorded host has it, this process has not";
    EXPECT_EQ(seen.at("NCCL_MIN_NCHANNELS"), "") << "an empty value is a value";
    EXPECT_EQ(seen.at("OTHER"), "a\nb");
}

TEST(Run, says_with_v_what_is_set_and_why_and_leaves_the_output_to_the_command) {
    auto const result = run_with({"-v"}, {"echo", "done"});
    EXPECT_EQ(result.out, "done\n");
    EXPECT_THAT(result.err, HasSubstr("rocmtune: HSA_NO_SCRATCH_RECLAIM=1: "));
    EXPECT_THAT(run_with({"-v"}, {"true"}, {{"HSA_NO_SCRATCH_RECLAIM", "0"}}).err,
                HasSubstr("rocmtune: HSA_NO_SCRATCH_RECLAIM: left as it is\n"));
}

TEST(Run, says_with_q_nothing_of_its_own_but_errors) {
    auto const warned = run_with({}, {"true"});
    ASSERT_THAT(warned.err, HasSubstr("made for another host"));
    EXPECT_EQ(run_with({"-q"}, {"true"}).err, "");
    EXPECT_THAT(run_with({"-q"}, {"/nowhere"}).err, HasSubstr("cannot run '/nowhere'"));
}

TEST(Run, with_diagnose_says_why_the_command_failed_under_its_settings) {
    Words const command{"sh", "-c",
                        "echo scratch=$HSA_NO_SCRATCH_RECLAIM; "
                        "echo 'RuntimeError: HIP error: invalid device function' >&2; exit 3"};
    auto const result = run_with({"--diagnose"}, command);
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.out, "scratch=1\n");
    EXPECT_THAT(result.err, HasSubstr("the command failed with 3"));
    EXPECT_THAT(result.err, HasSubstr("RT8202"));
    EXPECT_THAT(run_with({}, command).err, testing::Not(HasSubstr("RT8202")));
    EXPECT_EQ(run_with({"--hang", "5"}, {"true"}).code, 125) << "a wrong use of run itself";
}

TEST(Run, with_force_overwrites) {
    EXPECT_EQ(environment_with({"--force"}, {{"HSA_NO_SCRATCH_RECLAIM", "0"}})
                  .at("HSA_NO_SCRATCH_RECLAIM"),
              "1");
}

TEST(Run, sets_no_mask_beside_another_that_is_set_now) {
    auto const mask = "ROCR_VISIBLE_DEVICES";
    EXPECT_TRUE(environment_with({"--gpu", "2"}, {}).contains(mask));
    EXPECT_FALSE(
        environment_with({"--gpu", "2", "--force"}, {{"HIP_VISIBLE_DEVICES", "0"}}).contains(mask));
}

TEST(Run, with_unset_clears_what_is_set_now) {
    Words words{"run", "--replay", host_file("rx7900xt-x2"), "--unset", "--", "env", "-0"};
    auto launch = rocmtune_with(words);
    launch.environment["HSA_ENABLE_SDMA"] = "0";
    EXPECT_FALSE(variables_in(run(launch).out).contains("HSA_ENABLE_SDMA"));
}

TEST(Run, hands_on_arguments_and_exit_code) {
    auto const result = run_with({}, {"sh", "-c", "printf '%s|' \"$@\"; echo oops >&2; exit 42",
                                      "sh", "a b", "", "--json", "-h", "--", "*"});
    EXPECT_EQ(result.code, 42);
    EXPECT_EQ(result.out, "a b||--json|-h|--|*|");
    EXPECT_THAT(result.err, testing::EndsWith("\noops\n")) << "behind the warning below";
}

TEST(Run, warns_where_the_settings_are_those_of_another_host) {
    EXPECT_THAT(run_with({}, {"true"}).err, HasSubstr("made for another host"));
    Directory const directory;
    ASSERT_EQ(run({"probe", "--record", directory / "own.host"}).code, 0);
    auto const own = run({"run", "--replay", directory / "own.host", "--", "true"});
    EXPECT_EQ(own.code, 0);
    EXPECT_EQ(own.err, "");
}

TEST(Run, ends_by_the_signal_of_the_command) {
    auto const result = run_with({}, {"sh", "-c", "kill -TERM $$"});
    EXPECT_EQ(result.signal, SIGTERM);
}

TEST(Run, leaves_no_trace_in_signals_and_streams) {
    // A reader that goes away ends a command as it would without us.
    auto const result = run_with({}, {"sh", "-c", "trap - PIPE; sh -c 'kill -PIPE $$'; echo $?"});
    EXPECT_EQ(result.out, "141\n");
    auto launch = launch_of(
        {}, {"sh", "-c",
             "ls /proc/self/fd | tr '\\n' ' '; [ -e /proc/$$/fd/0 ] && echo open || echo closed"});
    launch.closed = {0};
    EXPECT_THAT(run(launch).out, HasSubstr("closed"));
}

TEST(Run, says_what_cannot_be_run_as_env_does) {
    Directory const directory;
    write_file(directory / "text", "#!/nowhere\n");
    auto const missing = run_with({}, {"rocmtune-no-such-command"});
    EXPECT_EQ(missing.code, 127);
    EXPECT_THAT(
        missing.err,
        HasSubstr("cannot run 'rocmtune-no-such-command': no such file or directory (ENOENT)"));
    auto const refused = run_with({}, {directory / "text"});
    EXPECT_EQ(refused.code, 126);
    EXPECT_EQ(run_with({}, {directory.path()}).code, 126);
}

TEST(Run, has_a_code_of_its_own_for_its_own_failures) {
    EXPECT_EQ(run({"run", "--replay", "/nowhere", "--", "true"}).code, 125);
    EXPECT_EQ(run({"run", "--levl", "x", "--", "true"}).code, 125);
    EXPECT_EQ(run_with({"--gpu", "99"}, {"true"}).code, 125);
    auto const none = run({"run"});
    EXPECT_EQ(none.code, 125);
    EXPECT_THAT(none.err, HasSubstr("run needs a COMMAND"));
    auto const early = run({"run", "true"});
    EXPECT_EQ(early.code, 125);
    EXPECT_THAT(early.err, HasSubstr("unexpected argument 'true' before --"));
    EXPECT_EQ(run({"run", "--help"}).code, 0);
}

TEST(Run, shows_in_a_dry_run_a_line_that_does_the_same) {
    Words const command{"printf", "%s\\n", "it's", "$HOME"};
    auto const line = run_with({"--dry-run"}, command);
    EXPECT_EQ(line.code, 0);
    EXPECT_THAT(line.out, HasSubstr("env HSA_NO_SCRATCH_RECLAIM=1 "));
    Launch shell;
    shell.words = {"/usr/bin/dash", "-c", line.out};
    EXPECT_EQ(run(shell).out, "it's\n$HOME\n");
    EXPECT_EQ(run(shell).out, run_with({}, command).out);
}

}  // namespace
}  // namespace rocmtune::test
