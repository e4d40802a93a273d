// SPDX-License-Identifier: MIT
// Workers that are started ahead: they load their libraries while the host is read, and call them
// when that disturbs nothing any more.
#include <gtest/gtest.h>

#include <csignal>

#include <unistd.h>

#include "machine/guard.hpp"
#include "machine/replies.hpp"
#include "support/workers.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

/// Reads `paths`, passes its mark before the path "/mark", and takes its time for "/slow".
class Reading : public HostSource {
  public:
    Reply ask(Query const& query) override {
        if (query.path == "/slow") std::this_thread::sleep_for(300ms);
        if (query.path == "/endless")
            for (;;) ::pause();
        return success("content of " + std::string(query.path));
    }
    std::optional<std::string> environment() override { return std::nullopt; }
    std::string label() const override { return "reading"; }
};

std::unique_ptr<GuardedSource> reading(Strings const& paths, milliseconds total = 20s) {
    auto const walk = [paths](HostSource& source, std::function<void()> const& pass_mark) {
        for (auto const& path : paths)
            if (path == "/mark") pass_mark();
            else source.ask({Operation::read, path});
    };
    return std::make_unique<GuardedSource>(std::make_unique<Reading>(), walk,
                                           GuardLimits{total, total});
}

bool has_read(GuardedSource& source, std::string_view path) {
    return source.ask({Operation::read, path}).ok;
}

class HeldWorkers : public Workers {
  protected:
    std::string loaded() const { return tree_.path() + "/loaded"; }
    std::string called() const { return tree_.path() + "/called"; }

    WorkerRequest held(std::string name, Strings arguments = {}) const {
        auto one = request(std::move(name), std::move(arguments));
        one.held = true;
        return one;
    }
    WorkerRequest loads() const { return held("loads_then_calls", {loaded(), called()}); }
    WorkerRequest guest(std::string name, std::string host, Strings arguments = {}) const {
        auto one = held(std::move(name), std::move(arguments));
        one.guest_of = std::move(host);
        return one;
    }
    bool has_loaded() const {
        return comes_true_within(20s, [&] { return noted_pid(loaded()) > 0; });
    }
    bool has_called() const { return noted_pid(called()) > 0; }
};

std::vector<WorkerOutcome> go(WorkerRun& run, std::vector<milliseconds> const& deadlines) {
    run.go(deadlines, machinery());
    return run.finish();
}

TEST_F(HeldWorkers, load_at_once_and_call_when_they_may) {
    WorkerRun run({loads(), request("clean")}, machinery());
    ASSERT_TRUE(has_loaded());
    std::this_thread::sleep_for(100ms);
    EXPECT_FALSE(has_called());
    auto const outcomes = go(run, {10s, 10s});
    EXPECT_TRUE(has_called());
    EXPECT_EQ(noted_pid(loaded()), noted_pid(called()));
    for (auto const& outcome : outcomes) EXPECT_EQ(status(outcome), "ok") << outcome.detail;
}

TEST_F(HeldWorkers, have_their_whole_time_from_then_on) {
    WorkerRun run({loads()}, machinery());
    ASSERT_TRUE(has_loaded());
    std::this_thread::sleep_for(400ms);
    EXPECT_EQ(status(go(run, {300ms}).at(0)), "ok");
}

TEST_F(HeldWorkers, that_hang_afterwards_are_late_by_the_time_they_got) {
    WorkerRun run({held("hangs")}, machinery());
    auto const outcome = go(run, {100ms}).at(0);
    EXPECT_EQ(status(outcome), "timeout");
    EXPECT_THAT(outcome.detail, HasSubstr("within 0.1 s"));
}

TEST_F(HeldWorkers, have_their_guests_in_their_process) {
    WorkerRun run({loads(), guest("loads_then_calls_too", "loads_then_calls"),
                   guest("tells_process", "loads_then_calls")},
                  machinery());
    ASSERT_TRUE(has_loaded());
    auto const outcomes = go(run, {10s, 10s, 10s});
    for (auto const& outcome : outcomes) {
        EXPECT_EQ(status(outcome), "ok") << outcome.detail;
        EXPECT_EQ(outcome.answer, outcomes[0].answer);
    }
}

TEST_F(HeldWorkers, without_a_library_let_their_guests_wait_for_them) {
    WorkerRun run({held("absent"), guest("loads_then_calls", "absent")}, machinery());
    auto const outcomes = go(run, {10s, 10s});
    EXPECT_EQ(status(outcomes[0]), "absent");
    EXPECT_EQ(status(outcomes[1]), "ok") << outcomes[1].detail;
}

TEST_F(HeldWorkers, that_crash_while_they_load_leave_guests_that_are_held_as_well) {
    WorkerRun run({held("dies", {"11"}), guest("loads_then_calls", "dies", {loaded(), called()})},
                  machinery());
    auto const source = reading({"/slow"});
    run.wait_for(*source, [] { return false; });
    ASSERT_TRUE(has_loaded());
    EXPECT_FALSE(has_called());
    auto const outcomes = go(run, {10s, 10s});
    EXPECT_EQ(status(outcomes[0]), "signal");
    EXPECT_EQ(status(outcomes[1]), "ok") << outcomes[1].detail;
    EXPECT_TRUE(has_called());
}

TEST_F(HeldWorkers, that_nobody_lets_go_are_ended) {
    {
        WorkerRun const run({loads()}, machinery());
        ASSERT_TRUE(has_loaded());
    }
    // Not even as a zombie: this process may become another program.
    EXPECT_FALSE(has_children());
    EXPECT_FALSE(has_called());
}

TEST_F(HeldWorkers, wait_for_the_mark_of_a_reading_and_then_for_its_end) {
    auto const source = reading({"/before", "/mark", "/slow", "/after"});
    WorkerRun run({loads()}, machinery());
    run.wait_for(*source, [&] { return source->has_passed_mark(); });
    EXPECT_TRUE(has_read(*source, "/before"));
    EXPECT_FALSE(has_read(*source, "/slow"));
    EXPECT_FALSE(source->is_over());
    run.go(std::vector<milliseconds>{10s}, machinery());
    run.wait_for(*source, [] { return false; });
    EXPECT_TRUE(source->is_over());
    // What was asked too early does not stand in the log.
    EXPECT_TRUE(has_read(*source, "/slow"));
    EXPECT_TRUE(has_read(*source, "/after"));
    EXPECT_EQ(status(run.finish().at(0)), "ok");
}

TEST_F(HeldWorkers, outlive_a_reading_whose_time_is_up) {
    auto const source = reading({"/before", "/endless", "/mark"}, 200ms);
    WorkerRun run({loads()}, machinery());
    run.wait_for(*source, [&] { return source->has_passed_mark(); });
    EXPECT_TRUE(source->is_over());
    EXPECT_TRUE(has_read(*source, "/before"));
    EXPECT_EQ(status(go(run, {10s}).at(0)), "ok");
}

TEST_F(HeldWorkers, are_let_go_although_another_process_has_their_files) {
    WorkerRun run({loads()}, machinery());
    ASSERT_TRUE(has_loaded());
    // As a reader that is started meanwhile, and then stuck.
    auto const other = ::fork();
    if (other == 0)
        for (;;) ::pause();
    EXPECT_EQ(status(go(run, {10s}).at(0)), "ok");
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
}

/// A signal ends the reading and the workers, and takes its effect behind them.
TEST_F(HeldWorkers, and_what_is_read_end_by_a_signal) {
    auto const child = ::fork();
    if (child == 0) {
        auto const source = reading({"/endless"});
        WorkerRun run({loads()}, machinery());
        run.wait_for(*source, [] { return false; });
        bool const is_over = source->is_over();
        auto const outcomes = go(run, {10s});
        bool const is_told = outcomes[0].detail.find("SIGTERM") != std::string::npos;
        std::ofstream(tree_.path() + "/seen") << is_over << is_told << '\n';
        return;  // not reached: the signal comes at the end of `run`
    }
    ASSERT_TRUE(has_loaded());
    ::kill(child, SIGTERM);
    int how = 0;
    ::waitpid(child, &how, 0);
    EXPECT_TRUE(WIFSIGNALED(how) && WTERMSIG(how) == SIGTERM);
    int seen = 0;
    std::ifstream(tree_.path() + "/seen") >> seen;
    EXPECT_EQ(seen, 11);
    EXPECT_FALSE(has_called());
}

}  // namespace
}  // namespace rocmtune::test
