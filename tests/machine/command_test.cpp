// SPDX-License-Identifier: MIT
#include "machine/command.hpp"

#include <csignal>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/processes.hpp"
#include "support/workers.hpp"

namespace rocmtune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

std::vector<std::string> shell(std::string line) {
    return {"/bin/sh", "-c", std::move(line)};
}

CommandOutcome run(std::string line, std::vector<EnvironmentChange> changes = {}) {
    return run_command({.words = shell(std::move(line)), .changes = std::move(changes)});
}

TEST(Command, gives_output_and_code) {
    auto const outcome = run("echo one; echo two >&2; exit 3");
    EXPECT_EQ(outcome.end, CommandEnd::exited);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.output, "one\n");
    EXPECT_EQ(outcome.complaint, "two");
    EXPECT_GT(outcome.seconds, 0);
}

TEST(Command, gets_the_changed_environment_and_no_input) {
    ::setenv("ROCMTUNE_TEST_GONE", "x", 1);
    auto const outcome = run("echo \"$ROCMTUNE_TEST_NEW,${ROCMTUNE_TEST_GONE-unset}\"; cat",
                             {{"ROCMTUNE_TEST_NEW", "a b"}, {"ROCMTUNE_TEST_GONE", {}}});
    EXPECT_EQ(outcome.output, "a b,unset\n");
}

TEST(Command, is_words_that_no_shell_sees) {
    auto const outcome = run_command({.words = {"printf", "%s,", "$HOME;", "`id` *", ""}});
    EXPECT_EQ(outcome.end, CommandEnd::exited);
    EXPECT_EQ(outcome.output, "$HOME;,`id` *,,");
}

TEST(Command, that_is_no_program_is_not_given_to_a_shell) {
    test::Tree tree;
    tree.file("/script", "echo a shell reads this\n");
    std::filesystem::permissions(tree.path() + "/script", std::filesystem::perms::owner_all);
    for (auto const& name :
         {tree.path() + "/script", tree.path() + "/none", std::string("no-such")}) {
        CommandRequest const request{.words = {name}};
        auto const outcome = run_command(request);
        EXPECT_EQ(outcome.end, CommandEnd::not_started);
        EXPECT_EQ(outcome.output, "");
        EXPECT_THAT(end_text(outcome, request), HasSubstr("it could not be started: "));
    }
}

/// PATH for as long as it lives; null: none.
class Path {
  public:
    explicit Path(char const* value) : before_(::getenv("PATH")) {
        if (value == nullptr) ::unsetenv("PATH");
        else ::setenv("PATH", value, 1);
    }
    Path(Path const&) = delete;
    Path& operator=(Path const&) = delete;
    ~Path() { ::setenv("PATH", before_.c_str(), 1); }

  private:
    std::string before_;
};

TEST(Command, is_looked_for_behind_places_that_cannot_be_looked_at) {
    test::Tree tree;
    tree.link("/bin/measure", "/bin/echo").link("/loop", "loop");
    auto const path = tree.path() + "/loop:" + std::string(300, 'x') + ":" + tree.path() + "/bin";
    Path const only(path.c_str());
    EXPECT_EQ(run_command({.words = {"measure", "1"}}).output, "1\n");
}

TEST(Command, without_a_path_is_no_file_of_the_working_directory) {
    test::Tree tree;
    tree.link("/here-only", "/bin/echo");
    auto const before = std::filesystem::current_path();
    std::filesystem::current_path(tree.path());
    Path const none(nullptr);
    EXPECT_EQ(run_command({.words = {"echo", "found"}}).output, "found\n");
    EXPECT_THAT(run_command({.words = {"here-only", "x"}}).complaint, HasSubstr("ENOENT"));
    EXPECT_THAT(run_command({.words = {""}}).complaint, HasSubstr("ENOENT"));
    std::filesystem::current_path(before);
}

TEST(Command, gets_no_files_of_ours_and_signals_as_they_are_by_default) {
    auto* const before = ::signal(SIGHUP, SIG_IGN);
    auto const outcome = run("ls /proc/self/fd | wc -l; grep SigIgn /proc/$$/status");
    ::signal(SIGHUP, before);
    // The directory that ls reads is the fourth.
    EXPECT_EQ(outcome.output, "4\nSigIgn:\t0000000000000000\n");
}

TEST(Command, dies_with_us) {
    test::Tree tree;
    auto const note = tree.path() + "/pid";
    auto const parent = ::fork();
    if (parent == 0) {
        (void)run("echo $$ > " + note + "; exec sleep 1000");
        ::_exit(0);
    }
    EXPECT_TRUE(test::comes_true_within(10s, [&] { return test::noted_pid(note) > 0; }));
    auto const command = test::noted_pid(note);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    EXPECT_TRUE(test::comes_true_within(10s, [&] { return test::is_gone(command); }));
}

TEST(Command, that_is_killed_says_by_what) {
    CommandRequest const request{.words = shell("kill -SEGV $$")};
    auto const outcome = run_command(request);
    EXPECT_EQ(outcome.end, CommandEnd::signalled);
    EXPECT_EQ(end_text(outcome, request), "killed by SIGSEGV");
}

TEST(Command, has_an_exit_code_where_dead_children_are_ignored) {
    auto* const before = ::signal(SIGCHLD, SIG_IGN);
    auto const outcome = run("exit 7");
    EXPECT_EQ(::signal(SIGCHLD, before), SIG_IGN);
    EXPECT_EQ(outcome.end, CommandEnd::exited);
    EXPECT_EQ(outcome.code, 7);
}

TEST(Command, that_hangs_is_ended_with_all_that_it_started) {
    CommandRequest const request{
        .words = shell("trap '' TERM; sleep 1000 & sleep 1000; sleep 1000"),
        .deadline = 50ms,
        .grace = 50ms};
    auto const outcome = run_command(request);
    EXPECT_EQ(outcome.end, CommandEnd::timeout);
    EXPECT_LT(outcome.seconds, 10);
    EXPECT_THAT(end_text(outcome, request), HasSubstr("did not end within 0.05 s"));
}

TEST(Command, does_not_wait_for_those_who_keep_its_output_open) {
    auto const outcome = run("sleep 1000 & echo done");
    EXPECT_EQ(outcome.end, CommandEnd::exited);
    EXPECT_EQ(outcome.output, "done\n");
    EXPECT_LT(outcome.seconds, 10);
}

TEST(Command, of_much_output_the_end_is_kept) {
    auto const outcome =
        run_command({.words = shell("head -c 300000 /dev/zero | tr '\\0' x; echo end"),
                     .most_output_bytes = 1000});
    EXPECT_TRUE(outcome.cut);
    EXPECT_EQ(outcome.output.size(), 1000U);
    EXPECT_TRUE(outcome.output.ends_with("xend\n"));
}

TEST(Command, that_is_watched_shows_the_files_of_its_whole_tree) {
    auto const outcome = run_command({.words = shell("(sleep 0.3; true) ; true"), .watch = true});
    EXPECT_THAT(outcome.mapped, Contains(HasSubstr("libc.so")));
    EXPECT_THAT(outcome.mapped, Contains(HasSubstr("/sleep")));
    EXPECT_TRUE(run("sleep 0.05").mapped.empty());
}

TEST(MappedFiles, are_what_stands_behind_the_inode) {
    EXPECT_THAT(files_of_maps("7f00-7f01 r-xp 00000000 08:01 123     /usr/lib/libc.so.6\n"
                              "7f02-7f03 rw-p 00000000 00:00 0       [heap]\n"
                              "7f04-7f05 r--p 00001000 08:01 123     /usr/lib/libc.so.6\n"
                              "7f06-7f07 r--p 00001000 08:01 124     /with blank/x.so (deleted)\n"
                              "garbage\n"),
                ElementsAre("/usr/lib/libc.so.6", "/with blank/x.so (deleted)"));
}

TEST(EnvironmentChange, replaces_clears_and_adds) {
    char const* const environment[] = {"A=1", "AB=2", "C=3", nullptr};
    std::vector<EnvironmentChange> const changes{{"A", "x"}, {"C", {}}, {"D", "4"}};
    EXPECT_THAT(changed_environment(environment, changes), ElementsAre("AB=2", "A=x", "D=4"));
    EXPECT_TRUE(changed_environment(nullptr, {}).empty());
}

}  // namespace
}  // namespace rocmtune
