// SPDX-License-Identifier: MIT
// The truth table of the checks: each single fault in a healthy host brings exactly the finding
// that is meant for it and no other. tests/checks/truth_table.md is written from this table.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/published.hpp"
#include "checks/single_faults.hpp"
#include "judge/checks/checks.hpp"

namespace rocmtune::test {
namespace {

Lines news_of(Host const& host) {
    auto findings = run_checks(host, embedded_chips(), {});
    auto const map = judge_device_map(host);
    findings.insert(findings.end(), map.begin(), map.end());
    Lines news;
    for (auto const& finding : findings)
        if (finding.verdict != Verdict::pass && finding.verdict != Verdict::skip)
            news.insert(
                fmt::format("{} {} {}", finding.id, word_of(finding.verdict), finding.subject));
    return news;
}

Lines without(Lines const& all, Lines const& known) {
    Lines rest;
    std::set_difference(all.begin(), all.end(), known.begin(), known.end(),
                        std::inserter(rest, rest.end()));
    return rest;
}

/// What a fault brings beside what the healthy host says all the same.
Lines brought_by(Fault const& fault) {
    static std::map<std::string, Lines> healthy;
    static std::map<Fault const*, Lines> all;
    auto& base = healthy[fault.host];
    if (base.empty()) base = news_of(FaultyHost(fault.host).probed());
    if (auto const known = all.find(&fault); known != all.end()) return known->second;
    FaultyHost host(fault.host);
    fault.inject(host);
    return all[&fault] = without(news_of(host.probed()), base);
}

class TruthTable : public testing::TestWithParam<std::size_t> {};

TEST_P(TruthTable, a_single_fault_brings_its_finding_and_no_other) {
    auto const& fault = faults[GetParam()];
    EXPECT_EQ(brought_by(fault), fault.brings) << fault.name;
}

INSTANTIATE_TEST_SUITE_P(Faults, TruthTable, testing::Range(std::size_t{0}, std::size(faults)),
                         [](auto const& row) {
                             return test_name(std::string(faults[row.param].name) + " " +
                                              std::to_string(row.index));
                         });

TEST(TruthTableItself, has_at_least_sixty_faults_and_each_has_a_finding) {
    EXPECT_GE(std::size(faults), 60U);
    for (auto const& fault : faults) EXPECT_FALSE(fault.brings.empty()) << fault.name;
}

/// What a healthy host says all the same: each line is meant, and none is a fail. RT9xxx are what
/// is known of the releases that these hosts have: ROCm 6.4.1 and Linux 6.16.
TEST(HealthyHost, raises_no_false_alarm) {
    EXPECT_THAT(news_of(FaultyHost(mi300x).probed()),
                testing::ElementsAre("RT3412 info 0000:05:00.0", "RT9015 info host",
                                     "RT9060 info host", "RT9062 info host"));
    // Two discrete GPUs behind an IOMMU that translates: AMD asks for iommu=pt.
    EXPECT_THAT(
        news_of(FaultyHost(radeon).probed()),
        testing::ElementsAre("RT3201 warn host", "RT3208 info host", "RT3601 unknown host",
                             "RT3602 unknown host", "RT3603 unknown host", "RT3604 unknown host",
                             "RT3605 unknown host", "RT3606 unknown host"));
    EXPECT_THAT(
        news_of(FaultyHost(halo).probed()),
        testing::ElementsAre("RT3208 info host", "RT3601 unknown host", "RT3602 unknown host",
                             "RT3603 unknown host", "RT3604 unknown host", "RT3605 unknown host",
                             "RT3606 unknown host", "RT9003 info host"));
}

/// Healthy hosts that want for nothing, and the alarms that are meant all the same: two discrete
/// GPUs behind an IOMMU that translates, for which AMD asks for iommu=pt.
std::map<std::string, Lines> const healthy_hosts{{mi300x, {}},
                                                 {radeon, {"RT3201 warn host"}},
                                                 {halo, {}},
                                                 {"mi300x-cpx", {}},
                                                 {"mi300x-cpx-linux7", {}},
                                                 {"mi300a-x4", {}},
                                                 {"mi300x-vf", {}},
                                                 {"mi250x-x4", {}},
                                                 {"mi210-x8", {}},
                                                 {"rx7900xt", {}},
                                                 {"rx9070xt", {}},
                                                 {"debian-rocm", {}}};

/// "HOST: RTnnnn VERDICT SUBJECT" for each warning, failure or timeout that nobody meant.
Lines false_alarms() {
    Lines all;
    for (auto const& [name, meant] : healthy_hosts)
        for (auto const& line : without(news_of(FaultyHost(name).probed()), meant))
            if (line.find(" info ") == line.npos && line.find(" unknown ") == line.npos)
                all.insert(name + ": " + line);
    return all;
}

TEST(HealthyHosts, of_all_kinds_raise_no_alarm) {
    EXPECT_THAT(false_alarms(), testing::IsEmpty());
}

std::string scores() {
    auto const caught = std::count_if(std::begin(faults), std::end(faults), [](Fault const& fault) {
        return brought_by(fault) == fault.brings;
    });
    return fmt::format(
        "Faults caught, by the finding that is meant and no other: {} of {}.\nFalse alarms on {} "
        "healthy hosts: {}. A warning that is meant: two discrete GPUs behind an\nIOMMU that "
        "translates (RT3201).\n\n",
        caught, std::size(faults), healthy_hosts.size(), false_alarms().size());
}

std::string matrix() {
    std::string text =
        "# Truth table of the checks\n\n" + scores() +
        "Each line is one fault in a healthy composed host, and all "
        "that `rocmtune check` then says more.\nWritten from tests/checks/single_faults.hpp; "
        "truth_table_test.cpp holds it.\n\n| fault | host | findings |\n|---|---|---|\n";
    for (auto const& fault : faults)
        text += fmt::format("| {} | {} | {} |\n", fault.name, fault.host,
                            fmt::join(fault.brings, "; "));
    return text;
}

TEST(TruthTableItself, is_published_as_it_is) {
    EXPECT_TRUE(is_published("truth_table.md", matrix()));
}

/// What the checks say of every composed host, but for what is in order or does not apply.
std::string verdicts_of_hosts() {
    std::string text;
    for (auto const& name : host_names()) {
        text += name + '\n';
        for (auto const& line : news_of(FaultyHost(name).probed())) text += "    " + line + '\n';
    }
    return text;
}

TEST(ComposedHosts, have_the_verdicts_that_were_looked_at) {
    EXPECT_TRUE(is_published("host_verdicts.txt", verdicts_of_hosts()));
}

/// Checks that say more than pass only under the rules of a site or of facts that no composed host
/// has: strict_test.cpp shows them. RT3213 and RT3424 only pass or skip. No composed host has
/// a switch with two GPUs: acs_test.cpp shows RT3228. Nothing runs on the GPUs
/// of a composed host: liveness_test.cpp and measured_test.cpp show RT38xx, steps_test.cpp RT3407,
/// wsl_test.cpp RT374x. What RT3791 finds has the ids of advisories.
Lines const only_elsewhere{"RT3107", "RT3228", "RT3207", "RT3211", "RT3213", "RT3214",
                           "RT3215", "RT3706", "RT3323", "RT3407", "RT3424", "RT3712",
                           "RT3741", "RT3742", "RT3743", "RT3744", "RT3791", "RT3801",
                           "RT3802", "RT3803", "RT3804", "RT3805"};

TEST(TruthTableItself, shows_every_check_at_work) {
    auto const hosts = verdicts_of_hosts();
    auto const table = matrix();
    for (auto const& check : all_checks()) {
        auto const id = std::string(check.id) + ' ';
        bool const shown = hosts.find(id) != hosts.npos || table.find(id) != table.npos;
        EXPECT_EQ(shown, !only_elsewhere.contains(std::string(check.id))) << id << check.name;
    }
}

}  // namespace
}  // namespace rocmtune::test
