// SPDX-License-Identifier: MIT
// rocmtune builds.
#include "judge/builds/builds.hpp"

#include <gnu/libc-version.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "judge/rules/explain.hpp"
#include "knowledge/chips.hpp"
#include "measure/output.hpp"

namespace rocmtune {
namespace {

void expect_framework(std::string const& name, BuildsData const& data) {
    if (std::ranges::find(data.frameworks, name) != data.frameworks.end()) return;
    std::vector<std::string_view> const known(data.frameworks.begin(), data.frameworks.end());
    throw Error(fmt::format("builds knows no framework '{}'", printable(name)),
                suggestion(name, known, fmt::format("one of {}", fmt::join(known, ", "))));
}

void expect_target(std::string const& name, BuildsData const& data, ChipSet const& chips) {
    if (is_gfx_target(name) && is_known_target(name, data, chips)) return;
    throw Error(fmt::format("neither a build nor a profile knows the target '{}'", printable(name)),
                unknown_target_hint(name, chips));
}

[[noreturn]] void no_target(Host const& host) {
    auto const unread = why_gpus_are_unread(host);
    throw Error(unread ? fmt::format("the GPUs of this host are not known: {}", *unread)
                       : "no AMD GPU of this host that computes tells its gfx target",
                "name one: rocmtune builds gfx1100", Exit::undetermined);
}

std::string about_host(Host const& host, BuildsQuestion const& question) {
    std::string text;
    auto const python = question.python ? question.python : python_of(host);
    if (python) text += fmt::format(", Python {}", *python);
    if (question.glibc) text += fmt::format(", glibc {}", *question.glibc);
    if (host.kernel_release) text += fmt::format(", Linux {}", *host.kernel_release);
    if (host.distribution) text += fmt::format(", {}", *host.distribution);
    return text;
}

/// Of a framework that was named: whether a build of it can be installed, then what is left.
Exit code_of(BuildsQuestion const& question, std::vector<Build> const& answers) {
    auto code = Exit::ok;
    for (auto const& framework : question.frameworks) {
        bool installs = false, recorded = true;
        for (auto const& answer : answers) {
            if (answer.framework != framework) continue;
            installs |= answer.answer == BuildAnswer::build && answer.command;
            recorded &= answer.answer != BuildAnswer::not_recorded;
        }
        if (!installs && recorded) return Exit::findings;
        if (!installs) code = Exit::undetermined;
    }
    return code;
}

}  // namespace

Exit run_builds(BuildsCommand const& options) {
    bool const asks_host = options.targets.empty();
    if (asks_host) give_up_rights(options.output, options.host);
    else give_up_rights(options.output, std::vector<std::string>{});
    auto const data = builds_data_for(options.host.data);
    auto const chips = chips_for(options.host.data);
    for (auto const& name : options.frameworks) expect_framework(name, data);
    for (auto const& name : options.targets) expect_target(name, data, chips);
    Report report;
    report.command = "builds";
    BuildsQuestion question{options.frameworks.empty() ? data.frameworks : options.frameworks,
                            options.targets, options.installer, options.python};
    std::string about;
    if (asks_host) {
        report.host = read_host(options.host, {.python_needs = true});
        question.host = &*report.host;
        if (options.host.is_this_host()) question.glibc = gnu_get_libc_version();
        question.targets = targets_of(*report.host, options.host.rows_of(*report.host));
        if (question.targets.empty()) no_target(*report.host);
        about = about_host(*report.host, question);
    }
    report.builds = {.targets = question.targets,
                     .chosen = !options.frameworks.empty(),
                     .about = fmt::format("{}{}", fmt::join(question.targets, ", "), about),
                     .data_date = data.data_date,
                     .builds = builds_for(question, data, chips)};
    if (options.shows_targets) report.builds->target_values = target_values(question.targets, data);
    if (report.builds->chosen) report.exit_code = code_of(question, report.builds->builds);
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
