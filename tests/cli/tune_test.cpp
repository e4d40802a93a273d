// SPDX-License-Identifier: MIT
// rocmtune tune as a user runs it, with programs that print made-up figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

/// A program whose figure depends on A and B and is not quite steady.
constexpr char const* program =
    "case $A in 1) v=1100;; 2) v=1050;; *) v=1000;; esac; [ \"$B\" = 1 ] && v=$((v-60)); "
    "echo rate $((v + $$ % 5)) MB/s";

class TuneCli : public testing::Test {
  protected:
    Launch tune(std::string const& line, Words words) const {
        Words all{"tune", "--command", line, "--metric", "rate", "--json"};
        for (auto const* const name : {"A", "B", "C"}) {
            all.emplace_back("--assume-read");
            all.emplace_back(name);
        }
        all.insert(all.end(), words.begin(), words.end());
        auto launch = rocmtune_with(std::move(all));
        launch.environment["XDG_CACHE_HOME"] = directory_.path();
        return launch;
    }

    json tuned(std::string const& line, Words words, int code) const {
        auto const outcome = run(tune(line, std::move(words)));
        EXPECT_EQ(outcome.code, code) << outcome.err << outcome.out;
        auto document = json::parse(outcome.out, nullptr, false);
        EXPECT_EQ(document["command"], "tune");
        return document["tuning"];
    }

    static json of(json const& tuning, std::string const& name, std::string const& value) {
        for (auto const* const list : {"candidates", "left_out"})
            for (auto const& one : tuning[list])
                if (one["settings"].value(name, "") == value) return one;
        return {};
    }

    Directory const directory_ = {};
};

TEST_F(TuneCli, finds_the_value_that_helps) {
    auto const it = tuned(program, {"--setting", "A=1,2", "--setting", "B=1", "--budget", "20"}, 0);
    EXPECT_EQ(it["answer"], "winner");
    EXPECT_EQ(of(it, "A", "1")["verdict"], "winner");
    EXPECT_EQ(of(it, "A", "2")["verdict"], "not-better");
    EXPECT_NEAR(it["winner"]["effect"].get<double>(), 0.1, 0.01);
    EXPECT_EQ(it["unit"], "MB/s");
    EXPECT_EQ(it["compared"], "by the exit code alone");
}

TEST_F(TuneCli, says_that_nothing_is_to_be_won) {
    auto const it = tuned(program, {"--setting", "B=1", "--setting", "C=1", "--budget", "20"}, 0);
    EXPECT_EQ(it["answer"], "nothing");
    EXPECT_TRUE(it["winner"].is_null());
}

TEST_F(TuneCli, lets_no_wrong_result_win) {
    auto const line = std::string(program) + "; [ \"$A\" = 1 ] && echo sum 7 || echo sum 8";
    auto const it = tuned(line, {"--setting", "A=1,2", "--check", "sum 8", "--budget", "20"}, 0);
    EXPECT_EQ(of(it, "A", "1")["verdict"], "wrong-result");
    EXPECT_THAT(of(it, "A", "1")["reason"], HasSubstr("its output lacks 'sum 8'"));
    EXPECT_EQ(of(it, "A", "2")["verdict"], "winner");
}

TEST_F(TuneCli, compares_files_that_runs_write_anew) {
    auto const file = directory_.path() + "/out.txt";
    auto const line = std::string(program) + "; echo 1.0 ${A:+1.2}${A:-1} | cut -c1-7 > " + file;
    auto const it = tuned(line, {"--setting", "A=1", "--check-file", file, "--budget", "20"}, 0);
    EXPECT_EQ(of(it, "A", "1")["verdict"], "wrong-result");
    auto const stale = tuned(program, {"--setting", "A=1", "--check-file", file}, 1);
    EXPECT_EQ(stale["answer"], "failed");
    EXPECT_THAT(stale["reason"], HasSubstr("it did not write"));
}

TEST_F(TuneCli, leaves_out_what_nothing_reads) {
    auto const it = tuned(program, {"--setting", "NOBODY=1", "--budget", "20"}, 3);
    EXPECT_EQ(of(it, "NOBODY", "1")["verdict"], "left-out");
    EXPECT_EQ(it["answer"], "not-decided");
}

TEST_F(TuneCli, tries_words_before_the_command) {
    auto const it = tuned(program, {"--launch", "env A=1", "--budget", "20"}, 0);
    EXPECT_EQ(of(it, "launch:", "env A=1")["verdict"], "winner");
}

TEST_F(TuneCli, tries_by_itself_what_may_ease_what_limits_the_program) {
    // One thread that works: copies and launches of a GPU do not limit it.
    auto launch = rocmtune_with({"tune", "--budget", "25", "--json", "--", "sh", "-c",
                                 "timeout 2.4 sh -c 'while :; do :; done'; true"});
    launch.environment["XDG_CACHE_HOME"] = directory_.path();
    auto const outcome = run(launch);
    auto const document = json::parse(outcome.out, nullptr, false);
    auto const& it = document["tuning"];
    ASSERT_GE(it["limits"].size(), 1U) << outcome.err << outcome.out;
    auto const copies = of(it, "HSA_ENABLE_SDMA", "0");
    EXPECT_EQ(copies["verdict"], "left-out");
    EXPECT_EQ(copies["origin"], "experiment");
    // Others may be seen to take the processors; then everything may matter.
    bool const is_alone = std::ranges::none_of(it["limits"], [](json const& limit) {
        return limit["what"] == "other-users" && limit["share"] >= 0.1;
    });
    EXPECT_EQ(copies["reason"] == "it does not ease what limits this program", is_alone)
        << copies["reason"] << it["limits"];
}

TEST_F(TuneCli, says_why_a_program_cannot_be_tuned) {
    EXPECT_THAT(tuned("echo nothing", {"--setting", "A=1"}, 1)["reason"], HasSubstr("without any"));
    EXPECT_EQ(tuned("exit 3", {"--setting", "A=1"}, 1)["answer"], "failed");
    EXPECT_EQ(tuned("echo rate nan", {"--setting", "A=1"}, 1)["answer"], "failed");
    EXPECT_EQ(tuned(program, {"--setting", "A=1", "--budget", "0.01"}, 3)["answer"], "not-decided");
}

TEST_F(TuneCli, refuses_what_cannot_be) {
    auto const refused = [](Words words) {
        auto const outcome = run(rocmtune_with(std::move(words)));
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(refused({"tune"}), HasSubstr("tune needs a COMMAND"));
    EXPECT_THAT(refused({"tune", "--setting", "=1", "--", "true"}), HasSubstr("is no setting"));
    EXPECT_THAT(refused({"tune", "--check", "(", "--", "true"}),
                HasSubstr("is no regular expression"));
    EXPECT_THAT(refused({"tune", "--tolerance", "1", "--", "true"}), HasSubstr("--check-file"));
    EXPECT_THAT(refused({"tune", "--benchmark", "gemm", "--launch", "nice"}),
                HasSubstr("belong to a command"));
}

TEST_F(TuneCli, writes_what_has_won_and_env_takes_it) {
    auto const report = directory_.path() + "/tuned.json";
    Words const words{"--setting",
                      "HSA_ENABLE_SDMA=0",
                      "--assume-read",
                      "HSA_ENABLE_SDMA",
                      "--budget",
                      "20",
                      "-o",
                      report};
    auto const line = "[ \"$HSA_ENABLE_SDMA\" = 0 ] && echo rate 110 || echo rate 100";
    EXPECT_EQ(run(tune(line, words)).code, 0);
    auto const env = run(rocmtune_with({"env", "--verified", report}));
    EXPECT_EQ(env.code, 0) << env.err;
    EXPECT_THAT(env.out, HasSubstr("HSA_ENABLE_SDMA"));
    EXPECT_THAT(env.out, HasSubstr("Measured here: +10.0 %"));
    auto const elsewhere = run(rocmtune_with(
        {"env", "--verified", report, "--replay", "example:mi300x-x8", "--format", "json"}));
    EXPECT_THAT(elsewhere.out, HasSubstr("measured-elsewhere"));
    auto const explained = run(rocmtune_with({"explain", "HSA_ENABLE_SDMA", "--verified", report}));
    EXPECT_THAT(explained.out, HasSubstr("Tuned: HSA_ENABLE_SDMA=0 is winner"));
    auto launch = tune(line, {"--setting", "HSA_ENABLE_SDMA=0", "--assume-read", "HSA_ENABLE_SDMA",
                              "--budget", "20", "--format", "sh"});
    std::erase(launch.words, "--json");
    auto const script = run(launch);
    EXPECT_THAT(script.out, HasSubstr("HSA_ENABLE_SDMA"));
    EXPECT_THAT(script.out, HasSubstr("rocmtune_deactivate"));
}

TEST_F(TuneCli, writes_the_script_that_a_file_name_asks_for) {
    auto const file = directory_.path() + "/settings.sh";
    auto launch = tune("[ \"$A\" = 1 ] && echo rate 110 || echo rate 100",
                       {"--setting", "A=1", "--budget", "20", "-o", file});
    std::erase(launch.words, "--json");
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("+10.0 %"));
    EXPECT_THAT(content_of(file), HasSubstr("A: Measured here: +10.0 %"));
    launch = tune("echo rate 100", {"--setting", "A=1", "--budget", "20", "-o", file});
    std::erase(launch.words, "--json");
    EXPECT_EQ(run(launch).code, 0);
    EXPECT_THAT(content_of(file), HasSubstr("Measured here: no candidate makes"));
}

TEST_F(TuneCli, shows_the_load_on_a_page_of_its_own) {
    auto const report = directory_.path() + "/observed.json";
    EXPECT_EQ(run(rocmtune_with({"tune", "--observe", "--json", "-o", report, "--also",
                                 "html:" + report + ".html", "--", "sleep", "1.5"}))
                  .code,
              0);
    EXPECT_THAT(content_of(report + ".html"), HasSubstr("Over time"));
    auto const joined = run(rocmtune_with({"report", report, "--format", "html"}));
    EXPECT_EQ(joined.code, 0) << joined.err;
    EXPECT_THAT(joined.out, HasSubstr("What limits it"));
    EXPECT_THAT(run(rocmtune_with({"report", report})).out, HasSubstr("Over time"));
}

TEST_F(TuneCli, starts_a_server_and_loads_it) {
    auto const file = directory_ / "served";
    auto const server = "echo ${A:-0} > " + file + "; echo listening >&2; exec sleep 1000";
    auto const load = "[ $(cat " + file + ") = 1 ] && echo rate 110 || echo rate 100";
    auto const it = tuned(
        server, {"--ready", "listening", "--load", load, "--setting", "A=1", "--budget", "20"}, 0);
    EXPECT_EQ(of(it, "A", "1")["verdict"], "winner");
    auto const silent = tuned(
        "exec sleep 1000",
        {"--ready", "listening", "--load", "echo rate 1", "--setting", "A=1", "--timeout", "0.3"},
        1);
    EXPECT_THAT(silent["reason"], HasSubstr("did not print 'listening' within 0.3 s"));
    auto const gone =
        tuned("exit 4", {"--ready", "x", "--load", "echo rate 1", "--setting", "A=1"}, 1);
    EXPECT_THAT(gone["reason"], HasSubstr("the server ended: exit code 4"));
}

TEST_F(TuneCli, only_observes) {
    auto const outcome = run(rocmtune_with({"tune", "--observe", "--region", "end=done", "--json",
                                            "--", "sh", "-c", "sleep 1; echo done; sleep 0.5"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    auto const it = json::parse(outcome.out)["tuning"];
    EXPECT_EQ(it["answer"], "observed");
    ASSERT_GE(it["limits"].size(), 1U);
    EXPECT_FALSE(it["limits"][0]["figures"].empty());
    EXPECT_GT(it["watched_seconds"].get<double>(), 1.0);
    ASSERT_EQ(it["regions"].size(), 1U);
    EXPECT_EQ(it["regions"][0]["name"], "end");
}

TEST_F(TuneCli, observes_a_server_while_it_is_loaded) {
    auto const fifo = directory_ / "asked";
    // Idle until it is asked; then it works for a second.
    auto const server = "mkfifo " + fifo + "; echo listening; read x <" + fifo +
                        "; echo asked; timeout 1.2 sh -c 'while :; do :; done'; echo done >" +
                        fifo + "; exec sleep 1000";
    auto const outcome = run(rocmtune_with(
        {"tune", "--observe", "--json", "--command", server, "--ready", "listening", "--load",
         "echo go >" + fifo + "; read x <" + fifo, "--region", "work=asked"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    auto const it = json::parse(outcome.out)["tuning"];
    EXPECT_GT(it["watched_seconds"].get<double>(), 1.0);
    EXPECT_GT(it["busiest_thread_share"]["mean"].get<double>(), 0.2);
    ASSERT_EQ(it["regions"].size(), 1U);
    auto const silent = run(rocmtune_with({"tune", "--observe", "--json", "--command", "exit 3",
                                           "--ready", "listening", "--load", "true"}));
    EXPECT_EQ(silent.code, 1);
    EXPECT_THAT(silent.err, HasSubstr("the server ended: exit code 3"));
}

TEST_F(TuneCli, goes_on_where_it_was_interrupted) {
    auto const count = directory_.path() + "/count";
    auto const line = std::string(program) + "; echo x >> " + count;
    Words words{"--setting", "A=1,2", "--setting", "B=1", "--budget", "0.15"};
    (void)tuned(line, words, 3);
    auto const before = std::ranges::count(content_of(count), 'x');
    words.back() = "20";
    words.emplace_back("--resume");
    auto const outcome = run(tune(line, words));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("runs are known"));
    auto const it = json::parse(outcome.out)["tuning"];
    EXPECT_EQ(it["answer"], "winner");
    EXPECT_LT(std::ranges::count(content_of(count), 'x') - before, it["runs"].get<long>());
}

}  // namespace
}  // namespace rocmtune::test
