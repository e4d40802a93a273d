// SPDX-License-Identifier: MIT
// What libraries leave behind: found, ended and named, and nothing else is touched.
#include "support/workers.hpp"

#include <fstream>

#include <sys/prctl.h>
#include <unistd.h>

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char const* named = "ended what it had left behind: rocmtune leaves";

TEST_F(Workers, a_daemon_of_a_library_is_ended_and_named) {
    auto const outcome = run("leaves_daemon", {pid_file()});
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_EQ(outcome.detail, named);
    EXPECT_GT(noted_pid(pid_file()), 0);
    EXPECT_TRUE(is_gone(noted_pid(pid_file())));
}

TEST_F(Workers, a_daemon_of_a_library_that_crashes_is_ended_and_named) {
    auto const outcome = run("leaves_daemon", {pid_file(), "dies"});
    EXPECT_EQ(status(outcome), "signal");
    EXPECT_THAT(outcome.detail, HasSubstr(std::string("; ") + named));
    EXPECT_TRUE(is_gone(noted_pid(pid_file())));
}

TEST_F(Workers, a_daemon_of_a_library_that_hangs_is_ended_and_named) {
    auto const outcome = run("leaves_daemon", {pid_file(), "hangs"}, 500ms);
    EXPECT_EQ(status(outcome), "timeout");
    EXPECT_THAT(outcome.detail, HasSubstr(named));
    EXPECT_TRUE(is_gone(noted_pid(pid_file())));
}

TEST_F(Workers, daemons_of_daemons_are_ended_too) {
    auto const second = tree_.path() + "/second";
    auto const outcome = run("leaves_two_daemons", {pid_file(), second});
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_THAT(outcome.detail, HasSubstr(named));
    for (auto const& file : {pid_file(), second}) {
        EXPECT_GT(noted_pid(file), 0);
        EXPECT_TRUE(is_gone(noted_pid(file))) << file;
    }
}

TEST_F(Workers, a_daemon_lives_as_long_as_its_worker) {
    auto const go = tree_.path() + "/go";
    auto first = request("clean");
    first.after = [&](WorkerOutcome const&) {
        comes_true_within(5s, [&] { return noted_pid(pid_file()) > 0; });
        std::ofstream(go) << '\n';
    };
    std::vector<WorkerRequest> const requests{request("leaves_daemon", {pid_file(), go}), first};
    auto const outcomes = run_workers(requests, machinery());
    EXPECT_THAT(outcomes[0].answer, ElementsAre(R"({"daemon":"lives"})"));
    EXPECT_THAT(outcomes[0].detail, HasSubstr("had left behind: rocmtune leaves"));
    // Where both end before anybody looks, nobody knows whose it was.
    EXPECT_THAT(outcomes[1].detail, testing::AnyOf("", outcomes[0].detail));
}

TEST_F(Workers, what_always_starts_itself_anew_is_not_chased_for_ever) {
    auto const outcome = run("leaves_a_chain");
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_THAT(outcome.detail, testing::AnyOf("", HasSubstr("had left behind: ")));
    EXPECT_TRUE(comes_true_within(20s, [] { return !has_children(); }));
}

TEST_F(Workers, processes_that_were_there_before_are_left_alone) {
    auto const before = ::fork();
    if (before == 0) {
        ::setsid();
        for (;;) ::pause();
    }
    EXPECT_EQ(run("leaves_daemon", {pid_file()}).detail, named);
    EXPECT_FALSE(is_gone(before));
    ::kill(before, SIGKILL);
    ::waitpid(before, nullptr, 0);
}

TEST_F(Workers, orphans_of_others_are_not_ours_when_no_worker_runs) {
    run("clean");
    int adopts = 1;
    ASSERT_EQ(::prctl(PR_GET_CHILD_SUBREAPER, &adopts), 0);
    EXPECT_EQ(adopts, 0);
}

}  // namespace
}  // namespace rocmtune::test
