// SPDX-License-Identifier: MIT
// rocmtune verify as a user runs it, with commands that print made-up figures. That the figures of
// real benchmarks give the right verdicts is shown by bench/self/verify.sh: a test must not depend
// on how busy its machine is.
#include <chrono>
#include <thread>

#include <sys/stat.h>

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

/// A command whose figure depends on X and Y, and a program that reads them by assertion.
constexpr char const* figures =
    "case $X$Y in 1) v=110;; 2) v=80;; 3) v=100.3;; *) v=100;; esac; echo rate $v MB/s";

Launch verify(std::string command, Words words) {
    Words all{"verify", "--command", std::move(command)};
    all.insert(all.end(), words.begin(), words.end());
    return rocmtune_with(std::move(all));
}

/// The verdict of X=`value`, taken on the user's word to be read.
json finding_of(std::string const& value, Words words = {}, int code = 0,
                std::string const& command = figures) {
    for (auto const* const word : {"--metric", "rate", "--assume-read", "X", "--json", "--setting"})
        words.emplace_back(word);
    words.push_back("X=" + value);
    auto const outcome = run(verify(command, std::move(words)));
    EXPECT_EQ(outcome.code, code) << outcome.err;
    auto document = json::parse(outcome.out, nullptr, false);
    EXPECT_EQ(document["exit_code"], code);
    EXPECT_EQ(document["command"], "verify");
    return document["findings"].empty() ? json() : document["findings"][0];
}

TEST(Verify, measures_words_behind_the_dashes_without_a_shell) {
    Directory const directory;
    write_file(directory / "program", "#!/bin/sh\necho \"$*\" >&2; echo rate ${X:-2}\n");
    ::chmod((directory / "program").c_str(), 0755);
    Words const words{"verify", "--metric", "rate", "--assume-read",       "X",      "--setting",
                      "X=3",    "--json",   "--",   directory / "program", "--json", "$HOME;exit"};
    auto const outcome = run(rocmtune_with(words));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    auto const document = json::parse(outcome.out);
    EXPECT_EQ(document["findings"][0]["verdict_setting"], "confirmed");
    EXPECT_NEAR(document["findings"][0]["effect"].get<double>(), 0.5, 1e-9);
}

TEST(Verify, says_that_a_program_is_not_there) {
    auto const outcome = run(rocmtune_with(
        {"verify", "--assume-read", "X", "--setting", "X=1", "--json", "--", "/no/such/program"}));
    auto const finding = json::parse(outcome.out)["findings"][0];
    EXPECT_EQ(finding["verdict_setting"], "inconclusive");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("could not be started"));
}

TEST(Verify, confirms_what_is_better) {
    auto const finding = finding_of("1");
    EXPECT_EQ(finding["verdict_setting"], "confirmed");
    EXPECT_EQ(finding["id"], "RT6001");
    EXPECT_EQ(finding["verdict"], "pass");
    EXPECT_EQ(finding["name"], "X");
    EXPECT_EQ(finding["value"], "1");
    EXPECT_NEAR(finding["effect"].get<double>(), 0.1, 1e-9);
    EXPECT_NEAR(finding["low"].get<double>(), 0.1, 1e-9);
    EXPECT_NEAR(finding["high"].get<double>(), 0.1, 1e-9);
}

TEST(Verify, calls_harmful_what_is_worse) {
    auto const finding = finding_of("2", {}, 1);
    EXPECT_EQ(finding["verdict_setting"], "harmful");
    EXPECT_NEAR(finding["effect"].get<double>(), -0.2, 1e-9);
}

TEST(Verify, calls_without_effect_what_is_within_the_margin) {
    EXPECT_EQ(finding_of("3")["verdict_setting"], "no-effect");
    EXPECT_EQ(finding_of("3", {"--margin", "0.1"})["verdict_setting"], "confirmed");
}

TEST(Verify, turns_round_if_less_is_better) {
    EXPECT_EQ(finding_of("2", {"--better", "lower"})["verdict_setting"], "confirmed");
    auto const time = "case $X in 1) v=110;; *) v=100;; esac; echo rate $v ms";
    EXPECT_EQ(finding_of("1", {}, 1, time)["verdict_setting"], "harmful");
}

TEST(Verify, compares_with_an_environment_without_the_setting) {
    auto launch =
        verify(figures, {"--metric", "rate", "--assume-read", "X", "--setting", "X=1", "--json"});
    launch.environment["X"] = "2";
    auto document = json::parse(run(launch).out);
    EXPECT_NEAR(document["findings"][0]["effect"].get<double>(), 0.1, 1e-9);
}

TEST(Verify, clears_what_is_set_with_unset) {
    auto launch =
        verify(figures, {"--metric", "rate", "--assume-read", "X", "--unset", "X", "--json"});
    launch.environment["X"] = "2";
    auto document = json::parse(run(launch).out);
    EXPECT_NEAR(document["findings"][0]["effect"].get<double>(), 0.25, 1e-9);
    EXPECT_TRUE(document["findings"][0]["value"].is_null());
}

TEST(Verify, without_a_witness_is_not_measurable) {
    auto const outcome = run(
        verify("echo rate 1", {"--metric", "rate", "--setting", "HSA_ENABLE_SDMA=0", "--json"}));
    EXPECT_EQ(outcome.code, 3);
    auto const finding = json::parse(outcome.out)["findings"][0];
    EXPECT_EQ(finding["verdict_setting"], "not-measurable");
    EXPECT_THAT(finding["message"].get<std::string>(),
                HasSubstr("no reader of HSA_ENABLE_SDMA in 'echo rate 1'"));
    EXPECT_TRUE(finding["effect"].is_null());
}

TEST(Verify, finds_the_witness_in_the_tree_of_the_command) {
    // Any mapped file of the name will do: here a grandchild bears it itself.
    Directory const directory;
    std::filesystem::copy_file("/bin/sleep", directory / "libhsa-runtime64.so.1");
    auto const outcome = run(
        verify("(" + (directory / "libhsa-runtime64.so.1") + " 0.5; true); echo rate 1",
               {"--metric", "rate", "--setting", "HSA_ENABLE_SDMA=0", "--json", "--budget", "2"}));
    auto const finding = json::parse(outcome.out)["findings"][0];
    EXPECT_EQ(finding["verdict_setting"], "inconclusive");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("the budget of 2 s holds"));
    EXPECT_THAT(finding["evidence"][0]["value"].get<std::string>(),
                HasSubstr("libhsa-runtime64.so.1"));
}

TEST(Verify, a_setting_with_which_the_command_dies_is_harmful) {
    auto const finding = finding_of("1", {}, 1, "[ -z \"$X\" ] || kill -SEGV $$; echo rate 5");
    EXPECT_EQ(finding["verdict_setting"], "harmful");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("killed by SIGSEGV"));
    EXPECT_TRUE(finding["effect"].is_null());
}

TEST(Verify, a_setting_with_which_the_command_hangs_is_harmful) {
    auto const finding =
        finding_of("1", {"--timeout", "0.3"}, 1, "[ -z \"$X\" ] || sleep 1000; echo rate 5");
    EXPECT_EQ(finding["verdict_setting"], "harmful");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("did not end within 0.3 s"));
}

TEST(Verify, a_command_that_fails_by_itself_decides_nothing) {
    for (auto const& [command, why] : std::map<std::string, std::string>{
             {"echo oops >&2; exit 3", "exit code 3; it printed last: oops"},
             {"true", "it printed nothing"},
             {"echo rate fast", "no number stands behind the match"},
             {"echo rate 0", "only numbers above 0"},
             {"/no/such/program", "exit code 127"}}) {
        auto const finding = finding_of("1", {}, 1, command);
        EXPECT_EQ(finding["verdict_setting"], "inconclusive") << command;
        EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr(why));
    }
}

TEST(Verify, knows_that_less_time_is_better_without_a_run_that_succeeds) {
    auto const result =
        run({"verify", "--setting", "A=1", "--assume-read", "A", "--", "sh", "-c", "exit 3"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, testing::StartsWith("command, time (lower is better)\n"));
}

TEST(Verify, another_unit_is_a_failure) {
    auto const finding =
        finding_of("1", {}, 1, "[ -z \"$X\" ] && echo rate 5 GB/s || echo rate 5 MB/s");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("another unit: 'MB/s'"));
}

TEST(Verify, measures_several_settings_singly_and_together) {
    Directory const directory;
    write_file(directory / "new.env", "# settings\nexport X=1\n\nY='2'\n");
    auto const outcome =
        run(verify("v=100; [ -z \"$X\" ] || v=$((v*12/10)); [ -z \"$Y\" ] || "
                   "v=$((v*5/10)); echo '{\"a\":{\"rate\":'$v'}}'",
                   {"--metric", "/a/rate", "--assume-read", "X", "--assume-read", "Y", "--env-file",
                    directory / "new.env", "--json"}));
    EXPECT_EQ(outcome.code, 1);
    auto document = json::parse(outcome.out);
    ASSERT_EQ(document["findings"].size(), 3U);
    EXPECT_EQ(document["findings"][0]["verdict_setting"], "confirmed");
    EXPECT_EQ(document["findings"][1]["verdict_setting"], "harmful");
    EXPECT_EQ(document["findings"][2]["name"], "together");
    EXPECT_EQ(document["findings"][2]["value"], "X=1 Y=2");
    EXPECT_NEAR(document["findings"][2]["effect"].get<double>(), -0.4, 1e-9);
    EXPECT_EQ(document["summary"]["verify"]["asserted"], (json{"X", "Y"}));
}

TEST(Verify, keeps_every_figure) {
    auto const outcome = run(
        verify(figures, {"--metric", "rate", "--assume-read", "X", "--setting", "X=1", "--json"}));
    auto document = json::parse(outcome.out);
    ASSERT_EQ(document["measurements"].size(), 2U);
    auto const blocks = document["summary"]["verify"]["blocks"].get<std::size_t>();
    EXPECT_GE(blocks, 8U);
    for (auto const& one : document["measurements"]) {
        EXPECT_EQ(one["samples"].size(), 2 * blocks);
        EXPECT_EQ(one["unit"], "MB/s");
        EXPECT_EQ(one["benchmark"], "command");
    }
    EXPECT_EQ(document["measurements"][1]["value"], 110);
}

TEST(Verify, self_test_says_what_would_show) {
    auto const outcome = run(verify("echo rate 7", {"--metric", "rate", "--self-test", "--json"}));
    EXPECT_EQ(outcome.code, 0);
    auto document = json::parse(outcome.out);
    EXPECT_EQ(document["findings"][0]["id"], "RT6006");
    EXPECT_NEAR(document["summary"]["verify"]["smallest_effect"].get<double>(), 0.02, 1e-9);
}

TEST(Verify, of_a_benchmark_names_the_reader_that_ran) {
    auto launch = rocmtune_with({"verify", "--setting", "NOBODY_READS_THIS=1", "--benchmark",
                                 "bandwidth", "--backend", "cpu", "--size", "65536", "--json"});
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, 3);
    auto const finding = json::parse(outcome.out)["findings"][0];
    EXPECT_EQ(finding["message"],
              "NOBODY_READS_THIS=1: not measurable: no reader of "
              "NOBODY_READS_THIS in bandwidth triad on cpu:0; use --command");
}

TEST(Verify, of_a_benchmark_gives_a_verdict) {
    // Noise seldom reaches this margin; where it does, nothing may be claimed.
    auto const outcome =
        run(rocmtune_with({"verify", "--setting", "NOBODY_READS_THIS=1", "--assume-read",
                           "NOBODY_READS_THIS", "--benchmark", "bandwidth", "--backend", "cpu",
                           "--size", "65536", "--margin", "1000", "--budget", "600", "--json"}));
    auto document = json::parse(outcome.out);
    auto const verdict = document["findings"][0]["verdict_setting"].get<std::string>();
    EXPECT_THAT(verdict, testing::AnyOf("no-effect", "inconclusive"));
    EXPECT_EQ(outcome.code, verdict == "no-effect" ? 0 : 3) << outcome.out;
    EXPECT_EQ(document["measurements"][0]["metric"], "triad");
    EXPECT_EQ(document["measurements"][0]["backend"], "cpu");
    EXPECT_EQ(document["measurements"][0]["unit"], "GB/s");
}

TEST(Verify, compares_types_and_libraries_of_matrix_products) {
    auto const outcome =
        run(rocmtune_with({"verify", "--setting", "precision=fp64", "--backend", "cpu", "--size",
                           "256", "--margin", "1000", "--budget", "600", "--json"}));
    if (outcome.err.find("openblas is not installed") != std::string::npos)
        GTEST_SKIP() << outcome.err;
    auto document = json::parse(outcome.out);
    ASSERT_FALSE(document["findings"].empty()) << outcome.out << outcome.err;
    EXPECT_THAT(document["findings"][0]["verdict_setting"].get<std::string>(),
                testing::AnyOf("no-effect", "inconclusive"));
    // How much slower fp64 is here is the machine's business; that it was measured is ours.
    EXPECT_TRUE(document["findings"][0]["effect"].is_number());
    EXPECT_THAT(document["findings"][0]["message"].get<std::string>(), HasSubstr("precision=fp64"));
}

TEST(Verify, a_type_that_the_device_lacks_is_not_harmful) {
    auto const outcome = run(rocmtune_with(
        {"verify", "--setting", "precision=fp8", "--backend", "cpu", "--size", "256", "--json"}));
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("precision=fp8 cannot be measured on cpu:0: unsupported"));
}

TEST(Verify, what_needs_a_second_gpu_is_undetermined_without_one) {
    auto const outcome = run(rocmtune_with(
        {"verify", "--setting", "NCCL_MIN_NCHANNELS=32", "--backend", "cpu", "--json"}));
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("unsupported: there is no second GPU among those chosen"));
}

TEST(Verify, a_report_of_it_decides_what_env_says) {
    Directory const directory;
    auto const host = std::string("example:mi300x-x8");
    auto const advice =
        json::parse(run(rocmtune_with({"env", "--replay", host, "--workload", "llm-training",
                                       "--format", "json", "--force"}))
                        .out);
    auto const& first = advice["settings"]["items"].at(0);
    auto const name = first["name"].get<std::string>();
    auto const setting = name + '=' + first["value"].get<std::string>();
    auto const outcome = run(verify("[ -z \"$" + name + "\" ] && echo rate 2 || echo rate 1",
                                    {"--metric", "rate", "--assume-read", name, "--setting",
                                     setting, "--json", "-o", directory / "verified.json"}));
    EXPECT_EQ(outcome.code, 1);
    auto const with = json::parse(
        run(rocmtune_with({"env", "--replay", host, "--workload", "llm-training", "--format",
                           "json", "--force", "--verified", directory / "verified.json"}))
            .out);
    for (auto const& item : with["settings"]["items"]) EXPECT_NE(item["name"], name);
    bool said = false;
    for (auto const& open : with["undecided"])
        said = said || (open["name"] == name && open["reason"] == "measured-harmful");
    EXPECT_TRUE(said);
}

TEST(Verify, interrupted_prints_what_it_knows) {
    Running running(verify("sleep 0.05; echo rate 5", {"--metric", "rate", "--assume-read", "X",
                                                       "--setting", "X=1", "--json"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    running.send(SIGINT);
    auto const outcome = running.finish();
    EXPECT_EQ(outcome.signal, SIGINT);
    auto document = json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << outcome.out;
    EXPECT_EQ(document["exit_code"], 130);
    EXPECT_EQ(document["findings"].size(), 1U);
    EXPECT_THAT(document["errors"][0]["message"].get<std::string>(), HasSubstr("SIGINT"));
}

TEST(Verify, shows_a_table) {
    auto const outcome =
        run(verify(figures, {"--metric", "rate", "--assume-read", "X", "--setting", "X=2"}));
    EXPECT_THAT(outcome.out, HasSubstr("X=2      harmful  -20.0 %  -20.0 % to -20.0 %"));
    EXPECT_THAT(outcome.out, HasSubstr("RT6003 X=2: harmful -20.0 %"));
    EXPECT_THAT(outcome.out, HasSubstr("X is read: asserted"));
}

struct Wrong {
    Words words;
    char const* says;
};

TEST(Verify, refuses_what_makes_no_sense) {
    Directory const directory;
    write_file(directory / "bad.env", "A=1\nif true; then\n");
    write_file(directory / "shell.env", "A=1\nexport B=\"$HOME/x\"\n");
    for (auto const& [words, says] : std::vector<Wrong>{
             {{"--setting", "X"}, "'X' is no setting"},
             {{"--setting", "9=1"}, "'9=1' is no setting"},
             {{"--setting", "X=1", "--setting", "X=2"}, "X is named twice"},
             {{"--unset", "NOT_SET_HERE"}, "--unset NOT_SET_HERE: it is not set here"},
             {{"--env-file", directory / "bad.env"}, "line 2: 'if true; then' is no setting"},
             {{"--env-file", directory / "shell.env"},
              "line 2: only a shell can tell the value of B"},
             {{"--setting", "precision=bf16", "--benchmark", "vpoc"},
              "precision is a choice of gemm alone"},
             {{"--command", "x", "--benchmark", "gemm"}, "exclude each other"},
             {{"--command", "x", "--gpu", "0"}, "--gpu belongs to --benchmark"},
             {{"--command", "x", "--metric", "("}, "is no regular expression"},
             {{"--command", "x", "--", "y"}, "not in both"},
             {{"--benchmark", "gemm", "--", "y"}, "exclude each other"},
             {{"--setting", "X=1", "y"}, "unexpected argument 'y' before --"},
             {{"--better", "lower"}, "--better belongs to --command"},
             {{"--self-test", "--setting", "X=1"}, "--self-test changes nothing"},
             {{"--margin", "0", "--setting", "X=1"}, "--margin needs a number of at least 0.01"},
             {{"--gpu", "0", "--gpu", "1"}, "verify measures one device"},
             {{"--gpu", "0,hip:1"}, "verify measures one device"},
             {{"--gpu", "0,"}, "a place of the list is empty"}}) {
        auto all = words;
        all.insert(all.begin(), "verify");
        auto const outcome = run(rocmtune_with(all));
        EXPECT_EQ(outcome.code, 2) << says;
        EXPECT_THAT(outcome.err, HasSubstr(says));
    }
}

TEST(Verify, without_anything_to_measure_says_so) {
    auto const outcome = run(rocmtune_with({"verify", "--backend", "cpu", "--json"}));
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("no recommendation for this host can be measured"));
}

}  // namespace
}  // namespace rocmtune::test
