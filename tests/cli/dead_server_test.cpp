// SPDX-License-Identifier: MIT
// Files that never answer: on a file server that is gone, or pipes that nobody writes to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

/// A row of words in which FILE stands for a file that never answers.
struct Row {
    char const* name;
    Words words;
};

void PrintTo(Row const& row, std::ostream* out) {
    *out << row.name;
}

auto const name_of = [](auto const& info) { return std::string(info.param.name); };

Words with_file(Words words, std::string const& file) {
    std::ranges::replace(words, std::string("FILE"), file);
    return words;
}

/// A pipe without a writer.
class SilentPipe : public testing::TestWithParam<Row> {
  protected:
    void SetUp() override { ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0); }

    /// Returns when somebody has opened it for reading, and goes on to say nothing.
    FileDescriptor wait_for_reader() const {
        FileDescriptor writer;
        for (int i = 0; i < 2'000 && !writer; ++i) {
            ::usleep(10'000);
            writer = FileDescriptor(::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
        }
        return writer;
    }

    Directory directory_;
    std::string path_ = directory_ / "pipe";
};

using EndedPipe = SilentPipe;

TEST_P(EndedPipe, is_left_at_once_when_a_signal_asks_for_it) {
    for (int const signal : {SIGINT, SIGTERM}) {
        Running running(rocmtune_with(with_file(GetParam().words, path_)));
        auto const writer = wait_for_reader();
        ASSERT_TRUE(writer);
        running.send(signal);
        auto const outcome = running.finish();
        EXPECT_FALSE(outcome.late);
        EXPECT_EQ(outcome.signal, signal);
        EXPECT_EQ(outcome.err, "");
    }
}

INSTANTIATE_TEST_SUITE_P(Table, EndedPipe,
                         testing::Values(Row{"verify", {"verify", "--env-file", "FILE"}},
                                         Row{"check", {"check", "--replay", "FILE"}},
                                         Row{"report", {"report", "--replay", "FILE"}},
                                         Row{"baseline", {"check", "--baseline", "FILE"}},
                                         Row{"compare", {"compare", "FILE", "FILE"}}),
                         name_of);

using LatePipe = SilentPipe;

TEST_P(LatePipe, is_waited_for_as_long_as_the_user_says) {
    auto words = with_file(GetParam().words, path_);
    words.insert(words.end(), {"--timeout", "1"});
    auto const outcome = run(words);
    EXPECT_FALSE(outcome.late);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cannot read " + path_ + ": it was not read in time"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, LatePipe,
    testing::Values(Row{"verify", {"verify", "--env-file", "FILE"}},
                    Row{"replay", {"check", "--replay", "FILE"}},
                    Row{"expect", {"check", "--expect", "FILE"}},
                    Row{"verified", {"env", "--replay", "example:mi300x-x8", "--verified", "FILE"}},
                    Row{"lint", {"lint", "/dev/null", "--baseline", "FILE"}},
                    Row{"plan", {"plan", "--model", "FILE"}}),
    name_of);

class DeadServer : public testing::Test {
  protected:
    void SetUp() override {
        if (!can_preload) GTEST_SKIP() << "AddressSanitizer must be loaded first";
    }

    Launch launch(Words words) const {
        auto launch = rocmtune_with(std::move(words));
        launch.environment["LD_PRELOAD"] = ROCMTUNE_FAKES_DIR "/preload/libdead_server.so";
        launch.environment["FAKE_DEAD_DIRECTORY"] = dead();
        launch.environment["XDG_CACHE_HOME"] = dead();
        return launch;
    }
    std::string dead() const { return directory_ / "dead"; }

    Directory directory_;
};

TEST_F(DeadServer, with_the_cache_is_said_in_place_of_its_state) {
    for (auto const* const word : {"status", "clear"}) {
        auto const outcome = run(launch({"cache", word}));
        EXPECT_FALSE(outcome.late) << word;
        EXPECT_EQ(outcome.code, 3) << word;
        EXPECT_THAT(outcome.err, HasSubstr(dead() + "/rocmtune did not answer in time")) << word;
    }
}

TEST_F(DeadServer, with_the_cache_keeps_lint_from_nothing) {
    // Built below a directory for everybody, the preloaded library itself is a finding.
    auto const outcome = run(launch({"lint", "--sources", "sysfs", "--fail-on", "never"}));
    EXPECT_FALSE(outcome.late);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("1 setting in 1 text"));
}

TEST_F(DeadServer, with_a_file_to_lint_is_waited_for_as_long_as_the_user_says) {
    auto const script = directory_ / "train.sh";
    write_file(script, "export HSA_ENABLE_SDMA=0\n");
    auto const outcome = run(launch({"lint", dead() + "/job.sh", script, "--timeout", "1"}));
    EXPECT_FALSE(outcome.late);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("job.sh: it was not read in time"));
    EXPECT_THAT(outcome.out, HasSubstr("HSA_ENABLE_SDMA"));
}

TEST_F(DeadServer, with_the_command_of_verify_is_a_run_that_did_not_end) {
    auto by_path = launch({"verify", "--self-test", "--json", "--timeout", "1", "--", "job"});
    by_path.environment["PATH"] = dead() + "/bin:/usr/bin:/bin";
    for (auto const& tried :
         {launch({"verify", "--self-test", "--json", "--timeout", "1", "--", dead() + "/job"}),
          by_path}) {
        auto const outcome = run(tried);
        EXPECT_FALSE(outcome.late);
        EXPECT_EQ(outcome.code, 1);
        EXPECT_THAT(outcome.out, HasSubstr("it did not end within 1 s"));
    }
}

TEST_F(DeadServer, with_the_command_of_verify_keeps_no_signal_from_ending_the_program) {
    Running running(launch({"verify", "--self-test", "--", dead() + "/job"}));
    ::usleep(300'000);
    running.send(SIGTERM);
    auto const outcome = running.finish();
    EXPECT_FALSE(outcome.late);
    EXPECT_EQ(outcome.signal, SIGTERM);
}

}  // namespace
}  // namespace rocmtune::test
