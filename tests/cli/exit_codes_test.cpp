// SPDX-License-Identifier: MIT
// The exit codes of rocmtune(1) as one table, and the streams that belong to them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/mount.h>
#include <sys/stat.h>

#include "support/other_user.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Words = std::vector<std::string>;

enum class Prints { text, document, nothing };

/// One line of the contract. @HOST stands for a recorded host, @NOGPU for one without GPUs, @DIR
/// for an empty directory, @FILE for a file that does not exist, @JUNK for one that is no
/// recording.
struct Row {
    char const* name;
    Words words;
    int code;
    char const* says;  ///< part of what standard error says; empty: it says nothing
    Prints prints = Prints::nothing;
};

void PrintTo(Row const& row, std::ostream* out) {
    *out << testing::PrintToString(row.words);
}

Row const rows[] = {
    // fine
    {"rocmtune_alone", {}, 0, "", Prints::text},
    {"this_host", {"probe"}, 0, "", Prints::text},
    {"this_host_as_json", {"probe", "--json"}, 0, "", Prints::document},
    {"a_host_without_gpu", {"probe", "--replay", "@NOGPU"}, 0, "", Prints::text},
    {"a_host_without_gpu_as_json",
     {"probe", "--replay", "@NOGPU", "--json"},
     0,
     "",
     Prints::document},
    {"a_report_of_a_host_without_gpu", {"report", "--replay", "@NOGPU"}, 0, "", Prints::text},
    {"a_report_as_json", {"report", "--replay", "@NOGPU", "--json"}, 0, "", Prints::document},
    {"a_page", {"report", "--replay", "@NOGPU", "--format", "html"}, 0, "", Prints::text},
    {"a_report_of_no_report", {"report", "@JUNK"}, 2, "this is no JSON"},
    {"a_report_of_no_file", {"report", "@FILE"}, 2, "cannot read"},
    {"an_expectation_that_is_no_json",
     {"check", "--replay", "@HOST", "--expect", "@JUNK"},
     2,
     "@JUNK: not valid JSON: parse error at line 1, column "},
    {"a_baseline_that_is_no_json",
     {"check", "--replay", "@HOST", "--baseline", "@JUNK"},
     2,
     "@JUNK: this is no JSON, from line 1, column "},
    {"a_list_of_accepted_findings_that_is_none",
     {"check", "--replay", "@HOST", "--ignore", "@JUNK"},
     2,
     "REASON\n  for example: link-width 0000:03:00.0 20"},
    {"a_list_of_accepted_settings_that_is_none",
     {"lint", "--replay", "@HOST", "--ignore", "@JUNK"},
     2,
     "REASON\n  for example: dead-name HSA_FOO 20"},
    {"an_explained_finding_beside_a_bad_file",
     {"explain", "--replay", "@HOST", "RT3301", "--verified", "@JUNK"},
     2,
     "@JUNK: this is no JSON"},
    {"a_model_that_is_no_json",
     {"plan", "--replay", "@HOST", "--model", "@JUNK"},
     2,
     "\n  --model takes the config.json of a model"},
    {"a_gpu_of_the_processors",
     {"bench", "--backend", "cpu", "--gpu", "0"},
     2,
     "\n  the processors are one device: leave out --gpu, or --backend cpu\n"},
    {"one_argument_too_many",
     {"bench", "gemm", "vpoc"},
     2,
     "'vpoc'\n  bench takes one BENCHMARK; rocmtune bench --help has examples\n"},
    {"a_report_of_an_unknown_part",
     {"report", "--parts", "chek"},
     2,
     "--parts knows no part 'chek'\n  did you mean 'check'?"},
    {"an_example",
     {"probe", "--replay", "example:no-gpu", "--format", "json"},
     0,
     "",
     Prints::document},
    {"options_of_probe_without_command", {"--replay", "@HOST", "--json"}, 0, "", Prints::document},
    {"options_before_the_command",
     {"--format=json", "--replay", "@HOST", "probe"},
     0,
     "",
     Prints::document},
    {"the_last_letter_takes_the_value", {"-vo", "@FILE", "--replay", "@HOST"}, 0, ""},
    {"quiet", {"probe", "--replay", "@HOST", "-q"}, 0, ""},
    {"help", {"--help"}, 0, "", Prints::text},
    {"help_of_a_command", {"probe", "-h"}, 0, "", Prints::text},
    {"version", {"--version"}, 0, "", Prints::text},
    {"a_schema", {"schema", "report"}, 0, "", Prints::text},
    {"nothing_after_two_dashes", {"probe", "--replay", "@NOGPU", "--"}, 0, "", Prints::text},

    // unknown words suggest the nearest
    {"unknown_command", {"prob"}, 2, "unknown command 'prob'\n  did you mean 'probe'?"},
    {"unknown_command_near_nothing", {"overclock"}, 2, "rocmtune --help lists the commands"},
    {"an_empty_command", {""}, 2, "unknown command ''"},
    {"unknown_option",
     {"probe", "--rot", "/"},
     2,
     "unknown option '--rot'\n  did you mean '--root'?"},
    {"unknown_option_with_value",
     {"probe", "--fromat=json"},
     2,
     "unknown option '--fromat'\n  did you mean '--format'?"},
    {"beginning_of_an_option", {"probe", "--rec", "@FILE"}, 2, "did you mean '--record'?"},
    {"unknown_option_near_nothing", {"probe", "--zzz"}, 2, "rocmtune probe --help"},
    {"unknown_option_without_command", {"--verison"}, 2, "did you mean '--version'?"},
    {"unknown_letter", {"probe", "-z"}, 2, "unknown option '-z'"},
    {"an_option_of_another_command",
     {"completion", "bash", "--root", "/"},
     2,
     "unknown option '--root'"},
    {"unknown_format",
     {"probe", "--format", "jsn"},
     2,
     "--format cannot be 'jsn'\n  did you mean 'json'?"},
    {"unknown_format_near_nothing", {"probe", "--format", "x"}, 2, "text, json, ndjson"},
    {"unknown_schema", {"schema", "reprot"}, 2, "did you mean 'report'?"},
    {"unknown_shell", {"completion", "powershell"}, 2, "bash, zsh, fish"},
    {"unknown_example",
     {"probe", "--replay", "example:mi300x"},
     2,
     "did you mean 'example:mi300x-x8'?"},
    {"unknown_example_near_nothing", {"probe", "--replay", "example:q"}, 2, "rx7900xt-x2"},
    {"unknown_also_format",
     {"probe", "--replay", "@HOST", "--also", "jsom:@FILE"},
     2,
     "did you mean 'json'?"},
    {"an_option_after_two_dashes", {"probe", "--", "--wake"}, 2, "unexpected argument '--wake'"},
    {"control_characters_are_not_repeated", {"pro\x1b[2Jbe"}, 2, "\\x1b[2J"},

    // values
    {"missing_value", {"probe", "--replay"}, 2, "--replay needs a value"},
    {"missing_value_of_a_letter", {"probe", "-o"}, 2, "--output needs a value"},
    {"empty_value", {"probe", "--root", ""}, 2, "--root needs a DIR"},
    {"value_for_a_switch", {"probe", "--json=false"}, 2, "--json takes no value"},
    {"no_number", {"probe", "--timeout", "soon"}, 2, "--timeout needs a number, not 'soon'"},
    {"not_a_number", {"probe", "--watch", "nan"}, 2, "--watch needs a number"},
    {"infinite", {"probe", "--timeout", "inf"}, 2, "--timeout needs a number"},
    {"number_too_small", {"probe", "--watch", "0"}, 2, "--watch needs a number of at least 0.01"},
    {"negative_number", {"probe", "--timeout", "-3"}, 2, "--timeout needs a number of at least"},
    {"half_a_document",
     {"probe", "--watch", "1", "--count", "1.5"},
     2,
     "--count needs a whole number"},
    {"no_document",
     {"probe", "--watch", "1", "--count", "0"},
     2,
     "--count needs a number of at least 1"},
    {"given_twice", {"probe", "--root", "/", "--root", "/"}, 2, "--root may be given once"},
    {"part_of_a_row",
     {"verify", "--setting", "A=1", "--size", "1.5"},
     2,
     "--size needs a whole number from 1 to 1125899906842624, not '1.5'"},
    {"part_of_a_gpu",
     {"plan", "--params", "8B", "--gpus", "1.5"},
     2,
     "--gpus needs a whole number from 1 to 65536, not '1.5'"},
    {"too_many_rows",
     {"bench", "vpoc", "--bins", "16777217"},
     2,
     "--bins needs a whole number from 1 to 16777216, not '16777217'"},
    {"empty_number", {"bench", "--size", ""}, 2, "--size needs an N"},
    {"empty_word", {"bench", "--backend", ""}, 2, "--backend needs one of auto, hip, cuda, cpu"},
    {"missing_action", {"cache"}, 2, "cache needs an ACTION\n  one of status, clear"},
    {"missing_argument", {"schema"}, 2, "report, profile, variables, names, environment"},
    {"unexpected_argument", {"probe", "0"}, 2, "unexpected argument '0'"},
    {"two_arguments", {"schema", "report", "profile"}, 2, "unexpected argument 'profile'"},
    {"also_without_format", {"probe", "--also", "json"}, 2, "--also needs FORMAT:FILE"},
    {"also_without_file", {"probe", "--also", "json:"}, 2, "--also needs FORMAT:FILE"},
    {"also_to_standard_output", {"probe", "--also", "json:-"}, 2, "--also writes to a file"},

    {"a_mask",
     {"probe", "--replay", "@HOST", "--visible", "HIP_VISIBLE_DEVICES=0", "--visible",
      "ROCR_VISIBLE_DEVICES="},
     0,
     "",
     Prints::text},
    {"a_mask_of_unknown_name",
     {"probe", "--visible", "HIP_VISIBLE_DEVICS=0"},
     2,
     "did you mean 'HIP_VISIBLE_DEVICES'?"},
    {"a_mask_near_nothing", {"probe", "--visible", "X=0"}, 2, "choose one of ROCR_VISIBLE_DEVICES"},
    {"a_mask_without_value",
     {"probe", "--visible", "HIP_VISIBLE_DEVICES"},
     2,
     "--visible needs NAME=VALUE"},

    // settings
    {"env", {"env", "--replay", "@HOST"}, 0, "", Prints::text},
    {"env_on_this_host", {"env"}, 0, "", Prints::text},
    {"env_without_gpu", {"env", "--replay", "@NOGPU", "--format", "k8s"}, 0, "", Prints::text},
    {"env_as_json", {"env", "--replay", "@HOST", "--json"}, 0, "", Prints::document},
    {"env_in_an_unknown_format", {"env", "--format", "fisch"}, 2, "did you mean 'fish'?"},
    {"env_at_an_unknown_level",
     {"env", "--level", "high"},
     2,
     "conservative, balanced, aggressive"},
    {"env_for_an_unknown_workload",
     {"env", "--workload", "trainning"},
     2,
     "did you mean 'training'?"},
    {"env_for_an_unknown_framework",
     {"env", "--framework", "torch"},
     2,
     "--framework cannot be 'torch'"},
    {"env_for_an_unknown_gpu",
     {"env", "--replay", "@HOST", "--gpu", "7"},
     2,
     "there is no GPU '7'"},
    {"env_for_no_gpu_at_all",
     {"env", "--replay", "@HOST", "--gpu", "x", "--json"},
     2,
     "--gpu cannot be 'x'",
     Prints::document},
    {"env_to_a_missing_directory",
     {"env", "--replay", "@HOST", "-o", "@FILE/x"},
     2,
     "cannot write @FILE/x"},
    {"env_with_an_unknown_second_format",
     {"env", "--replay", "@HOST", "--also", "text:@FILE"},
     2,
     "--also knows no format 'text'"},
    {"env_with_a_report_that_is_none",
     {"env", "--replay", "@HOST", "--verified", "@JUNK"},
     2,
     "@JUNK: this is no JSON"},
    {"env_with_a_report_of_another_command",
     {"env", "--replay", "@HOST", "--verified", "@REPORT"},
     2,
     "@REPORT is no report of rocmtune verify"},
    {"env_with_a_report_of_a_newer_version",
     {"env", "--replay", "@HOST", "--verified", "@NEWER"},
     2,
     "its schema_version is 2.0, this program reads 1.x"},
    {"check_beside_a_report_of_a_newer_version",
     {"check", "--replay", "@HOST", "--baseline", "@NEWER"},
     2,
     "its schema_version is 2.0, this program reads 1.x"},
    {"lint_beside_a_report_of_a_newer_version",
     {"lint", "@SETTINGS", "--baseline", "@NEWER"},
     2,
     "its schema_version is 2.0, this program reads 1.x"},
    {"env_with_a_missing_report",
     {"env", "--replay", "@HOST", "--verified", "@FILE"},
     2,
     "cannot read @FILE"},
    {"run", {"run", "--replay", "@HOST", "--", "true"}, 0, "made for another host"},
    {"run_of_a_failing_command",
     {"run", "--replay", "@HOST", "--", "false"},
     1,
     "made for another host"},
    {"run_without_command", {"run"}, 125, "run needs a COMMAND"},
    {"run_with_a_mistake", {"run", "--forse", "--", "true"}, 125, "did you mean '--force'?"},
    {"run_of_nothing_there",
     {"run", "--replay", "@HOST", "--", "@FILE"},
     127,
     "cannot run '@FILE'"},
    {"run_of_a_directory", {"run", "--replay", "@HOST", "--", "@DIR"}, 126, "cannot run '@DIR'"},
    {"explain", {"explain", "NCCL_DEBUG", "--replay", "@HOST"}, 0, "", Prints::text},
    {"explain_as_json",
     {"explain", "NCCL_DEBUG", "--replay", "@HOST", "--json"},
     0,
     "",
     Prints::document},
    {"explain_a_finding_in_small_letters", {"explain", "rt3301"}, 0, "", Prints::text},
    {"explain_nothing", {"explain"}, 2, "explain needs a NAME"},
    {"explain_two", {"explain", "NCCL_DEBUG", "HSA_ENABLE_SDMA"}, 2, "unexpected argument"},
    {"explain_what_nobody_knows",
     {"explain", "NCCL_DEBUGG", "--replay", "@HOST", "--json"},
     2,
     "NCCL_DEBUG",
     Prints::document},

    // two reports
    {"compare_nothing", {"compare"}, 2, "compare needs two reports, not 0"},
    {"compare_one", {"compare", "@FILE"}, 2, "compare needs two reports, not 1"},
    {"compare_three", {"compare", "a", "b", "c"}, 2, "compare needs two reports, not 3"},
    {"compare_with_a_missing_file", {"compare", "@FILE", "@JUNK"}, 2, "cannot read @FILE"},
    {"compare_with_junk_as_json",
     {"compare", "@JUNK", "@JUNK", "--json"},
     2,
     "@JUNK: this is no JSON",
     Prints::document},
    {"compare_with_a_directory", {"compare", "@DIR", "@JUNK"}, 2, "cannot read @DIR"},
    {"compare_by_no_number",
     {"compare", "a", "b", "--regression", "little"},
     2,
     "--regression needs a percentage of 0 to below 100, not 'little'"},
    {"compare_by_all", {"compare", "a", "b", "--regression", "100%"}, 2, "for example"},

    {"compare_of_what_has_no_figures",
     {"compare", "@REPORT", "@REPORT", "--regression", "3"},
     3,
     "--regression: no measurement could be compared",
     Prints::text},

    // many reports
    {"fleet_of_nothing", {"fleet"}, 2, "fleet needs a REPORT"},
    {"fleet_of_a_missing_file", {"fleet", "@FILE"}, 2, "cannot read @FILE"},
    {"fleet_of_an_empty_directory", {"fleet", "@DIR"}, 2, "no report lies below it"},
    {"fleet_of_junk", {"fleet", "@JUNK", "--json"}, 2, "@JUNK: this is no JSON", Prints::document},
    {"fleet_of_a_device", {"fleet", "/dev/zero"}, 2, "it is no regular file"},
    {"fleet_in_an_unknown_format",
     {"fleet", "@DIR", "--format", "slrum"},
     2,
     "did you mean 'slurm'?"},

    // files of settings
    {"lint_of_a_missing_file", {"lint", "@FILE"}, 2, "cannot read @FILE", Prints::text},
    {"lint_with_what_was_accepted_for_a_time",
     {"lint", "--ignore", "@EXPIRED", "@SETTINGS"},
     0,
     "2020-01-01",
     Prints::text},

    // combinations
    {"watch_with_replay",
     {"probe", "--watch", "1", "--replay", "@HOST"},
     2,
     "--watch and --replay exclude each other"},
    {"watch_with_output",
     {"probe", "--watch", "1", "-o", "@FILE"},
     2,
     "--watch and --output exclude each other"},
    {"watch_with_text",
     {"probe", "--watch", "1", "--format", "text"},
     2,
     "--watch prints a table on a terminal, else JSON lines"},
    {"count_without_watch", {"probe", "--count", "3"}, 2, "--count needs --watch"},
    {"root_with_replay",
     {"probe", "--root", "/", "--replay", "@HOST"},
     2,
     "--root and --replay exclude each other"},
    {"json_with_another_format",
     {"probe", "--json", "--format", "text"},
     2,
     "--json and --format exclude",
     Prints::document},

    // input
    {"no_such_root",
     {"probe", "--root", "@FILE"},
     2,
     "cannot read @FILE: no such file or directory"},
    {"root_is_a_file", {"probe", "--root", "@JUNK"}, 2, "@JUNK is not a directory"},
    {"root_is_no_host", {"probe", "--root", "@DIR"}, 2, "@DIR is not laid out as a host"},
    {"no_such_recording",
     {"probe", "--replay", "@FILE"},
     2,
     "cannot read @FILE: no such file or directory"},
    {"recording_is_a_directory", {"probe", "--replay", "@DIR"}, 2, "it is a directory"},
    {"recording_is_a_device", {"probe", "--replay", "/dev/zero"}, 2, "it is no regular file"},
    {"recording_is_no_recording", {"probe", "--replay", "@JUNK"}, 2, "@JUNK:1: "},
    {"no_such_profiles",
     {"probe", "--replay", "@HOST", "--profiles", "@FILE"},
     2,
     "cannot read @FILE"},
    {"profiles_is_a_file",
     {"probe", "--replay", "@HOST", "--profiles", "@JUNK"},
     2,
     "cannot read @JUNK"},

    {"a_redacted_host", {"probe", "--replay", "@NOGPU", "--redact"}, 0, "redacted ", Prints::text},

    // output
    {"output_directory_missing",
     {"probe", "--replay", "@HOST", "-o", "@FILE/x"},
     2,
     "cannot write @FILE/x"},
    {"output_is_a_directory", {"probe", "--replay", "@HOST", "-o", "@DIR"}, 2, "cannot write @DIR"},
    {"output_disk_full",
     {"probe", "--replay", "@HOST", "-o", "/dev/full"},
     2,
     "cannot write /dev/full: no space left on device (ENOSPC)\n  the disk is full"},
    {"also_directory_missing",
     {"probe", "--replay", "@HOST", "--also", "json:@FILE/x"},
     2,
     "cannot write @FILE/x"},
    {"record_directory_missing",
     {"probe", "--replay", "@HOST", "--record", "@FILE/x"},
     2,
     "cannot write @FILE/x"},
    {"schema_to_a_full_disk", {"schema", "report", "-o", "/dev/full"}, 2, "cannot write /dev/full"},

    // a program that asked for JSON gets a document whatever is wrong
    {"json_and_unknown_option",
     {"probe", "--json", "--rot"},
     2,
     "unknown option",
     Prints::document},
    {"json_after_the_mistake", {"probe", "--rot", "--json"}, 2, "unknown option", Prints::document},
    {"json_and_unknown_command", {"prob", "--json"}, 2, "unknown command", Prints::document},
    {"json_as_format", {"prob", "--format", "json"}, 2, "unknown command", Prints::document},
    {"json_as_format_in_one_word",
     {"prob", "--format=json"},
     2,
     "unknown command",
     Prints::document},
    {"json_and_no_command", {"--json", "--rot"}, 2, "unknown option", Prints::document},
    {"json_and_missing_value",
     {"probe", "--json", "--replay"},
     2,
     "needs a value",
     Prints::document},
    {"json_and_bad_input",
     {"probe", "--json", "--replay", "@JUNK"},
     2,
     "@JUNK:1",
     Prints::document},
    {"json_and_bad_root", {"probe", "--json", "--root", "@DIR"}, 2, "laid out", Prints::document},
    {"json_of_a_command_without_json",
     {"schema", "report", "--json"},
     2,
     "unknown option",
     Prints::document},
    {"json_and_output_that_fails",
     {"probe", "--json", "--replay", "@HOST", "-o", "@FILE/x"},
     2,
     "cannot write",
     Prints::document},
    {"json_after_two_dashes", {"probe", "--", "--json"}, 2, "unexpected argument"},
};

class Places {
  public:
    Places() {
        write_file(scratch_ / "junk",
                   "\x7f"
                   "ELF\x02\x01\x01");
        std::filesystem::create_directory(scratch_ / "empty");
        write_file(
            scratch_ / "report",
            R"({"schema": "rocmtune-report", "schema_version": "1.0", "host": {"gpus": []}})");
        // All that each of its readers looks for, in a version that may mean something else by it.
        write_file(scratch_ / "newer", R"({"schema": "rocmtune-report", "schema_version": "2.0",
                   "command": "lint", "summary": {"texts": 1},
                   "host": {"gpus": [{"pci_address": "0000:03:00.0"}]},
                   "findings": [{"verdict_setting": "harmful", "name": "A", "value": "1"}]})");
        write_file(scratch_ / "settings.sh", "export NCCL_IB_DISABLE=0\n");
        write_file(scratch_ / "expired", "unknown-name * 2020-01-01 was to be looked at again\n");
    }

    std::string filled(std::string text) const {
        for (auto const& [name, value] : names_)
            if (auto const at = text.find(name); at != text.npos)
                text.replace(at, name.size(), value);
        return text;
    }

  private:
    Directory scratch_;
    std::vector<std::pair<std::string, std::string>> names_{{"@NOGPU", host_file("no-gpu")},
                                                            {"@HOST", host_file("rx7900xt")},
                                                            {"@JUNK", scratch_ / "junk"},
                                                            {"@DIR", scratch_ / "empty"},
                                                            {"@REPORT", scratch_ / "report"},
                                                            {"@NEWER", scratch_ / "newer"},
                                                            {"@SETTINGS", scratch_ / "settings.sh"},
                                                            {"@EXPIRED", scratch_ / "expired"},
                                                            {"@FILE", scratch_ / "new"}};
};

Launch launch_of(Row const& row, Places const& places) {
    Words words;
    for (auto const& word : row.words) words.push_back(places.filled(word));
    return rocmtune_with(words);
}

class ExitCode : public testing::TestWithParam<Row> {};

TEST_P(ExitCode, is_that_of_the_contract) {
    auto const& row = GetParam();
    Places const places;
    auto const result = run(launch_of(row, places));
    EXPECT_EQ(result.code, row.code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(places.filled(row.says)));
    EXPECT_EQ(result.err.empty(), *row.says == '\0') << result.err;
    EXPECT_EQ(result.out.empty(), row.prints == Prints::nothing) << result.out;
    if (row.prints != Prints::document) return;
    auto const document = json::parse(result.out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << result.out;
    EXPECT_EQ(document["exit_code"], row.code);
    EXPECT_EQ(document["errors"].empty(), row.code == 0);
}

TEST_P(ExitCode, is_the_same_where_messages_cannot_be_written) {
    auto const& row = GetParam();
    if (*row.says == '\0') return;
    Places const places;
    auto full = launch_of(row, places);
    full.error_output = "/dev/full";
    EXPECT_EQ(run(full).code, row.code);
    auto closed = launch_of(row, places);
    closed.closed = {2};
    EXPECT_EQ(run(closed).code, row.code);
}

INSTANTIATE_TEST_SUITE_P(Contract, ExitCode, testing::ValuesIn(rows),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(ErrorDocument, says_what_standard_error_says) {
    auto const result = run({"probe", "--json", "--rot"});
    auto const document = json::parse(result.out);
    EXPECT_EQ(document["command"], "probe");
    EXPECT_EQ(document["errors"][0]["message"], "unknown option '--rot'");
    EXPECT_EQ(document["errors"][0]["hint"], "did you mean '--root'?");
    EXPECT_EQ(document["errors"][0]["exit_code"], 2);
    EXPECT_FALSE(document.contains("host"));
}

TEST(ErrorDocument, names_the_command_and_not_a_value_that_looks_like_one) {
    EXPECT_EQ(json::parse(run({"--root", "schema", "probe", "--json", "--rot"}).out)["command"],
              "probe");
    EXPECT_EQ(json::parse(run({"prob", "--json"}).out)["command"], "");
}

class ErrorDocumentFile : public testing::TestWithParam<char const*> {};

TEST_P(ErrorDocumentFile, takes_the_document_instead_of_standard_output) {
    Directory const directory;
    auto launch = rocmtune_with({"probe", "--json", "--rot"});
    for (std::istringstream words(GetParam()); !words.eof();) words >> launch.words.emplace_back();
    launch.directory = directory.path();
    auto const result = run(launch);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("unknown option '--rot'"));
    EXPECT_EQ(json::parse(content_of(directory / "new"))["exit_code"], 2);
    EXPECT_THAT(directory.names(), testing::ElementsAre("new"));
}

INSTANTIATE_TEST_SUITE_P(Spelling, ErrorDocumentFile,
                         testing::Values("-o new", "-onew", "--output new", "--output=new",
                                         "-vo new"));

TEST(ClosedStream, standard_output_is_an_error) {
    auto launch = rocmtune_with({"probe", "--replay", host_file("rx7900xt")});
    launch.closed = {1};
    auto const result = run(launch);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, "rocmtune: cannot write to standard output: it is closed\n");
}

TEST(ClosedStream, a_message_never_lands_in_the_output_file) {
    Directory const directory;
    auto launch = rocmtune_with(
        {"probe", "--replay", host_file("rx7900xt"), "--json", "-o", directory / "f"});
    launch.closed = {0, 1, 2};
    EXPECT_EQ(run(launch).code, 0);
    EXPECT_TRUE(json::accept(content_of(directory / "f")));
    launch.words.emplace_back("--rot");
    EXPECT_EQ(run(launch).code, 2);
    EXPECT_EQ(json::parse(content_of(directory / "f"))["exit_code"], 2);
}

TEST(ClosedStream, standard_input_and_error_do_not_matter) {
    auto launch = rocmtune_with({"probe", "--replay", host_file("rx7900xt")});
    launch.closed = {0, 2};
    EXPECT_EQ(run(launch).code, 0);
}

TEST(FullDisk, on_standard_output_is_an_error) {
    for (auto const* command : {"probe", "--help", "--version"}) {
        auto launch = rocmtune_with({command});
        launch.output = "/dev/full";
        auto const result = run(launch);
        EXPECT_EQ(result.code, 2) << command;
        EXPECT_THAT(result.err,
                    HasSubstr("cannot write to standard output: no space left on device"))
            << command;
    }
}

/// `line` for a shell, in which $rocmtune is the program and $report a report.
Outcome run_in_shell(std::string const& line) {
    Directory const directory;
    write_file(directory / "report",
               R"({"schema": "rocmtune-report", "schema_version": "1.0", "command": "probe", )"
               R"("host": {"hostname": "a", "gpus": [{"pci_address": "0000:03:00.0"}]}})");
    auto launch = rocmtune_with({});
    launch.words = {"/bin/bash", "-c", line};
    launch.environment["rocmtune"] = ROCMTUNE_BINARY;
    launch.environment["report"] = directory / "report";
    return run(launch);
}

TEST(Pipe, is_read_where_the_user_named_it) {
    for (std::string const line :
         {"$rocmtune compare <(cat $report) <(sleep 0.1; cat $report)",
          "cat $report | $rocmtune compare /dev/stdin $report", "$rocmtune fleet <(cat $report)",
          "$rocmtune report <(cat $report)",
          "mkfifo $report.pipe; cat $report >$report.pipe & $rocmtune fleet $report.pipe"}) {
        auto const result = run_in_shell(line);
        EXPECT_EQ(result.code, 0) << line << result.err;
        EXPECT_NE(result.out, "") << line;
    }
    // The host of this test is not the one of the report: it was read to the end.
    auto const checked = run_in_shell(fmt::format(
        "$rocmtune check --replay {} --json --baseline <(cat $report)", host_file("no-gpu")));
    EXPECT_THAT(checked.out + checked.err, HasSubstr("the baseline is a report of a"));
}

TEST(Pipe, in_a_directory_is_not_waited_for) {
    auto const fleet = run_in_shell(
        "mkdir $report.d; mkfifo $report.d/a.json; cp $report $report.d/b.json; $rocmtune fleet "
        "$report.d");
    EXPECT_EQ(fleet.code, 0) << fleet.err;
    auto const profiles = run_in_shell(
        "mkdir $report.d; mkfifo $report.d/a.json; $rocmtune env --profiles $report.d");
    EXPECT_EQ(profiles.code, 2);
    EXPECT_THAT(profiles.err, HasSubstr("a.json: it is no regular file"));
}

TEST(Reader, that_goes_away_is_no_error) {
    for (auto const* format : {"text", "json"}) {
        auto const launch =
            rocmtune_with({"probe", "-vv", "--format", format, "--replay", host_file("mi300x-x8")});
        Running program(launch);
        program.stop_reading();
        auto const result = program.finish();
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_EQ(result.err, "");
    }
}

/// A file system of 64 KiB, for root only.
class SmallDisk {
  public:
    SmallDisk() { mounted_ = ::mount("tmpfs", place_.path().c_str(), "tmpfs", 0, "size=64k") == 0; }
    SmallDisk(SmallDisk const&) = delete;
    SmallDisk& operator=(SmallDisk const&) = delete;
    ~SmallDisk() {
        if (mounted_) ::umount2(place_.path().c_str(), MNT_DETACH);
    }
    bool mounted() const { return mounted_; }
    Directory const& place() const { return place_; }

  private:
    Directory place_;
    bool mounted_ = false;
};

TEST(FullDisk, keeps_the_old_file_and_leaves_nothing_behind) {
    SmallDisk const disk;
    if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs root";
    write_file(disk.place() / "report", "old");
    auto const result = run({"probe", "--format", "ndjson", "--replay", host_file("mi300x-x8"),
                             "-o", disk.place() / "report"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("ENOSPC"));
    EXPECT_EQ(content_of(disk.place() / "report"), "old");
    EXPECT_THAT(disk.place().names(), testing::ElementsAre("report"));
}

TEST(Permission, is_asked_of_input_and_output) {
    if (::getuid() != 0) GTEST_SKIP() << "becoming another user needs root";
    Directory const directory;
    write_file(directory / "secret", "rocmtune-host 1\n");
    ::chmod((directory / "secret").c_str(), 0600);
    ::chmod(directory.path().c_str(), 0755);
    ProgramForEverybody const program;
    if (auto const reason = program.why_unreachable(); !reason.empty()) GTEST_SKIP() << reason;
    auto const as_nobody = [&](Words words) {
        return run(program.by_stranger(rocmtune_with(std::move(words))));
    };
    auto const input = as_nobody({"probe", "--replay", directory / "secret"});
    EXPECT_EQ(input.code, 2);
    EXPECT_THAT(input.err, HasSubstr("secret: permission denied"));
    auto const output = as_nobody({"--version"});
    EXPECT_EQ(output.code, 0);
    auto const refused = as_nobody({"schema", "report", "-o", directory / "new"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("new: permission denied"));
    EXPECT_THAT(directory.names(), testing::ElementsAre("secret"));
}

}  // namespace
}  // namespace rocmtune::test
