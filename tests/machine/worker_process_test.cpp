// SPDX-License-Identifier: MIT
// Workers as processes: what they inherit, what they leave behind, several at once, and our own
// end.
#include "support/workers.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/worker_process.hpp"

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;

// ---- processes ---------------------------------------------------------------------------------

TEST_F(Workers, a_grandchild_that_keeps_the_pipes_is_not_waited_for_but_ended) {
    auto const outcome = run("grandchild", {pid_file()});
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_EQ(outcome.detail, "");
    EXPECT_LT(outcome.took, slack);
    auto const pid = noted_pid(pid_file());  // 0: ended before it could tell
    EXPECT_TRUE(pid == 0 || comes_true_within(2s, [&] { return is_gone(pid); }));
}

TEST_F(Workers, a_grandchild_in_a_session_of_its_own_is_not_waited_for_but_ended) {
    auto const outcome = run("grandchild", {pid_file(), "own session"});
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_LT(outcome.took, slack);
    auto const pid = noted_pid(pid_file());  // 0: ended before it could tell
    EXPECT_TRUE(pid == 0 || is_gone(pid));
}

TEST_F(Workers, a_program_that_cannot_be_executed_is_an_error) {
    auto none = machinery();
    none.program = tree_.path() + "/none";
    auto const outcome = run(request("clean"), none);
    EXPECT_EQ(status(outcome), "error");
    EXPECT_THAT(outcome.detail, AllOf(StartsWith("it could not be started"), HasSubstr("ENOENT")));
    none.program = "/dev/null";
    EXPECT_THAT(run(request("clean"), none).detail, HasSubstr("EACCES"));
}

TEST_F(Workers, a_program_that_is_no_worker_is_an_error) {
    auto other = machinery();
    other.program = "/bin/true";
    EXPECT_EQ(run(request("clean"), other).detail, "it did not answer: ended with exit code 0");
}

TEST_F(Workers, without_file_descriptors_they_are_errors_and_nothing_is_thrown) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit none = before;
    none.rlim_cur = 4;
    ::setrlimit(RLIMIT_NOFILE, &none);
    auto const outcome = run("clean");
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(status(outcome), "error");
    EXPECT_THAT(outcome.detail, HasSubstr("EMFILE"));
}

TEST_F(Workers, they_get_a_clean_place_to_run_in) {
    int const leak = ::open("/dev/null", O_RDONLY);  // as a shell without O_CLOEXEC would
    sigset_t term;
    ::sigemptyset(&term);
    ::sigaddset(&term, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &term, nullptr);
    auto const outcome = run("looks_around");
    ::pthread_sigmask(SIG_UNBLOCK, &term, nullptr);
    ::close(leak);
    EXPECT_THAT(outcome.answer,
                IsSupersetOf({R"({"fd":0})", R"({"fd":1})", R"({"fd":2})", R"({"fd":3})",
                              R"({"stdin is null":true})", R"({"own group":true})",
                              R"({"dies with parent":true})", R"({"SIGTERM blocked":false})"}));
    EXPECT_EQ(outcome.answer.size(), 10U) << "another file is open";
}

TEST_F(Workers, the_environment_is_handed_on_but_for_loader_variables_of_privileged_programs) {
    ::setenv("LD_LIBRARY_PATH", "/none", 1);
    ::setenv("ROCMTUNE_TEST_MARK", "1", 1);
    auto const plain = run("looks_around");
    auto secure_machinery = machinery();
    secure_machinery.drop_loader_variables = true;
    auto const secure = run(request("looks_around"), secure_machinery);
    ::unsetenv("LD_LIBRARY_PATH");
    ::unsetenv("ROCMTUNE_TEST_MARK");
    EXPECT_FALSE(machinery().drop_loader_variables);
    EXPECT_THAT(plain.answer,
                IsSupersetOf({R"({"LD_LIBRARY_PATH":true})", R"({"ROCMTUNE_TEST_MARK":true})"}));
    EXPECT_THAT(secure.answer,
                IsSupersetOf({R"({"LD_LIBRARY_PATH":false})", R"({"ROCMTUNE_TEST_MARK":true})"}));
}

TEST(WorkerEnvironment, names_are_compared_as_a_whole) {
    char preload[] = "LD_PRELOAD=x";
    char audit[] = "LD_AUDIT=";
    char longer[] = "LD_PRELOADED=x";
    char bare[] = "LD_LIBRARY_PATH";
    char* environment[] = {preload, audit, longer, bare, nullptr};
    EXPECT_THAT(worker_environment(environment, true), ElementsAre(longer, nullptr));
    EXPECT_THAT(worker_environment(environment, false),
                ElementsAre(preload, audit, longer, bare, nullptr));
    EXPECT_THAT(worker_environment(nullptr, true), ElementsAre(nullptr));
}

TEST_F(Workers, a_hundred_runs_leave_no_file_open) {
    auto const open_files = [] {
        auto const files = std::filesystem::directory_iterator("/proc/self/fd");
        return std::distance(begin(files), end(files));
    };
    auto const before = open_files();
    std::vector<WorkerRequest> const some{request("clean"), request("exits", {"1"})};
    for (int i = 0; i < 100; ++i) run_workers(some, machinery());
    EXPECT_EQ(open_files(), before);
    start_ = std::chrono::steady_clock::now();  // two hundred programs may take long
}

// ---- several -----------------------------------------------------------------------------------

TEST_F(Workers, none_is_a_run_too) {
    EXPECT_TRUE(run_workers({}, machinery()).empty());
}

TEST_F(Workers, twenty_run_side_by_side_and_keep_their_order) {
    std::vector<WorkerRequest> requests;
    for (int i = 0; i < 20; ++i)
        requests.push_back(i % 2 == 0 ? request("clean", {std::to_string(i)})
                                      : request("hangs", {}, 400ms));
    auto const outcomes = run_workers(requests, machinery());
    EXPECT_LT(std::chrono::steady_clock::now() - start_, 400ms + slack);
    ASSERT_EQ(outcomes.size(), 20U);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(status(outcomes[i]), i % 2 == 0 ? "ok" : "timeout");
        if (i % 2 != 0) continue;
        EXPECT_EQ(outcomes[i].answer.back(), R"({"argument":")" + std::to_string(i) + "\"}");
    }
}

TEST_F(Workers, the_deadline_of_one_does_not_delay_the_others) {
    std::vector<WorkerRequest> const requests{request("hangs", {}, 2s), request("clean"),
                                              request("dies", {"6"})};
    auto const outcomes = run_workers(requests, machinery());
    EXPECT_EQ(status(outcomes[0]), "timeout");
    EXPECT_EQ(status(outcomes[1]), "ok");
    EXPECT_EQ(status(outcomes[2]), "signal");
    EXPECT_LT(outcomes[1].took, 1500ms);
    EXPECT_LT(outcomes[2].took, 1500ms);
}

TEST_F(Workers, those_marked_alone_run_one_after_another_beside_the_rest) {
    auto one = request("hangs", {}, 400ms);
    one.alone = true;
    std::vector<WorkerRequest> const requests{one, request("hangs", {}, 700ms), one, one};
    auto const outcomes = run_workers(requests, machinery());
    auto const took = std::chrono::steady_clock::now() - start_;
    for (auto const& outcome : outcomes) {
        EXPECT_EQ(status(outcome), "timeout");
        EXPECT_GE(outcome.took, 400ms);
    }
    EXPECT_GE(took, 1200ms);
    EXPECT_LT(took, 1200ms + slack);
}

TEST_F(Workers, an_alone_one_that_cannot_start_does_not_hold_up_the_next) {
    auto none = machinery();
    none.program = "/none";
    auto one = request("clean");
    one.alone = true;
    std::vector<WorkerRequest> const requests{one, one, one};
    for (auto const& outcome : run_workers(requests, none)) EXPECT_EQ(status(outcome), "error");
}

// ---- the end of this program -------------------------------------------------------------------

/// Runs a hanging worker in a process of its own, does `harm` to that process, returns its wait
/// status.
int harm_to_the_parent(std::string const& pid_file, int signal) {
    auto const parent = ::fork();
    if (parent == 0) {
        auto requests = std::vector{request("ignores_sigterm", {pid_file}), request("clean")};
        requests[0].alone = requests[1].alone = true;
        run_workers(requests, machinery());
        ::_exit(0);
    }
    EXPECT_TRUE(comes_true_within(5s, [&] { return noted_pid(pid_file) > 0; }));
    ::kill(parent, signal);
    int status = 0;
    ::waitpid(parent, &status, 0);
    return status;
}

TEST_F(Workers, they_are_ended_before_a_signal_ends_us) {
    auto const wait_status = harm_to_the_parent(pid_file(), SIGINT);
    EXPECT_TRUE(WIFSIGNALED(wait_status));
    EXPECT_EQ(WTERMSIG(wait_status), SIGINT);
    EXPECT_TRUE(is_gone(noted_pid(pid_file())));
}

TEST_F(Workers, they_die_with_us_if_we_are_killed) {
    auto const wait_status = harm_to_the_parent(pid_file(), SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(wait_status));
    EXPECT_TRUE(comes_true_within(2s, [&] { return is_gone(noted_pid(pid_file())); }));
}

TEST_F(Workers, a_signal_that_we_handle_ends_them_as_errors) {
    static volatile std::sig_atomic_t handled = 0;
    auto const before = std::signal(SIGTERM, [](int) { handled = 1; });
    auto const self = ::getpid();
    auto const killer = ::fork();
    if (killer == 0) {
        comes_true_within(5s, [&] { return noted_pid(pid_file()) > 0; });
        ::kill(self, SIGTERM);
        ::_exit(0);
    }
    auto later = request("clean");
    auto first = request("hangs", {pid_file()});
    later.alone = first.alone = true;
    std::vector<WorkerRequest> const requests{first, later};
    auto const outcomes = run_workers(requests, machinery());
    std::signal(SIGTERM, before);
    ::waitpid(killer, nullptr, 0);
    EXPECT_EQ(handled, 1);
    EXPECT_EQ(status(outcomes[0]), "error");
    EXPECT_EQ(outcomes[0].detail, "it was ended because this program got SIGTERM");
    EXPECT_EQ(outcomes[1].detail, "it was not started because this program got SIGTERM");
}

// ---- turns --------------------------------------------------------------------------------------

TEST_F(Workers, beyond_the_most_at_once_wait_for_their_turn) {
    auto two = machinery();
    two.most_at_once = 2;
    std::vector<WorkerRequest> requests;
    int running = 0;
    int most = 0;
    for (int i = 0; i < 6; ++i) {
        // The first one hangs: the others pass it by.
        auto one = i == 0 ? request("hangs", {}, 1s) : request("clean");
        one.before = [&](milliseconds&) { return most = std::max(most, ++running), std::string(); };
        one.after = [&](WorkerOutcome const&) { --running; };
        requests.push_back(one);
    }
    auto const outcomes = run_workers(requests, two);
    EXPECT_EQ(most, 2);
    EXPECT_EQ(running, 0);
    EXPECT_EQ(status(outcomes[0]), "timeout");
    for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(status(outcomes[i]), "ok") << i;
}

TEST_F(Workers, whose_turn_has_come_may_be_refused_or_get_less_time) {
    auto first = request("hangs", {}, 10s);
    first.before = [](milliseconds& deadline) { return deadline = 100ms, std::string(); };
    auto second = request("clean");
    second.before = [](milliseconds&) { return std::string("there was no time"); };
    int ended = 0;
    second.after = [&](WorkerOutcome const&) { ++ended; };
    std::vector<WorkerRequest> const requests{first, second};
    auto const outcomes = run_workers(requests, machinery());
    EXPECT_EQ(status(outcomes[0]), "timeout");
    EXPECT_THAT(outcomes[0].detail, testing::StartsWith("no complete answer within 0.1 s"));
    EXPECT_EQ(status(outcomes[1]), "error");
    EXPECT_EQ(outcomes[1].detail, "it was not started because there was no time");
    EXPECT_EQ(ended, 0) << "what has not begun has no end";
}

// ---- the real program --------------------------------------------------------------------------

TEST_F(Workers, a_worker_that_the_real_program_does_not_know_is_an_error) {
    auto real = machinery();
    real.program = ROCMTUNE_BINARY;
    auto const outcome = run(request("none"), real);
    EXPECT_EQ(status(outcome), "error");
    EXPECT_EQ(outcome.detail, "it did not answer: ended with exit code 2");
}

}  // namespace
}  // namespace rocmtune::test
