// SPDX-License-Identifier: MIT
// Workers that misbehave in every way we know: each way becomes exactly one status, in time.
#include "support/workers.hpp"

#include <string>
#include <thread>

#include <sys/wait.h>

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// ---- good ends ---------------------------------------------------------------------------------

TEST_F(Workers, a_clean_answer_is_handed_on_line_by_line) {
    auto const outcome = run("clean", {"one", "two"});
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_EQ(outcome.name, "clean");
    EXPECT_EQ(outcome.detail, "");
    EXPECT_EQ(outcome.evidence, "");
    EXPECT_THAT(outcome.answer, ElementsAre(R"({"device":{"name":"a"}})", R"({"argument":"one"})",
                                            R"({"argument":"two"})"));
}

TEST_F(Workers, a_missing_library_is_absent_and_says_why) {
    auto const outcome = run("absent");
    EXPECT_EQ(status(outcome), "absent");
    EXPECT_THAT(outcome.detail, StartsWith("no \"libamdhip64.so\" "));
}

TEST_F(Workers, an_exception_in_a_worker_is_an_error_with_its_text) {
    auto const outcome = run("throws");
    EXPECT_EQ(status(outcome), "error");
    EXPECT_EQ(outcome.detail, "the library said 999");
}

TEST_F(Workers, without_pidfd_they_run_as_well) {
    auto without = machinery();
    without.use_pidfd = false;
    EXPECT_EQ(status(run(request("clean"), without)), "ok");
    EXPECT_EQ(status(run(request("dies", {"11"}), without)), "signal");
    EXPECT_EQ(status(run(request("hangs", {}, 100ms), without)), "timeout");
}

TEST_F(Workers, a_caller_that_ignores_sigchld_still_learns_how_they_ended) {
    auto const before = std::signal(SIGCHLD, SIG_IGN);
    EXPECT_EQ(status(run("dies", {"11"})), "signal");
    EXPECT_EQ(std::signal(SIGCHLD, before), SIG_IGN);
}

// ---- bad ends ----------------------------------------------------------------------------------

TEST_F(Workers, an_exit_without_a_complete_answer_is_an_error_whatever_its_code) {
    for (char const* code : {"0", "3"}) {
        auto const outcome = run("exits", {code});
        EXPECT_EQ(status(outcome), "error");
        EXPECT_EQ(outcome.detail,
                  std::string("its answer has no end: ended with exit code ") + code);
        EXPECT_THAT(outcome.answer, ElementsAre(R"({"device":{}})"));
    }
}

TEST_F(Workers, a_crash_is_a_signal_with_its_number_and_last_words) {
    for (int const signal : {SIGSEGV, SIGABRT, SIGBUS, SIGKILL, SIGTERM}) {
        auto const outcome = run("dies", {std::to_string(signal)});
        EXPECT_EQ(status(outcome), "signal");
        EXPECT_EQ(outcome.signal, signal);
        EXPECT_EQ(outcome.evidence, "about to die\n");
    }
    EXPECT_THAT(run("dies", {"11"}).detail, StartsWith("SIGSEGV"));
    EXPECT_THAT(run("dies", {"9"}).detail, HasSubstr("from outside"));
}

TEST_F(Workers, killed_from_outside_is_a_signal) {
    std::thread killer([&] { kill_noted(pid_file()); });
    auto const outcome = run("hangs", {pid_file()});
    killer.join();
    EXPECT_EQ(status(outcome), "signal");
    EXPECT_EQ(outcome.signal, SIGKILL);
}

TEST_F(Workers, a_hang_is_a_timeout) {
    auto const outcome = run("hangs", {}, 150ms);
    EXPECT_EQ(status(outcome), "timeout");
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_THAT(outcome.detail, StartsWith("no complete answer within 0.15 s (state "));
    EXPECT_GE(outcome.took, 150ms);
    EXPECT_LT(outcome.took, 150ms + slack);
}

TEST_F(Workers, a_hang_that_ignores_sigterm_is_killed_after_the_grace) {
    // Long enough for it to ignore SIGTERM by then, on a busy machine too.
    auto const outcome = run("ignores_sigterm", {pid_file()}, 1s);
    EXPECT_EQ(status(outcome), "timeout");
    EXPECT_GE(outcome.took, 1200ms);
    EXPECT_LT(outcome.took, 1200ms + slack);
    EXPECT_TRUE(is_gone(noted_pid(pid_file())));
}

TEST_F(Workers, a_stopped_worker_is_a_timeout) {
    EXPECT_EQ(status(run("stops_itself", {}, 200ms)), "timeout");
}

int send_nothing(pid_t, int) {
    return 0;
}

/// The signals are not sent, so the worker goes on, as one does that the kernel does not let go of.
TEST_F(Workers, one_that_no_signal_reaches_is_unkillable_and_reaped_when_it_ends_after_all) {
    auto deaf = machinery();
    deaf.send_signal = send_nothing;
    auto const outcome = run(request("hangs", {pid_file()}, 1s), deaf);
    EXPECT_EQ(status(outcome), "unkillable");
    EXPECT_THAT(outcome.detail,
                AllOf(StartsWith("no complete answer within 1 s, and SIGKILL did not end it"),
                      HasSubstr("(state S")));
    EXPECT_GE(outcome.took, 1400ms);
    EXPECT_LT(outcome.took, 1400ms + slack);

    auto const pid = noted_pid(pid_file());
    ASSERT_GT(pid, 0);
    ASSERT_FALSE(is_gone(pid));
    ::kill(pid, SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(status(run("clean")), "ok");  // reaps what was left behind: see TearDown
}

TEST_F(Workers, an_answer_counts_even_if_its_worker_is_unkillable_then) {
    auto deaf = machinery();
    deaf.send_signal = send_nothing;
    auto const outcome = run(request("hangs_after_done", {pid_file()}), deaf);
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_THAT(outcome.detail, StartsWith("afterwards SIGKILL did not end it"));
    ::waitpid(kill_noted(pid_file()), nullptr, 0);
}

TEST_F(Workers, death_after_done_is_noted_and_the_answer_counts) {
    for (int const signal : {SIGSEGV, SIGABRT}) {
        auto const outcome = run("dies_after_done", {std::to_string(signal)});
        EXPECT_EQ(status(outcome), "ok");
        EXPECT_EQ(outcome.signal, 0);
        EXPECT_THAT(outcome.detail, StartsWith("after its answer: ended by SIG"));
        EXPECT_THAT(outcome.answer, ElementsAre(R"({"device":{"name":"a"}})"));
    }
    EXPECT_EQ(run("fails_and_exits").detail,
              "hipInit: 999; after its answer: ended with exit code 7");
}

TEST_F(Workers, a_hang_after_done_costs_the_grace_and_the_answer_counts) {
    auto const outcome = run("hangs_after_done");
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_THAT(outcome.detail, StartsWith("it did not end after its answer"));
    EXPECT_LT(outcome.took, slack);
}

TEST_F(Workers, that_talk_for_ever_end_with_their_lifetime) {
    auto one = request("chatters", {}, 5s);
    std::size_t lines = 0;
    one.heard = [&](std::string_view) { ++lines; };
    one.lifetime = 400ms;
    auto const outcome = run(one);
    EXPECT_EQ(status(outcome), "timeout");
    EXPECT_GT(lines, 1U);
    EXPECT_LT(outcome.took, 4s) << "each line put the end off";
    EXPECT_THAT(outcome.detail, HasSubstr("0.4 s in all"));
}

}  // namespace
}  // namespace rocmtune::test
