// SPDX-License-Identifier: MIT
// rocmtune check.
#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "base/text.hpp"
#include "checks/checks.hpp"
#include "checks/device_map.hpp"
#include "cli/commands.hpp"
#include "cli/data_files.hpp"
#include "cli/expectations.hpp"
#include "cli/gpu_selector.hpp"
#include "cli/host_input.hpp"
#include "cli/output.hpp"
#include "cli/report_output.hpp"
#include "render/formats.hpp"

namespace rocmtune {
namespace {

/// The word must mean a check: a misspelt --skip would run what it should not, a misspelt --only
/// nothing.
void check_word(std::string_view option, std::string const& word) {
    std::vector<std::string_view> known;
    for (auto const& check : all_checks()) {
        if (means(word, check)) return;
        known.push_back(check.name);
        known.push_back(check.theme);
        known.push_back(check.id);
    }
    auto const near = meant(word, known);
    throw Error(fmt::format("{} knows no check '{}'", option, printable(word)),
                near ? fmt::format("did you mean '{}'?", *near)
                     : "rocmtune check -v shows the ids of all checks");
}

/// The words of a repeatable list with commas.
std::vector<std::string> words_of_list(Arguments const& arguments, std::string_view option) {
    std::vector<std::string> result;
    for (auto const& value : arguments.values(option))
        for (auto const part : split(value, ',')) {
            result.emplace_back(trim(part));
            check_word(option, result.back());
        }
    return result;
}

CheckLevel level_of(Arguments const& arguments) {
    auto const word = arguments.value("--level").value_or("quick");
    // A longer level that ran nothing on the GPUs would pass by accident.
    if (word != "quick")
        throw Error(fmt::format("the level {} runs programs on the GPUs, which this version does "
                                "not do yet",
                                word),
                    "leave out --level: quick looks at everything that can be read");
    return static_cast<CheckLevel>(
        std::find(check_level_words.begin(), check_level_words.end(), word) -
        check_level_words.begin());
}

Verdict fail_on(Arguments const& arguments) {
    auto const word = arguments.value("--fail-on").value_or("fail");
    return word == "never" ? Verdict::pass : word == "warn" ? Verdict::warn : Verdict::fail;
}

void add_device_map(Host const& host, CheckSelection const& selection,
                    std::vector<Finding>& findings) {
    // The device map is judged with every whole run; it has no check of its own to choose.
    if (!selection.only.empty()) return;
    auto map = judge_device_map(host);
    findings.insert(findings.begin(), std::make_move_iterator(map.begin()),
                    std::make_move_iterator(map.end()));
}

/// Today in UTC, as the dates of --ignore are written.
std::string today() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

void add(std::vector<Finding>& findings, std::vector<Finding> more) {
    findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
}

/// A host with failures is no example for others.
void learn(Arguments const& arguments, Report const& report) {
    auto const file = arguments.value("--learn");
    if (!file) return;
    if (report.check->gpus_tested == 0 || report.check->count(Verdict::fail) > 0)
        throw Error("nothing learned: this host is not in order",
                    "rocmtune check shows why; --skip or --ignore what is meant to be so",
                    Exit::findings);
    replace_file(*file, expectations_text(learned(*report.host)));
}

}  // namespace

Exit run_check(Arguments const& arguments) {
    CheckSelection selection;
    selection.level = level_of(arguments);
    selection.only = words_of_list(arguments, "--only");
    selection.skip = words_of_list(arguments, "--skip");
    auto const expected = expectations_of(arguments);
    auto const baseline = baseline_of(arguments);
    auto const accepted = accepted_of(arguments);
    selection.rules = expected.rules;
    auto const chips = chips_for(arguments);
    Report report;
    report.command = "check";
    report.host = read_host(arguments);
    selection.rows = selected_rows(arguments, *report.host);
    report.findings = run_checks(*report.host, chips, selection);
    add_device_map(*report.host, selection, report.findings);
    add(report.findings, judge_expectations(*report.host, expected));
    add(report.findings, judge_baseline(*report.host, baseline));
    apply_accepted(accepted, today(), report.findings);
    report.check = summary_of(*report.host, report.findings, selection.rows);
    report.check->level = check_level_words[static_cast<std::size_t>(selection.level)];
    report.exit_code = exit_of(*report.check, fail_on(arguments));
    learn(arguments, report);
    write_report(report, arguments);
    auto const* format = find_format(format_name(arguments), "check");
    if (format->exit_code != nullptr) return static_cast<Exit>(format->exit_code(report));
    return report.exit_code;
}

}  // namespace rocmtune
