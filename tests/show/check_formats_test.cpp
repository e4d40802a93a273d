// SPDX-License-Identifier: MIT
// The formats of a check that other programs read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/formats.hpp"
#include "show/machine_formats.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Finding finding(std::string id, Verdict verdict, std::string subject, std::string message) {
    return {.id = std::move(id),
            .verdict = verdict,
            .subject = std::move(subject),
            .message = std::move(message),
            .evidence = {{"pci", "8"}},
            .next_step = "reseat"};
}

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

Report checked() {
    Report report;
    report.command = "check";
    auto& gpu = report.host.emplace().gpus.emplace_back();
    gpu.pci_address.offer("0000:03:00.0", {"pci", "test"});
    gpu.power_watts.offer(41.5, {"telemetry", "test"});
    report.findings = {finding("RT3011", Verdict::pass, "host", "fine"),
                       finding("RT3301", Verdict::fail, "0000:03:00.0", "8 of 16 lanes"),
                       finding("RT3502", Verdict::warn, "0000:03:00.0", "deferred: 2"),
                       finding("RT3502", Verdict::warn, "0000:03:00.0", "deferred: 3"),
                       finding("RT3601", Verdict::unknown, "host", "kernel log: denied"),
                       finding("RT3422", Verdict::skip, "host", "no peers")};
    auto& check = report.check.emplace();
    check.level = "quick";
    check.gpus = check.gpus_judged = 1;
    for (auto const& one : report.findings) ++check.counts[static_cast<std::size_t>(one.verdict)];
    report.exit_code = Exit::findings;
    return report;
}

TEST(Junit, maps_unknown_and_skip_to_skipped) {
    auto const text = check_junit(checked(), {});
    EXPECT_THAT(text, HasSubstr("tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"2\""));
    EXPECT_THAT(text, HasSubstr("<failure type=\"fail\" message=\"8 of 16 lanes\">pci = 8\ndo: "
                                "reseat\n</failure>"));
    EXPECT_THAT(text, HasSubstr("<skipped message=\"unknown: kernel log: denied\"/>"));
    EXPECT_THAT(text, HasSubstr("<skipped message=\"no peers\"/>"));
}

TEST(Junit, is_red_for_warnings_where_they_fail_the_run) {
    auto report = checked();
    report.check->fail_on = Verdict::warn;
    auto const text = check_junit(report, {});
    EXPECT_THAT(text, HasSubstr("tests=\"6\" failures=\"3\""));
    EXPECT_THAT(text, HasSubstr("<failure type=\"warn\" message=\"deferred: 2\">"));
}

TEST(Junit, is_red_where_the_exit_code_is_not_zero_though_no_result_is_bad) {
    Report report;
    report.command = "check";
    report.check.emplace().undetermined = "RT3801 0000:03:00.0: no answer";
    EXPECT_THAT(check_junit(report, {}), Not(HasSubstr("<error")));
    report.exit_code = Exit::no_device;
    EXPECT_THAT(check_junit(report, {}), HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\""));
    report.exit_code = Exit::undetermined;
    EXPECT_THAT(check_junit(report, {}),
                HasSubstr("message=\"exit code 3: could not be determined: "
                          "RT3801 0000:03:00.0: no answer\""));
}

TEST(OneLineFormats, of_a_run_that_could_not_tell_name_the_first_reason) {
    auto report = checked();
    report.exit_code = Exit::undetermined;
    report.check->undetermined = "RT3801 0000:03:00.0: no answer";
    EXPECT_THAT(check_nagios(report, {}),
                testing::StartsWith("ROCMTUNE UNKNOWN - RT3801 0000:03:00.0: no answer |"));
    EXPECT_EQ(check_npd(report, {}), "RT3801 0000:03:00.0: no answer\n");
}

TEST(Formats, say_first_what_asks_for_the_heaviest_step) {
    auto report = checked();
    report.findings.push_back(finding("RT3012", Verdict::fail, "0000:03:00.0", "no access"));
    report.findings.push_back(finding("RT3503", Verdict::fail, "0000:03:00.0", "bad pages"));
    report.findings.back().action = Action::hardware;
    EXPECT_THAT(check_nagios(report, {}), HasSubstr(" - fail RT3503 "));
    EXPECT_THAT(check_npd(report, {}), testing::StartsWith("RT3503 "));
    EXPECT_THAT(check_github(report, {}), testing::StartsWith("::error title=RT3503 "));
    auto const text = as_text(report, {});
    EXPECT_LT(text.find("RT3503"), text.find("RT3012"));
}

TEST(Github, says_once_what_is_unknown_for_one_reason) {
    auto report = checked();
    report.findings.push_back(finding("RT3602", Verdict::unknown, "host", "kernel log: denied"));
    EXPECT_THAT(check_github(report, {}),
                HasSubstr("::notice title=RT3601%2C RT3602 unknown::kernel log: denied"));
    EXPECT_EQ(count_of(check_github(report, {}), "kernel log: denied"), 1U);
}

TEST(Text, names_every_gpu_for_which_one_step_is_meant) {
    auto report = checked();
    report.findings.clear();
    for (auto const* const gpu : {"0000:03:00.0", "0000:04:00.0"}) {
        report.findings.push_back(finding("RT3402", Verdict::warn, gpu, "power limit"));
        report.findings.back().next_step = fmt::format("amd-smi reset --power-cap -g {}", gpu);
    }
    EXPECT_THAT(as_text(report, {}),
                HasSubstr("amd-smi reset --power-cap -g 0000:03:00.0 0000:04:00.0"));
    EXPECT_EQ(count_of(as_text(report, {}), "RT3402"), 1U);
}

TEST(Text, takes_findings_without_a_subject) {
    auto report = checked();
    report.findings = {finding("RT5001", Verdict::warn, "", "dead"),
                       finding("RT3402", Verdict::warn, "0000:03:00.0", "of 0000:03:00.0")};
    EXPECT_EQ(count_of(as_text(report, {}), "dead"), 1U);
}

TEST(Text, counts_judged_and_exercised_gpus) {
    auto report = checked();
    EXPECT_THAT(as_text(report, {}), HasSubstr("1 of 1 GPU judged (level quick)"));
    report.check->gpus_exercised = 0;
    EXPECT_THAT(as_text(report, {}), HasSubstr("1 of 1 GPU judged, 0 exercised"));
}

TEST(Text, names_the_subject_of_what_is_unknown_and_each_check) {
    auto report = checked();
    for (auto const* const id : {"RT3602", "RT3722"})
        report.findings.push_back(finding(id, Verdict::unknown, "host", "kernel log: denied"));
    report.findings.push_back(finding("RT3405", Verdict::unknown, "0000:03:00.0", "no number"));
    auto const text = as_text(report, {});
    EXPECT_THAT(text, HasSubstr("kernel log: denied (3 checks: RT3601, RT3602, RT3722)"));
    EXPECT_THAT(text, HasSubstr("0000:03:00.0: no number (RT3405)"));
}

TEST(Text, says_once_what_holds_for_several_subjects_wherever_it_stands) {
    auto report = checked();
    report.findings = {finding("RT3301", Verdict::fail, "0000:03:00.0", "narrow"),
                       finding("RT3302", Verdict::fail, "0000:03:00.0", "slow"),
                       finding("RT3301", Verdict::fail, "0000:04:00.0", "narrow"),
                       finding("RT3301", Verdict::warn, "0000:05:00.0", "narrow")};
    report.findings.push_back(report.findings.front());
    report.findings.back().next_step = "replace";
    report.check->gpus = 9;
    EXPECT_THAT(as_text(report, {}), HasSubstr("0000:03:00.0, 0000:04:00.0: narrow"));
    EXPECT_EQ(count_of(as_text(report, {}), "RT3301"), 3U);
    EXPECT_EQ(count_of(as_text(report, {}), "RT3302"), 1U);
}

TEST(Text, takes_as_many_different_results_as_a_report_may_have) {
    auto report = checked();
    report.findings.clear();
    constexpr std::size_t many = 30'000;
    for (std::size_t i = 0; i < many; ++i)
        for (auto const verdict : {Verdict::fail, Verdict::unknown})
            report.findings.push_back(finding("RT3301", verdict, "host", std::to_string(i)));
    EXPECT_EQ(count_of(as_text(report, {}), "\n fail"), many);
    EXPECT_EQ(count_of(as_text(report, {}), "\n unknown"), many);
}

TEST(Text, tells_of_a_gpu_that_was_to_work_and_did_not) {
    auto report = checked();
    report.findings.push_back(finding("RT3801", Verdict::skip, "0000:03:00.0", "busy: train"));
    EXPECT_THAT(as_text(report, {}), HasSubstr("skip RT3801"));
    EXPECT_THAT(as_text(report, {}), HasSubstr("0000:03:00.0: busy: train"));
}

TEST(Junit, gives_every_case_a_name_of_its_own) {
    auto const text = check_junit(checked(), {});
    EXPECT_THAT(text, HasSubstr("name=\"RT3502 0000:03:00.0\""));
    EXPECT_THAT(text, HasSubstr("name=\"RT3502 0000:03:00.0 (2)\""));
}

TEST(Prometheus, has_help_and_type_of_every_metric_and_nothing_that_is_not_known) {
    auto const text = check_prom(checked(), {});
    EXPECT_THAT(text, HasSubstr("rocmtune_gpu_power_watts{gpu=\"0000:03:00.0\"} 41.5\n"));
    EXPECT_THAT(text, Not(HasSubstr("rocmtune_gpu_memory_bytes")));
    EXPECT_THAT(text, HasSubstr("rocmtune_check_results{verdict=\"fail\"} 1\n"));
    std::set<std::string_view> declared;
    for (auto const line : lines(text)) {
        if (line.starts_with("# TYPE ")) declared.insert(words(line)[2]);
        if (line.starts_with('#')) continue;
        EXPECT_TRUE(declared.contains(line.substr(0, line.find_first_of("{ ")))) << line;
    }
}

TEST(Prometheus, states_a_series_once) {
    auto const text = check_prom(checked(), {});
    EXPECT_THAT(text, HasSubstr("{id=\"RT3502\",verdict=\"warn\",subject=\"0000:03:00.0\"} 2\n"));
    std::set<std::string> series;
    for (auto const line : lines(text))
        if (!line.starts_with('#')) {
            EXPECT_TRUE(series.insert(std::string(line.substr(0, line.rfind(' ')))).second) << line;
        }
}

TEST(Nagios, says_the_worst_first_and_the_numbers_behind_a_bar) {
    auto const text = check_nagios(checked(), {});
    EXPECT_EQ(lines(text)[0],
              "ROCMTUNE CRITICAL - fail RT3301 0000:03:00.0: 8 of 16 lanes (and 2 more) | fail=1 "
              "warn=2 unknown=1 gpus=1 gpus_judged=1");
    EXPECT_EQ(nagios_code(checked()), 2);
}

TEST(Nagios, tells_a_warning_from_an_alarm) {
    auto report = checked();
    report.exit_code = Exit::ok;
    report.check->counts[static_cast<std::size_t>(Verdict::fail)] = 0;
    EXPECT_EQ(nagios_code(report), 1);
    report.exit_code = Exit::undetermined;
    EXPECT_EQ(nagios_code(report), 3);
}

TEST(Npd, is_one_line_of_eighty_bytes) {
    auto report = checked();
    report.findings[1].message = std::string(200, 'x');
    auto const text = check_npd(report, {});
    EXPECT_EQ(text.size(), 81U);
    EXPECT_THAT(text, testing::StartsWith("RT3301 0000:03:00.0: xxx"));
}

TEST(Github, escapes_what_would_end_a_command) {
    auto report = checked();
    report.findings[1].message = "100 %\nmore";
    auto const text = check_github(report, {});
    EXPECT_THAT(text, HasSubstr("::error title=RT3301 0000%3A03%3A00.0::100 %25 more%0Ado: "
                                "reseat\n"));
    EXPECT_THAT(text, HasSubstr("::warning title=RT3502"));
    EXPECT_THAT(text, HasSubstr("::notice title=RT3601"));
}

TEST(Markdown, is_a_table_with_the_counts_last) {
    auto const text = as_markdown(checked(), {});
    EXPECT_THAT(text, HasSubstr("| fail | RT3301 | 0000:03:00.0 | 8 of 16 lanes | reseat |\n"));
    EXPECT_THAT(text, testing::EndsWith("6 results: 1 fail, 2 warn, 1 unknown, 1 skip, 1 pass; 1 "
                                        "of 1 GPU judged (level quick)\n"));
}

TEST(Nagios, of_a_run_that_a_signal_ended_is_unknown) {
    auto report = checked();
    report.exit_code = static_cast<Exit>(128 + 15);
    EXPECT_EQ(nagios_code(report), 3);
    EXPECT_THAT(check_nagios(report, {}), testing::StartsWith("ROCMTUNE UNKNOWN"));
}

class HostileCheck : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(HostileCheck, breaks_no_format) {
    auto const& value = GetParam().second;
    auto report = report_with_texts(value);
    report.command = "check";
    report.check.emplace();
    report.findings.push_back(report.findings.front());
    report.findings.back().verdict = Verdict::unknown;
    for (auto const* format : formats_of("check")) {
        auto const text = format->render(report, {});
        EXPECT_TRUE(is_utf8(text)) << format->name;
        EXPECT_EQ(text.find('\x1b'), text.npos) << format->name;
        if (format->name == "nagios") {
            EXPECT_EQ(std::count(text.begin(),
                                 text.begin() + static_cast<std::ptrdiff_t>(text.find('\n')), '|'),
                      1);
        }
        if (format->name == "junit") {
            EXPECT_EQ(text.find("<script>"), text.npos);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Texts, HostileCheck, testing::ValuesIn(hostile_texts()),
                         [](auto const& row) { return row.param.first; });

}  // namespace
}  // namespace rocmtune::test
