// SPDX-License-Identifier: MIT
// What a trial of a GPU means: verdict, subject, action, and what the whole run makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

CheckSelection with(std::vector<Trial> trials) {
    CheckSelection selection;
    selection.only = {"liveness"};
    selection.trials = std::move(trials);
    return selection;
}

std::vector<Finding> results(Host const& host, std::vector<Trial> trials) {
    return run_checks(host, embedded_chips(), with(std::move(trials)));
}

Host const& radeons() {
    static auto const host = FaultyHost("rx7900xt-x2").probed();
    return host;
}

struct Meaning {
    TrialEnd end;
    Verdict verdict;
    Action action;
};

Meaning const meanings[] = {
    {TrialEnd::verified, Verdict::pass, Action::none},
    {TrialEnd::wrong, Verdict::fail, Action::isolate},
    {TrialEnd::refused, Verdict::fail, Action::reset},
    {TrialEnd::crashed, Verdict::fail, Action::reset},
    {TrialEnd::late, Verdict::timeout, Action::reset},
    {TrialEnd::unkillable, Verdict::fail, Action::reboot},
    {TrialEnd::not_possible, Verdict::skip, Action::none},
    {TrialEnd::not_allowed, Verdict::skip, Action::none},
    {TrialEnd::not_known, Verdict::unknown, Action::none},
};

TEST(Liveness, gives_every_end_of_a_trial_its_verdict_and_action) {
    for (auto const& meaning : meanings) {
        auto const found =
            results(radeons(), {{.row = 1, .end = meaning.end, .message = "it did"}});
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].verdict, meaning.verdict) << static_cast<int>(meaning.end);
        EXPECT_EQ(found[0].action, meaning.action) << static_cast<int>(meaning.end);
        EXPECT_EQ(found[0].message, "it did");
    }
}

TEST(Liveness, names_the_gpu_of_the_trial) {
    auto const found = results(
        radeons(), {{.row = 0, .end = TrialEnd::verified}, {.row = 1, .end = TrialEnd::crashed}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].subject, *radeons().gpus[0].pci_address);
    EXPECT_EQ(found[1].subject, *radeons().gpus[1].pci_address);
    EXPECT_NE(found[0].subject, found[1].subject);
}

TEST(Liveness, is_not_due_where_nothing_was_run) {
    auto const found = results(radeons(), {});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].verdict, Verdict::skip);
    EXPECT_FALSE(summary_of(radeons(), found, {}).essential_unknown);
}

TEST(Liveness, that_is_late_or_not_known_leaves_the_host_undetermined) {
    for (auto const end : {TrialEnd::late, TrialEnd::not_known}) {
        auto const found =
            results(radeons(), {{.row = 0, .end = TrialEnd::verified}, {.row = 1, .end = end}});
        EXPECT_EQ(exit_of(summary_of(radeons(), found, {}), Verdict::fail), Exit::undetermined);
    }
}

TEST(Liveness, that_was_skipped_for_all_gpus_tests_none) {
    auto const found = results(radeons(), {{.row = 0, .end = TrialEnd::not_allowed},
                                           {.row = 1, .end = TrialEnd::not_allowed}});
    auto const summary = summary_of(radeons(), found, {});
    EXPECT_EQ(summary.gpus_judged, 0U);
    EXPECT_EQ(exit_of(summary, Verdict::fail), Exit::undetermined);
}

TEST(Liveness, of_one_gpu_that_fails_is_a_finding_beside_one_that_works) {
    auto const found = results(
        radeons(), {{.row = 0, .end = TrialEnd::verified}, {.row = 1, .end = TrialEnd::wrong}});
    auto const summary = summary_of(radeons(), found, {});
    EXPECT_EQ(summary.gpus_judged, 2U);
    EXPECT_EQ(exit_of(summary, Verdict::fail), Exit::findings);
}

}  // namespace
}  // namespace rocmtune::test
