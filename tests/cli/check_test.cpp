// SPDX-License-Identifier: MIT
// rocmtune check from the command line: its exit codes as one table, selection, expectations,
// baseline, accepted findings and every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

Outcome check(std::string const& host, Words more = {}) {
    Words words{"check", "--replay", host_file(host)};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

struct Row {
    char const* name;
    char const* host;
    Words more;
    int code;
};

void PrintTo(Row const& row, std::ostream* out) {
    *out << row.name;
}

Row const rows[] = {
    {"a_healthy_host", "mi300x-x8", {}, 0},
    {"warnings_alone", "rx7900xt-x2", {}, 0},
    {"warnings_that_count", "rx7900xt-x2", {"--fail-on", "warn"}, 1},
    {"no_warning_where_warnings_count", "mi300x-x8", {"--fail-on", "warn"}, 0},
    {"a_failing_host", "mi300x-degraded", {}, 1},
    {"a_failing_host_as_json", "mi300x-degraded", {"--json"}, 1},
    {"a_failing_host_in_silence", "mi300x-degraded", {"-q"}, 1},
    {"failures_that_do_not_count", "mi300x-degraded", {"--fail-on", "never"}, 0},
    {"no_access", "broken-permissions", {}, 1},
    {"no_access_that_does_not_count", "broken-permissions", {"--fail-on", "never"}, 0},
    {"no_gpu", "no-gpu", {}, 4},
    {"no_gpu_and_nothing_counts", "no-gpu", {"--fail-on", "never"}, 4},
    {"no_gpu_but_some_expected", "no-gpu", {"--expect-gpus", "8"}, 1},
    {"wsl_whose_libraries_were_not_asked", "wsl", {}, 3},
    {"the_expected_number", "mi300x-x8", {"--expect-gpus", "8"}, 0},
    {"another_number", "mi300x-x8", {"--expect-gpus", "7"}, 1},
    {"another_number_that_does_not_count",
     "mi300x-x8",
     {"--expect-gpus", "7", "--fail-on", "never"},
     0},
    {"partitions_are_rows", "mi300x-cpx", {"--expect-gpus", "16", "--expect-gpus", "modules=2"}, 0},
    {"dies_are_rows", "mi250x-x4", {"--expect-gpus", "8", "--expect-gpus", "modules=4"}, 0},
    {"one_check_that_is_not_essential_tests_no_gpu", "mi300x-x8", {"--only", "iommu"}, 3},
    {"an_advisory_that_holds_is_a_note", "strix-halo", {"--only", "RT9003"}, 3},
    {"an_advisory_that_there_is_not", "strix-halo", {"--only", "RT9999"}, 2},
    {"what_lint_finds_alone", "igpu-and-dgpu", {"--only", "lint"}, 3},
    {"an_essential_check_alone", "mi300x-x8", {"--only", "render-access"}, 0},
    {"all_essential_checks_left_out", "mi300x-x8", {"--skip", "driver,access,enumeration"}, 3},
    {"a_failure_among_others_left_out",
     "link-downtrained",
     {"--only", "pcie", "--fail-on", "warn"},
     1},
    {"a_container_with_some_gpus", "container-fewer-devices", {}, 0},
    {"the_level_that_there_is", "mi300x-x8", {"-l", "quick"}, 0},
    {"a_level_that_runs_programs_on_a_recorded_host", "mi300x-x8", {"-l", "long"}, 2},
    {"one_gpu_of_a_failing_host", "mi300x-degraded", {"--gpu", "kfd:5", "--only", "access,ras"}, 0},
    {"unknown_check", "mi300x-x8", {"--only", "link-widht"}, 2},
    {"unknown_level", "mi300x-x8", {"-l", "quik"}, 2},
    {"no_number_of_gpus", "mi300x-x8", {"--expect-gpus", "eight"}, 2},
    {"no_file_of_expectations", "mi300x-x8", {"--expect", "/nonexistent"}, 2},
    {"no_report_as_baseline", "mi300x-x8", {"--baseline", "/etc/passwd"}, 2},
    {"an_output_that_cannot_be_written", "mi300x-x8", {"-o", "/nonexistent/file"}, 2},
    {"nagios_ok", "mi300x-x8", {"--format", "nagios"}, 0},
    {"nagios_warning", "rx7900xt-x2", {"--format", "nagios"}, 1},
    {"nagios_critical", "mi300x-degraded", {"--format", "nagios"}, 2},
    {"nagios_unknown", "wsl", {"--format", "nagios"}, 3},
    {"nagios_without_gpu", "no-gpu", {"--format", "nagios"}, 3},
    {"nagios_wrong_use", "mi300x-x8", {"--format", "nagios", "--only", "x"}, 3},
    {"npd_ok", "mi300x-x8", {"--format", "npd"}, 0},
    {"npd_problem", "mi300x-degraded", {"--format", "npd"}, 1},
    {"npd_unknown", "wsl", {"--format", "npd"}, 2},
};

class CheckExit : public testing::TestWithParam<Row> {};

TEST_P(CheckExit, is_as_the_contract_says) {
    auto const result = check(GetParam().host, GetParam().more);
    EXPECT_EQ(result.code, GetParam().code) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(Contract, CheckExit, testing::ValuesIn(rows),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(CheckText, ends_with_the_counts_and_never_says_all_is_well_beside_a_warning) {
    auto const result = check("rx7900xt-x2");
    auto const last = result.out.substr(result.out.rfind('\n', result.out.size() - 2) + 1);
    // The IOMMU, and the debug switch that lint finds in the environment of this host.
    EXPECT_THAT(last, HasSubstr(" 2 warn"));
    EXPECT_THAT(last, HasSubstr("2 of 2 GPUs judged (level quick)"));
    EXPECT_THAT(result.out, Not(HasSubstr("all passed")));
}

TEST(CheckText, names_the_gpu_the_finding_and_the_command) {
    auto const out = check("mi300x-degraded").out;
    EXPECT_THAT(out, HasSubstr("fail RT3301    0000:85:00.0: the link runs with 8 of 16 lanes"));
    EXPECT_THAT(out, HasSubstr("do: sudo amd-smi set --perf-level auto -g 0000:65:00.0"));
}

TEST(CheckText, fits_the_screen) {
    for (auto const width : {80, 100})
        for (auto const& host : {"mi300x-degraded", "container-fewer-devices", "wsl", "no-gpu"}) {
            auto launch = rocmtune_with({"check", "--replay", host_file(host), "-v"});
            launch.environment["COLUMNS"] = std::to_string(width);
            std::istringstream lines(run(launch).out);
            for (std::string line; std::getline(lines, line);)
                EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << host << ": " << line;
        }
}

TEST(CheckText, with_v_shows_every_result_and_what_it_rests_on) {
    auto const out = check("rx7900xt", {"-v"}).out;
    EXPECT_THAT(out, HasSubstr("pass RT3011"));
    EXPECT_THAT(out, HasSubstr("access: /dev/kfd"));
}

TEST(CheckDocument, counts_what_it_lists) {
    auto const document = json::parse(check("mi300x-degraded", {"--json"}).out);
    std::map<std::string, std::size_t> counted;
    for (auto const& finding : document["findings"]) ++counted[finding["verdict"]];
    for (auto const& [verdict, count] : document["summary"]["verdicts"].items())
        EXPECT_EQ(count.get<std::size_t>(), counted[verdict]) << verdict;
    EXPECT_EQ(document["summary"]["level"], "quick");
    EXPECT_EQ(document["summary"]["gpus_judged"], 4);
    EXPECT_EQ(document["exit_code"], 1);
}

TEST(CheckSelection, leaves_exactly_what_was_asked_for) {
    auto const only =
        json::parse(check("mi300x-x8", {"--only", "RT3301,xgmi-links", "--json"}).out);
    std::set<std::string> ids;
    for (auto const& finding : only["findings"]) ids.insert(finding["id"]);
    EXPECT_THAT(ids, testing::ElementsAre("RT3301", "RT3321"));
    auto const rest = json::parse(check("mi300x-x8", {"--skip", "pcie", "--json"}).out);
    for (auto const& finding : rest["findings"])
        EXPECT_THAT(finding["id"].get<std::string>(), Not(testing::StartsWith("RT330")));
}

TEST(CheckSelection, takes_an_advisory_by_its_id_and_the_findings_of_lint) {
    auto const ids_of = [](Outcome const& result) {
        std::set<std::string> ids;
        auto const document = json::parse(result.out);
        for (auto const& finding : document["findings"])
            ids.insert(finding["id"].get<std::string>() + ' ' +
                       finding["verdict"].get<std::string>());
        return ids;
    };
    EXPECT_THAT(ids_of(check("strix-halo", {"--only", "RT9003", "--json"})),
                testing::ElementsAre("RT9003 info"));
    EXPECT_THAT(ids_of(check("rx7900xt", {"--only", "RT9003", "--json"})),
                testing::ElementsAre("RT9003 pass"));
    EXPECT_THAT(ids_of(check("strix-halo", {"--skip", "RT9003", "--json"})),
                Not(testing::Contains("RT9003 info")));
    EXPECT_THAT(ids_of(check("igpu-and-dgpu", {"--only", "lint", "--json"})),
                testing::Each(testing::StartsWith("RT5")));
}

TEST(CheckSelection, suggests_the_nearest_name) {
    EXPECT_THAT(check("rx7900xt", {"--skip", "link-widht"}).err,
                HasSubstr("did you mean 'link-width'?"));
}

TEST(Expectations, learned_from_a_host_hold_on_it_and_not_on_another) {
    Directory const directory;
    auto const file = directory / "expect.json";
    EXPECT_EQ(check("mi300x-x8", {"--learn", file}).code, 0);
    auto const same = check("mi300x-x8", {"--expect", file, "--json"});
    EXPECT_EQ(same.code, 0);
    EXPECT_THAT(same.out, HasSubstr("RT3903"));
    auto const other = check("mi210-x8", {"--expect", file});
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.out, HasSubstr("gfx_target is gfx90a, expected gfx942"));
    EXPECT_THAT(other.out, Not(HasSubstr("RT3901")));  // eight of both
}

TEST(Expectations, of_the_host_fail_where_it_is_another) {
    Directory const directory;
    write_file(directory / "e",
               R"({"schema": "rocmtune-expectations", "host": {"kernel_release": "1.0"}})");
    auto const result = check("mi300x-x8", {"--expect", directory / "e"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, HasSubstr("fail RT3902    kernel_release is"));
    EXPECT_THAT(result.out, HasSubstr("expected 1.0"));
}

TEST(Expectations, are_not_learned_from_a_failing_host) {
    Directory const directory;
    auto const result = check("mi300x-degraded", {"--learn", directory / "expect.json"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("nothing learned"));
    EXPECT_THAT(directory.names(), testing::IsEmpty());
}

TEST(Expectations, are_not_learned_where_there_is_no_gpu) {
    Directory const directory;
    auto const result = check("no-gpu", {"--learn", directory / "expect.json"});
    EXPECT_EQ(result.code, 4);
    EXPECT_THAT(result.err, HasSubstr("nothing learned: no AMD GPU was found"));
    EXPECT_THAT(directory.names(), testing::IsEmpty());
}

TEST(Expectations, are_not_learned_from_a_part_of_the_checks_or_where_one_could_not_tell) {
    Directory const directory;
    auto const file = directory / "expect.json";
    EXPECT_EQ(check("mi300x-x8", {"--learn", file, "--only", "access"}).code, 2);
    auto const wsl = check("wsl", {"--learn", file});
    EXPECT_THAT(wsl.err, HasSubstr("nothing learned"));
    EXPECT_THAT(directory.names(), testing::IsEmpty());
    EXPECT_THAT(check("mi300x-x8", {"--learn", file}).err, HasSubstr("learned: 8 GPUs, "));
}

TEST(Expectations, of_unknown_facts_are_refused_with_their_place) {
    Directory const directory;
    write_file(directory / "e", R"({"schema": "rocmtune-expectations", "each_gpu": {"vram": 1}})");
    auto const result = check("mi300x-x8", {"--expect", directory / "e"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("/each_gpu/vram: no such fact"));
}

TEST(Expectations, and_reports_that_nest_deep_are_refused_and_end_no_process) {
    Directory const directory;
    constexpr std::size_t levels = 300'000;
    auto const nest = std::string(levels, '[') + std::string(levels, ']');
    for (std::string const& file :
         {R"({"schema":"rocmtune-expectations","gpus":)" + nest + "}",
          R"({"schema":"rocmtune-report","schema_version":"1.0","host":{"gpus":)" + nest + "}}",
          R"({"schema":"rocmtune-report","schema_version":"1.0","findings":)" + nest + "}"}) {
        write_file(directory / "e", file);
        EXPECT_EQ(check("mi300x-x8", {"--expect", directory / "e"}).code, 2);
        EXPECT_EQ(check("mi300x-x8", {"--baseline", directory / "e"}).code, 2);
        EXPECT_EQ(
            run({"env", "--replay", host_file("mi300x-x8"), "--verified", directory / "e"}).code,
            2);
    }
}

TEST(CheckText, of_a_host_that_cannot_be_read_for_a_limit_is_undetermined) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizers need files of their own to look at memory";
#endif
    Launch launch;
    launch.words = {"/bin/sh", "-c", "ulimit -n 5; exec \"$0\" check", ROCMTUNE_BINARY};
    auto const result = run(launch);
    EXPECT_EQ(result.code, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("cannot start the process that reads the host"));
    EXPECT_THAT(result.err, HasSubstr("ulimit -n"));
}

TEST(CheckText, needs_no_thread_to_end_well) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizers need more address space than a limit leaves";
#endif
    Launch launch;
    // A thread's stack is as large as the limit of stacks, and does not fit into the address space.
    launch.words = {"/bin/sh", "-c",
                    "ulimit -s 16000000 && ulimit -v 8000000 || exit 99; exec \"$0\" check "
                    "--replay \"$1\"",
                    ROCMTUNE_BINARY, host_file("mi300x-x8")};
    auto const result = run(launch);
    if (result.code == 99) GTEST_SKIP() << "limits cannot be set here";
    EXPECT_EQ(result.code, 0) << result.err;
}

TEST(CheckText, says_why_nothing_was_tested_and_what_to_run_instead) {
    auto const part = check("mi300x-x8", {"--only", "link-width", "--json"});
    EXPECT_EQ(part.code, 3);
    EXPECT_THAT(part.err, HasSubstr("no essential check was among those asked for"));
    auto const error = json::parse(part.out).at("errors").at(0);
    EXPECT_EQ(error.at("exit_code"), 3);
    EXPECT_THAT(error.at("hint").get<std::string>(), HasSubstr("--only access,..."));
    auto const more = check("mi300x-x8", {"--only", "access,link-width"});
    EXPECT_EQ(more.code, 0) << "what the hint says";
    EXPECT_EQ(more.err, "");
}

TEST(Expectations, that_would_be_overlooked_are_refused) {
    Directory const directory;
    for (auto const& [rest, problem] :
         {std::pair{R"("gpu": 8)", "/gpu: no such expectation"},
          std::pair{R"("schema_version": "2.0", "gpus": 8)", "/schema_version: this program reads"},
          std::pair{R"("host": {}, "strict": false)", "it expects nothing"}}) {
        write_file(directory / "e",
                   fmt::format(R"({{"schema": "rocmtune-expectations", {}}})", rest));
        auto const result = check("mi300x-x8", {"--expect", directory / "e"});
        EXPECT_EQ(result.code, 2) << rest;
        EXPECT_THAT(result.err, HasSubstr(problem));
    }
}

TEST(Baseline, of_the_same_host_shows_no_growth) {
    Directory const directory;
    auto const file = directory / "report.json";
    check("link-downtrained", {"--json", "-o", file});
    EXPECT_THAT(check("link-downtrained", {"--baseline", file, "--json"}).out,
                HasSubstr("no error counter has grown"));
}

TEST(Baseline, shows_what_has_grown_and_what_is_gone) {
    Directory const directory;
    auto const file = directory / "report.json";
    auto document = json::parse(check("link-downtrained", {"--json"}).out);
    auto& gpu = document["host"]["gpus"][0];
    gpu["pcie_replay_count"] = 1;
    auto gone = gpu;
    gone["pci_address"] = "0000:99:00.0";
    document["host"]["gpus"].push_back(gone);
    write_file(file, document.dump());
    auto const result = check("link-downtrained", {"--baseline", file});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, HasSubstr("pcie_replay_count has grown from 1 to 41"));
    EXPECT_THAT(result.out, HasSubstr("fail RT3904    0000:99:00.0"));
}

TEST(Baseline, of_which_a_counter_cannot_be_read_any_more_is_unknown) {
    Directory const directory;
    auto document = json::parse(check("link-downtrained", {"--json"}).out);
    // This host has no such block: it was readable only then.
    document["host"]["gpus"][0]["ras_blocks"] =
        json::array({{{"name", "umc"}, {"uncorrectable", 0}, {"correctable", 2}}});
    write_file(directory / "report.json", document.dump());
    auto const result =
        check("link-downtrained", {"--baseline", directory / "report.json", "--json"});
    EXPECT_THAT(result.out, HasSubstr("not to be read now: umc correctable, umc uncorrectable"));
    EXPECT_THAT(result.out, Not(HasSubstr("no error counter has grown")));
}

TEST(Baseline, of_another_host_or_without_gpus_is_compared_with_nothing) {
    Directory const directory;
    auto document = json::parse(check("link-downtrained", {"--json"}).out);
    document["host"]["hostname"] = "elsewhere";
    document["host"]["gpus"][0]["unique_id"] = "0000000000000001";
    write_file(directory / "report.json", document.dump());
    auto const other =
        check("link-downtrained", {"--baseline", directory / "report.json", "--json"});
    EXPECT_THAT(other.out, HasSubstr("the baseline is a report of elsewhere, this is"));
    EXPECT_THAT(other.out, Not(HasSubstr("no error counter has grown")));
    document["host"]["gpus"] = json::array();
    write_file(directory / "report.json", document.dump());
    auto const none = check("link-downtrained", {"--baseline", directory / "report.json"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("the report has no GPUs"));
}

TEST(Accepted, findings_are_skipped_until_their_day) {
    Directory const directory;
    write_file(directory / "ignore",
               "# known\nRT3301 0000:0b:00.0 2999-12-31 riser on order\n"
               "link-speed * 2001-01-01 long over\n");
    auto const result =
        check("link-downtrained", {"--ignore", directory / "ignore", "--fail-on", "warn"});
    EXPECT_EQ(result.code, 0) << result.out;
    EXPECT_THAT(result.out, HasSubstr("info RT3905    line 3: link-speed was accepted until"));
    EXPECT_THAT(result.out, HasSubstr("info RT3302"));
}

TEST(Accepted, lines_that_match_nothing_are_told_of_when_all_checks_ran) {
    Directory const directory;
    write_file(directory / "ignore", "RT3301 * 2999-12-31 riser on order\n");
    auto const ignore = directory / "ignore";
    EXPECT_THAT(check("mi300x-x8", {"--ignore", ignore}).out,
                HasSubstr("line 1: RT3301 * matches nothing that was found (riser on order)"));
    EXPECT_THAT(check("mi300x-x8", {"--ignore", ignore, "--only", "access"}).out,
                Not(HasSubstr("matches nothing")));
}

TEST(CheckSelection, of_a_check_that_the_level_leaves_out_says_which_level_it_needs) {
    for (auto const& [word, level] :
         {std::pair{"matrix-rate", "medium"}, std::pair{"measured", "medium"},
          std::pair{"RT3805", "long"}}) {
        auto const result = check("mi300x-x8", {"--only", word});
        EXPECT_EQ(result.code, 2);
        EXPECT_THAT(result.err,
                    HasSubstr(fmt::format("--only {} needs the level {}", word, level)));
    }
}

TEST(CheckText, resets_one_gpu_and_not_all_of_them) {
    auto const result = check("mi300x-degraded", {"--json"});
    auto const document = json::parse(result.out);
    for (auto const& finding : document["findings"]) {
        auto const step = finding["next_step"].dump();
        EXPECT_THAT(step, Not(testing::EndsWith("--gpureset\""))) << finding;
    }
}

TEST(Accepted, lines_without_a_date_or_reason_are_refused) {
    Directory const directory;
    for (auto const* line :
         {"RT3301 *", "RT3301 * tomorrow later", "RT3301 * 2999-13-01 x", "RT3301 * 2999-12-31",
          "RT33O1 * 2999-12-31 x", "RT3301 * 2999-02-30 x", "RT3301 * 2999-04-31 x",
          "lnik * 2999-12-31 x"}) {
        write_file(directory / "ignore", line);
        auto const result = check("rx7900xt", {"--ignore", directory / "ignore"});
        EXPECT_EQ(result.code, 2) << line;
        EXPECT_THAT(result.err, HasSubstr("line 1: ")) << line;
    }
}

TEST(CheckFormats, belong_to_check_only) {
    EXPECT_EQ(run({"probe", "--format", "junit"}).code, 2);
    Directory const directory;
    EXPECT_EQ(check("mi300x-x8", {"--also", "junit:" + (directory / "j")}).code, 0);
    EXPECT_THAT(content_of(directory / "j"), HasSubstr("<testsuites tests="));
}

TEST(Explain, of_a_finding_says_what_it_means_and_what_this_host_has_of_it) {
    auto const result = run({"explain", "RT3301", "--replay", host_file("link-downtrained")});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("the PCIe link has fewer lanes"));
    EXPECT_THAT(result.out, HasSubstr("the check link-width"));
    EXPECT_THAT(result.out, HasSubstr("0000:0b:00.0: warn the link runs with 4 of 16 lanes"));
    auto const unknown = run({"explain", "RT3399", "--replay", host_file("no-gpu")});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("there is no finding RT3399"));
}

}  // namespace
}  // namespace rocmtune::test
