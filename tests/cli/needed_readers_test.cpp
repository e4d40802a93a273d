// SPDX-License-Identifier: MIT
// A check that is explained gets a part of the host, and says what it says of the whole one.
#include "measure/host_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "judge/checks/checks.hpp"
#include "knowledge/messages.hpp"
#include "probe/reader.hpp"
#include "support/hosts.hpp"

namespace rocmtune::test {
namespace {

std::vector<std::string> said(Check const& check, Host const& host) {
    CheckSelection selection;
    selection.level = CheckLevel::long_;
    selection.only = {std::string(check.id)};
    std::vector<std::string> lines;
    for (auto const& finding : run_checks(host, embedded_chips(), selection))
        lines.push_back(finding.subject + ' ' + std::string(word_of(finding.verdict)) + ' ' +
                        finding.message + ' ' + finding.next_step);
    return lines;
}

class NeededReaders : public testing::TestWithParam<std::string> {};

TEST_P(NeededReaders, are_all_that_a_check_judges_by) {
    ProbeContext const context{HostRoot(std::shared_ptr<HostSource>(host_source(GetParam())))};
    auto const whole = probe(context);
    std::map<std::vector<std::string_view>, Host> parts;
    for (auto const& check : all_checks()) {
        auto const left_out = needless_readers(check.id);
        if (left_out.empty()) continue;
        auto const part = parts.find(left_out);
        auto const& host = part != parts.end()
                               ? part->second
                               : parts.emplace(left_out, probe(context, left_out)).first->second;
        EXPECT_EQ(said(check, host), said(check, whole)) << check.id;
    }
}

INSTANTIATE_TEST_SUITE_P(Hosts, NeededReaders, testing::ValuesIn(host_names()),
                         [](auto const& it) { return test_name(it.param); });

TEST(NeedlessReaders, are_the_libraries_where_a_device_node_is_judged) {
    auto const left_out = needless_readers("RT3011");
    EXPECT_EQ(std::ranges::count(left_out, "runtimes"), 1);
    EXPECT_EQ(std::ranges::count(left_out, "python"), 1);
    EXPECT_EQ(std::ranges::count(needless_readers("RT8001"), "kernel-log"), 0);
    EXPECT_TRUE(needless_readers("RT1001").empty());
}

TEST(NeedlessReaders, are_readers_that_there_are) {
    for (auto const& check : all_checks())
        for (auto const reader : needless_readers(check.id))
            EXPECT_EQ(std::ranges::count(all_readers(), reader, &Reader::name), 1) << reader;
}

}  // namespace
}  // namespace rocmtune::test
