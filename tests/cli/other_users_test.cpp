// SPDX-License-Identifier: MIT
// What a user sees of the processes of others: what the kernel shows him, and that the rest is
// denied.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/other_user.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(OtherUsers, do_not_see_the_environment_of_a_process_of_root) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
    ProgramForEverybody const program;
    if (auto const reason = program.why_unreachable(); !reason.empty()) GTEST_SKIP() << reason;
    Launch sleeper;
    sleeper.words = {"/bin/sleep", "600"};
    sleeper.environment = {{"HSA_ENABLE_SDMA", "0"}, {"HIP_NOTE", "private"}};
    Running const process(sleeper);
    auto const environ = "/proc/" + std::to_string(process.pid()) + "/environ";
    for (int i = 0; i < 2000 && content_of(environ).find("HIP_NOTE") == std::string::npos; ++i)
        ::usleep(5'000);
    auto const launch = rocmtune_with(
        {"lint", "-v", "--process", std::to_string(process.pid()), "--sources", "sysfs"});
    EXPECT_THAT(run(launch).out, HasSubstr("HSA_ENABLE_SDMA"));
    auto const denied = run(program.by_stranger(launch));
    EXPECT_EQ(denied.code, 2);
    EXPECT_THAT(denied.out + denied.err, HasSubstr("EACCES"));
    EXPECT_THAT(denied.out + denied.err, Not(HasSubstr("HSA_ENABLE_SDMA")));
    EXPECT_THAT(denied.out + denied.err, Not(HasSubstr("private")));
}

}  // namespace
}  // namespace rocmtune::test
