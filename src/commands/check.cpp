// SPDX-License-Identifier: MIT
// rocmtune check.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/rank.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/findings.hpp"
#include "machine/held_signals.hpp"
#include "measure/accepted.hpp"
#include "measure/check_host.hpp"
#include "measure/output.hpp"

namespace rocmtune {
namespace {

/// The findings of lint about the own environment are chosen by this word or by their ids.
constexpr std::string_view lint_word = "lint";

bool means_lint(std::string_view word) {
    return word == lint_word || (word.starts_with("RT5") && find_finding_kind(word) != nullptr);
}

bool means_lint(std::vector<std::string> const& words, Finding const& finding) {
    return std::ranges::any_of(
        words, [&](std::string const& word) { return word == lint_word || word == finding.id; });
}

/// Whether a check has spoken of the variable.
bool is_told_of(std::string_view name, std::vector<Finding> const& findings) {
    auto const source = fmt::format("environment: {}", name);
    return std::ranges::any_of(findings, [&](Finding const& finding) {
        return finding.verdict != Verdict::pass &&
               std::ranges::count(finding.evidence, source, &Evidence::source) > 0;
    });
}

/// What lint finds wrong with the environment that is judged, as far as it is asked for and the
/// checks have not told it.
std::vector<Finding> environment_findings(CheckCommand const& options, Host const& host,
                                          std::vector<Finding> const& told) {
    bool const asked =
        options.only.empty() ||
        std::ranges::any_of(options.only, [](auto const& word) { return means_lint(word); });
    if (!asked || !host.environment) return {};
    auto findings = harm_in_environment(options.host, host);
    std::erase_if(findings, [&](Finding const& finding) {
        bool const wanted = options.only.empty() || means_lint(options.only, finding);
        bool const twice = finding.setting && is_told_of(finding.setting->name, told);
        return !wanted || twice || means_lint(options.skip, finding);
    });
    // Steps of lint say NAME where the variable stands.
    for (auto& finding : findings)
        if (auto const at = finding.next_step.find("NAME");
            finding.setting && at != std::string::npos && is_variable_name(finding.setting->name))
            finding.next_step.replace(at, 4, finding.setting->name);
    return findings;
}

/// The word must mean a check, an advisory or findings of lint: a misspelt --skip would run what it
/// should not, a misspelt --only nothing.
void check_word(std::string_view option, std::string const& word) {
    if (find_advisory(word) != nullptr || means_lint(word)) return;
    std::vector<std::string_view> known{lint_word};
    for (auto const& check : all_checks()) {
        if (means(word, check)) return;
        known.push_back(check.name);
        known.push_back(check.theme);
        known.push_back(check.id);
    }
    throw Error(fmt::format("{} knows no check '{}'", option, printable(word)),
                suggestion(word, known, "rocmtune check -v shows the ids of all checks"));
}

/// A check that this level leaves out would be asked for in vain.
void check_levels(CheckSelection const& selection) {
    for (auto const& word : selection.only) {
        if (find_advisory(word) != nullptr || means_lint(word)) continue;
        auto least = CheckLevel::long_;
        for (auto const& check : all_checks())
            if (means(word, check)) least = std::min(least, check.level);
        if (least > selection.level)
            throw Error(
                fmt::format("--only {} needs the level {}", word,
                            check_level_words[static_cast<std::size_t>(least)]),
                fmt::format("add -l {}", check_level_words[static_cast<std::size_t>(least)]));
    }
}

/// @throws Error for what names no check, and for checks that would not run.
CheckSelection selection_of(CheckCommand const& options) {
    CheckSelection selection;
    selection.level = options.level;
    // A longer level that ran nothing on the GPUs would pass by accident.
    if (options.level != CheckLevel::quick && !options.host.is_live())
        throw Error(fmt::format("the level {} runs programs on the GPUs, and a recorded host or "
                                "--sources sysfs has none to run them on",
                                check_level_words[static_cast<std::size_t>(options.level)]),
                    "leave out --level: quick looks at everything that was read");
    for (auto const& word : options.only) check_word("--only", word);
    for (auto const& word : options.skip) check_word("--skip", word);
    selection.only = options.only;
    selection.skip = options.skip;
    check_levels(selection);
    return selection;
}

/// What the site expects, by file and by count.
Expectations expectations_of(CheckCommand const& options) {
    Expectations expected;
    if (options.expect) expected = read_expectations(*options.expect, options.host.data.patience);
    for (auto const& text : options.expect_gpus) expect_count(text, expected);
    return expected;
}

/// Prints and writes what this process has to; one of many equal ones has less. None of them is
/// silent about what is wrong: ranks may run on other hosts, or see other GPUs.
void publish(Output const& output, Report& report) {
    auto const rank = rank_of_process();
    bool const speaks = !rank || rank->speaks();
    if (!speaks && report.exit_code != Exit::ok) {
        auto const line =
            fmt::format("rocmtune: rank {} on {}: exit code {}, {} fail, {} warn\n", rank->world,
                        printable(report.host->hostname.value_or("this host")),
                        static_cast<int>(report.exit_code), report.check->count(Verdict::fail),
                        report.check->count(Verdict::warn));
        print_error(line);
    }
    if (speaks) return write_report(report, output);
    if (!rank->writes()) return;
    auto silent = output;
    silent.is_quiet = true;
    write_report(report, silent);
}

/// A host with failures is no example for others.
void learn(CheckCommand const& options, Report const& report) {
    auto const& file = options.learn;
    auto const rank = rank_of_process();
    if (!file || (rank && !rank->writes())) return;
    if (report.check->count(Verdict::fail) > 0)
        throw Error("nothing learned: this host is not in order",
                    "rocmtune check shows why; --skip or --ignore what is meant to be so",
                    Exit::findings);
    if (report.check->gpus == 0)
        throw Error("nothing learned: no AMD GPU was found", "run it on a good host that has some",
                    Exit::no_device);
    if (report.check->essential_unknown || report.check->gpus_judged == 0)
        throw Error("nothing learned: it could not be determined whether this host is in order (" +
                        printable(report.check->undetermined) + ")",
                    "rocmtune check shows all that is unknown", Exit::undetermined);
    auto const expected = learned(*report.host);
    replace_file(*file, expectations_text(expected));
    if (options.output.is_quiet) return;
    auto const line = fmt::format(
        "rocmtune: learned: {} GPUs, {} facts of the host, {} that all GPUs share: {}\n",
        expected.gpus.value_or(0), expected.host.size(), expected.each_gpu.size(),
        printable(*file));
    print_error(line);
}

/// An exit code without a word of why would be a riddle where all results are well.
void note_unjudged(CheckSelection const& selection, Report& report) {
    auto const& check = *report.check;
    bool const unjudged = check.gpus > 0 && check.gpus_judged == 0 && !check.essential_unknown;
    if (report.exit_code != Exit::undetermined || !unjudged) return;
    bool const asked = std::ranges::any_of(all_checks(), [&](Check const& one) {
        return one.essential && is_selected(one, selection);
    });
    auto const* const hint =
        asked ? "rocmtune check -v shows why each of the essential checks was skipped"
              : "rocmtune check without --only and --skip runs them; --only access,... runs two";
    report.errors.push_back({check.undetermined, hint, report.exit_code});
    tell(check.undetermined, hint);
}

}  // namespace

Exit run_check(CheckCommand const& options) {
    auto const start = std::chrono::steady_clock::now();
    give_up_rights(options.output, options.host);
    auto selection = selection_of(options);
    auto const patience = options.host.data.patience;
    auto const expected = expectations_of(options);
    std::optional<Baseline> baseline;
    if (options.baseline) baseline = read_baseline(*options.baseline, patience);
    std::vector<Accepted> accepted;
    if (options.ignore) accepted = read_accepted_checks(*options.ignore, patience);
    selection.rules = expected.rules;
    auto const chips = chips_for(options.host.data);
    // A signal ends the workers at once and this program when the rest is printed. Files that the
    // user named may be pipes, at which it still ends the program as it is.
    HeldSignals const signals;
    Report report;
    report.command = "check";
    report.host = read_host(options.host, needs_of_check(options.host, selection.level));
    selection.rows = options.host.rows_of(*report.host);
    report.findings =
        check_host(options.host, *report.host, chips, start, selection, options.force);
    append(report.findings, environment_findings(options, *report.host, report.findings));
    append(report.findings, judge_expectations(*report.host, expected));
    if (baseline) append(report.findings, judge_baseline(*report.host, *baseline));
    bool const all_ran = selection.only.empty() && selection.skip.empty() && selection.rows.empty();
    apply_accepted(accepted, today_in_utc(), all_ran, report.findings);
    report.exit_code = summarise(selection, options.fail_on, report);
    bool const ended = note_end_by_signal("what was not tried is unknown", report);
    if (!ended) learn(options, report);
    if (!ended) note_unjudged(selection, report);
    publish(options.output, report);
    auto const& format = *options.output.format;
    if (!ended && format.exit_code != nullptr) return static_cast<Exit>(format.exit_code(report));
    return report.exit_code;
}

}  // namespace rocmtune
