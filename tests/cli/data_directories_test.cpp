// SPDX-License-Identifier: MIT
// Profiles below a home that does not answer, as one on a file server that is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class SilentHome : public testing::Test {
  protected:
    void SetUp() override {
        if (!can_preload) GTEST_SKIP() << "AddressSanitizer must be loaded first";
        std::filesystem::create_directories(profiles());
        write_file(profiles() + "/site.json", "{}");
    }

    std::string profiles() const { return home_ / ".config/rocmtune/profiles"; }

    Launch launch(std::vector<std::string> words) const {
        auto launch = rocmtune_with(std::move(words));
        launch.environment["HOME"] = home_.path();
        launch.environment["LD_PRELOAD"] = ROCMTUNE_FAKES_DIR "/preload/libslow_read.so";
        launch.environment["FAKE_SLOW_FILE"] = "/rocmtune/profiles/site.json";
        launch.environment["FAKE_SLOW_MS"] = "3600000";
        return launch;
    }

    Directory home_;
};

TEST_F(SilentHome, is_gone_without_and_the_report_says_so) {
    for (auto const* const command : {"check", "report", "probe"}) {
        auto const outcome = run(
            launch({command, "--json", "--timeout", "0.5", "--replay", host_file("mi300x-x8")}));
        ASSERT_FALSE(outcome.late) << command;
        auto const document = json::parse(outcome.out);
        ASSERT_EQ(document.at("errors").size(), 1U) << command;
        EXPECT_THAT(document.at("errors")[0].at("message").get<std::string>(),
                    HasSubstr("cannot read " + profiles() + ": it was not read in time"));
        EXPECT_EQ(document.at("host").at("gpus").size(), 8U);
    }
}

TEST_F(SilentHome, is_an_error_if_it_was_asked_for) {
    auto const outcome = run(launch({"check", "--timeout", "0.5", "--profiles", profiles(),
                                     "--replay", host_file("mi300x-x8")}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("it was not read in time"));
}

TEST_F(SilentHome, keeps_no_signal_from_ending_the_program) {
    for (auto const* const command : {"check", "report", "verify"}) {
        Running running(launch({command}));
        ::usleep(300'000);
        running.send(SIGTERM);
        auto const outcome = running.finish();
        EXPECT_FALSE(outcome.late) << command;
        EXPECT_EQ(outcome.signal, SIGTERM) << command;
    }
}

/// A loop of links refuses also root, whom no mode bits stop.
class HomeThatRefuses : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directories(home_ / ".config/rocmtune");
        std::filesystem::create_symlink("profiles", profiles());
    }

    std::string profiles() const { return home_ / ".config/rocmtune/profiles"; }
    std::string complaint() const {
        return "cannot read " + profiles() + ": too many levels of symbolic links (ELOOP)";
    }

    Outcome outcome_of(std::vector<std::string> words) const {
        auto launch = rocmtune_with(std::move(words));
        launch.environment["HOME"] = home_.path();
        return run(launch);
    }

    Directory home_;
};

TEST_F(HomeThatRefuses, is_gone_without_and_changes_no_exit_code) {
    for (auto const* const command : {"check", "report", "probe", "lint"}) {
        auto const outcome = outcome_of({command, "--json", "--replay", host_file("mi300x-x8")});
        EXPECT_EQ(outcome.code, 0) << command;
        EXPECT_THAT(outcome.err, HasSubstr(complaint())) << command;
        EXPECT_THAT(json::parse(outcome.out).at("errors").at(0).at("message").get<std::string>(),
                    HasSubstr(complaint()))
            << command;
    }
    EXPECT_EQ(outcome_of({"explain", "HSA_XNACK"}).code, 0);
    EXPECT_EQ(outcome_of({"run", "--", "sh", "-c", "exit 7"}).code, 7);
}

TEST_F(HomeThatRefuses, is_an_error_if_it_was_asked_for) {
    auto const outcome = outcome_of({"check", "--profiles", profiles()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(complaint()));
}

}  // namespace
}  // namespace rocmtune::test
