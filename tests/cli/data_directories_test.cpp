// SPDX-License-Identifier: MIT
// Profiles below a home that does not answer, as one on a file server that is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include "support/other_user.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

/// sudo -E, and a sudo that keeps HOME: root runs with the home of somebody else.
class HomeOfAnother : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
        std::filesystem::create_directories(profiles());
        ::chmod(home_.path().c_str(), 0755);
        write_file(profiles() + "/broken.json", "{ no JSON");
        give_home_to(stranger);
    }

    void give_home_to(uid_t user) const { ASSERT_EQ(::chown(home_.path().c_str(), user, user), 0); }
    std::string profiles() const { return home_ / ".config/rocmtune/profiles"; }

    Outcome outcome_of(std::vector<std::string> words) const {
        auto launch = rocmtune_with(std::move(words));
        launch.environment["HOME"] = home_.path();
        return run(launch);
    }

    Directory const home_;
};

TEST_F(HomeOfAnother, has_no_profiles_for_root_and_ends_no_command) {
    auto const complaint = profiles() + " is left alone, since this is root and " + home_.path() +
                           " belongs to user 65534; nothing in it is in force";
    for (auto const* const command : {"check", "report", "probe", "lint"}) {
        auto const outcome = outcome_of({command, "--json", "--replay", host_file("mi300x-x8")});
        EXPECT_EQ(outcome.code, 0) << command << outcome.err;
        EXPECT_THAT(outcome.err, StartsWith("rocmtune: " + complaint)) << command;
        EXPECT_EQ(outcome.err.find(complaint), outcome.err.rfind(complaint)) << command;
        auto const error = json::parse(outcome.out).at("errors").at(0);
        EXPECT_EQ(error.at("message"), complaint) << command;
        EXPECT_EQ(error.at("hint"),
                  "sudo -H takes the profiles of root; --profiles " + profiles() + " takes these");
    }
    EXPECT_EQ(outcome_of({"run", "--", "sh", "-c", "exit 7"}).code, 7);
}

TEST_F(HomeOfAnother, is_read_if_its_profiles_were_asked_for) {
    auto const outcome =
        outcome_of({"check", "--profiles", profiles(), "--replay", host_file("mi300x-x8")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(profiles() + "/broken.json"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("left alone")));
}

TEST_F(HomeOfAnother, is_not_spoken_of_where_it_has_no_profiles) {
    std::filesystem::remove_all(home_ / ".config");
    auto const outcome = outcome_of({"check", "--replay", host_file("mi300x-x8")});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
}

TEST_F(HomeOfAnother, has_profiles_for_the_other) {
    ProgramForEverybody const program;
    if (auto const why = program.why_unreachable(); !why.empty()) GTEST_SKIP() << why;
    auto launch = rocmtune_with({"check", "--replay", "example:mi300x-x8"});
    launch.environment["HOME"] = home_.path();
    auto const outcome = run(program.by_stranger(launch));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(profiles() + "/broken.json"));
}

TEST_F(HomeOfAnother, counts_for_root_once_it_is_roots) {
    give_home_to(0);
    auto const outcome = outcome_of({"check", "--replay", host_file("mi300x-x8")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(profiles() + "/broken.json"));
}

TEST_F(HomeOfAnother, keeps_no_cache_of_root) {
    std::filesystem::create_directories(home_ / ".cache");
    auto const outcome = outcome_of({"cache", "status"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                HasSubstr("/rocmtune is not used: " + home_.path() + " belongs to user 65534"));
    EXPECT_EQ(outcome_of({"lint"}).code, 0);  // it keeps what it learned of libraries
    EXPECT_TRUE(std::filesystem::is_empty(home_ / ".cache"));
}

TEST_F(HomeOfAnother, is_left_alone_also_where_a_link_leads_to_it) {
    Directory const own;
    std::filesystem::create_directories(own / ".config");
    std::filesystem::create_directory_symlink(home_ / ".config/rocmtune", own / ".config/rocmtune");
    auto launch = rocmtune_with({"check", "--replay", host_file("mi300x-x8")});
    launch.environment["HOME"] = own.path();
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(home_.path() + " belongs to user 65534"));
}

}  // namespace
}  // namespace rocmtune::test
