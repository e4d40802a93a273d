// SPDX-License-Identifier: MIT
// Several workers in one process: those that answer well behind another one spare a process, and
// whatever happens to one of them, the others say what they say alone.
#include "support/workers.hpp"

#include <string>

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// As a guest it gets no arguments, alone it gets one: support/worker_program.cpp tells them apart
/// by that.
WorkerRequest guest(std::string name, std::string host = "tells_process") {
    auto one = request(std::move(name), {"alone"});
    one.guest_of = std::move(host);
    return one;
}

class WorkerGuests : public Workers {
  protected:
    /// The outcomes of a worker and its guests, of which each is to be good.
    std::vector<WorkerOutcome> run_all(std::vector<WorkerRequest> const& requests) {
        auto outcomes = run_workers(requests, machinery());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            EXPECT_EQ(outcomes[i].name, requests[i].name);
            EXPECT_EQ(status(outcomes[i]), "ok") << outcomes[i].name << outcomes[i].detail;
            EXPECT_EQ(outcomes[i].detail, "") << outcomes[i].name;
            EXPECT_THAT(outcomes[i].evidence, StartsWith("I am here\n")) << outcomes[i].name;
            EXPECT_EQ(outcomes[i].answer.size(), 1U) << outcomes[i].name;
        }
        return outcomes;
    }
};

TEST_F(WorkerGuests, are_asked_in_one_process_and_each_has_its_own_answer) {
    // In which order they stand does not matter: the host comes first.
    auto const outcomes = run_all(
        {guest("tells_process_too"), request("tells_process"), guest("tells_process_more")});
    EXPECT_EQ(outcomes[0].answer, outcomes[1].answer);
    EXPECT_EQ(outcomes[2].answer, outcomes[1].answer);
}

/// Whatever the guest between does, it gets a process of its own, and the others are not harmed.
class SpoiltProcess : public WorkerGuests, public testing::WithParamInterface<char const*> {};

TEST_P(SpoiltProcess, costs_the_others_nothing_but_their_place) {
    auto const outcomes = run_all({request("tells_process"), guest("tells_process_too"),
                                   guest(GetParam()), guest("tells_process_more")});
    EXPECT_EQ(outcomes[1].answer, outcomes[0].answer);
    EXPECT_NE(outcomes[2].answer, outcomes[0].answer);
    EXPECT_NE(outcomes[3].answer, outcomes[0].answer);
    EXPECT_NE(outcomes[3].answer, outcomes[2].answer);
}

INSTANTIATE_TEST_SUITE_P(Guests, SpoiltProcess,
                         testing::Values("crashes_as_guest", "babbles_as_guest", "fails_as_guest"));

TEST_F(WorkerGuests, that_hang_are_asked_alone_after_a_quarter_of_the_time) {
    auto host = request("tells_process", {}, 2s);
    auto const outcomes = run_all({host, guest("hangs_as_guest"), guest("tells_process_more")});
    EXPECT_NE(outcomes[1].answer, outcomes[0].answer);
    EXPECT_NE(outcomes[2].answer, outcomes[0].answer);
}

TEST_F(WorkerGuests, that_say_that_they_would_answer_otherwise_are_asked_alone) {
    auto const outcomes = run_all(
        {request("tells_process"), guest("tells_process_alone"), guest("tells_process_more")});
    EXPECT_NE(outcomes[1].answer, outcomes[0].answer);
    EXPECT_EQ(outcomes[2].answer, outcomes[0].answer) << "nothing has happened to the process";
}

TEST_F(WorkerGuests, are_asked_alone_behind_one_that_has_changed_the_environment) {
    auto const outcomes =
        run_all({request("changes_environment"), guest("tells_process", "changes_environment")});
    EXPECT_NE(outcomes[0].answer, outcomes[1].answer);
}

TEST_F(WorkerGuests, of_a_slow_worker_do_not_wait_for_it) {
    auto slow = request("is_slow", {"1500"}, 4s);
    auto const outcomes = run_all({slow, guest("tells_process", "is_slow")});
    EXPECT_NE(outcomes[0].answer, outcomes[1].answer);
    EXPECT_LT(outcomes[1].took, outcomes[0].took);
}

TEST_F(WorkerGuests, of_a_worker_that_fails_say_what_they_say_alone) {
    for (char const* name :
         {"dies", "hangs", "throws", "closes_answer", "fails_and_exits", "fails_and_hangs"}) {
        auto const host =
            request(name, name == std::string("dies") ? Strings{"11"} : Strings{}, 400ms);
        auto const alone = run(host);
        auto one = guest("tells_process", name);
        one.deadline = 10s;
        auto const outcomes = run_workers(std::vector{host, one}, machinery());
        EXPECT_EQ(status(outcomes[0]), status(alone)) << name;
        EXPECT_EQ(outcomes[0].signal, alone.signal) << name;
        EXPECT_EQ(outcomes[0].detail, alone.detail) << name;
        EXPECT_EQ(outcomes[0].evidence, alone.evidence) << name;
        EXPECT_EQ(status(outcomes[1]), "ok") << name;
        EXPECT_EQ(outcomes[1].answer.size(), 1U) << name;
    }
}

TEST_F(WorkerGuests, of_a_library_that_is_absent_are_asked_behind_it) {
    auto const outcomes =
        run_workers(std::vector{request("absent"), guest("tells_process", "absent"),
                                guest("absent_too", "absent")},
                    machinery());
    EXPECT_EQ(status(outcomes[0]), "absent");
    EXPECT_EQ(status(outcomes[1]), "ok");
    EXPECT_EQ(status(outcomes[2]), "absent");
    EXPECT_THAT(outcomes[2].detail, HasSubstr("libamdhip64"));
}

TEST_F(WorkerGuests, that_fail_alone_as_well_fail_with_their_own_words) {
    auto const outcomes = run_workers(
        std::vector{request("tells_process"), guest("throws"), guest("tells_process_more")},
        machinery());
    EXPECT_EQ(status(outcomes[1]), "error");
    EXPECT_EQ(outcomes[1].detail, "the library said 999");
    EXPECT_EQ(status(outcomes[2]), "ok");
}

TEST_F(WorkerGuests, end_with_the_time_that_they_would_have_had_beside_their_host) {
    auto one = guest("hangs", "hangs_too");
    one.arguments = {};
    one.deadline = 1s;
    auto const start = std::chrono::steady_clock::now();
    auto const outcomes = run_workers(std::vector{request("hangs_too", {}, 1s), one}, machinery());
    EXPECT_LT(std::chrono::steady_clock::now() - start, 1s + slack);
    for (auto const& outcome : outcomes) EXPECT_EQ(status(outcome), "timeout");
    // A quarter of a second has passed when it starts.
    EXPECT_THAT(outcomes[1].detail, Not(HasSubstr("within 1 s")));
    EXPECT_THAT(outcomes[1].detail, HasSubstr("within 0.7"));
}

TEST_F(WorkerGuests, whose_host_does_not_start_are_asked_alone) {
    auto host = request("tells_process");
    host.before = [](milliseconds&) { return std::string("there was no time"); };
    auto const outcomes = run_workers(std::vector{host, guest("tells_process_too")}, machinery());
    EXPECT_EQ(outcomes[0].detail, "it was not started because there was no time");
    EXPECT_EQ(status(outcomes[1]), "ok");
}

TEST_F(WorkerGuests, what_happens_behind_all_answers_is_told_of_each) {
    auto host = request("tells_process");
    auto const outcomes =
        run_workers(std::vector{host, guest("dies_after_done_as_guest")}, machinery());
    for (auto const& outcome : outcomes) {
        EXPECT_EQ(status(outcome), "ok");
        EXPECT_EQ(outcome.detail, "after its answer: ended by SIGSEGV");
    }
}

TEST_F(WorkerGuests, each_has_its_end_told_once) {
    int ends = 0;
    std::vector<WorkerRequest> requests{request("tells_process"), guest("tells_process_too"),
                                        guest("crashes_as_guest"), guest("tells_process_more")};
    for (auto& one : requests) one.after = [&](WorkerOutcome const&) { ++ends; };
    run_workers(requests, machinery());
    EXPECT_EQ(ends, 4);
}

}  // namespace
}  // namespace rocmtune::test
