// SPDX-License-Identifier: MIT
// rocmtune probe, and rocmtune alone.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "commands/bug_report.hpp"
#include "commands/commands.hpp"
#include "commands/watch.hpp"
#include "judge/checks/checks.hpp"
#include "judge/checks/claims.hpp"
#include "judge/rules/visibility.hpp"
#include "knowledge/scrub.hpp"
#include "machine/held_signals.hpp"
#include "measure/bench_peaks.hpp"
#include "measure/check_host.hpp"
#include "measure/output.hpp"
#include "show/documents.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

// ---- --visible: the masks of a process that does not run yet ------------------------------------

void check_name(std::string const& name) {
    if (is_device_mask(name)) return;
    throw Error(
        fmt::format("--visible knows no variable '{}'", printable(name)),
        suggestion(name, mask_names, fmt::format("choose one of {}", fmt::join(mask_names, ", "))));
}

std::pair<std::string, std::string> assignment(std::string const& text) {
    auto const parts = split_once(text, '=');
    if (!parts)
        throw Error(fmt::format("--visible needs NAME=VALUE, not '{}'", printable(text)),
                    "NAME= sets it empty, which hides every GPU");
    std::string name(parts->first);
    check_name(name);
    return {std::move(name), std::string(parts->second)};
}

/// Of a name that is given twice the last counts.
std::map<std::string, std::string> given_masks(std::vector<std::string> const& texts) {
    std::map<std::string, std::string> given;
    for (auto const& text : texts) {
        auto const [name, value] = assignment(text);
        given[name] = value;
    }
    return given;
}

/// What a process with the host's environment and these variables sees; absent where neither has a
/// mask.
std::optional<Visibility> visibility_of(Host const& host,
                                        std::map<std::string, std::string> const& given) {
    auto variables = given;
    if (host.environment) variables.insert(host.environment->begin(), host.environment->end());
    auto result = simulate_visibility(host, variables);
    if (result.variables.empty()) return std::nullopt;
    for (auto const& [name, value] : given) result.given.push_back(name);
    return result;
}

/// All GPUs, whatever --gpu says.
Report whole_report(ProbeCommand const& options, Recording* recording = nullptr) {
    Report report;
    report.command = "probe";
    auto const given = given_masks(options.visible);  // complains before anything is read
    report.host = read_host(options.host, {.log = KernelLog::ring_and_journal}, recording);
    report.visibility = visibility_of(*report.host, given);
    report.findings = judge_device_map(*report.host);
    return report;
}

// ---- --gpu --------------------------------------------------------------------------------------

/// Whether a finding speaks of the host or of one of these GPUs: by its row's subject, or by the
/// card of which that is a partition.
bool concerns(Finding const& finding, std::vector<Gpu> const& gpus) {
    return finding.subject == "host" || std::ranges::any_of(gpus, [&](Gpu const& gpu) {
               return finding.subject == subject_of(gpu) ||
                      finding.subject == gpu.pci_address.value_or("");
           });
}

/// All was judged as a whole, since GPUs are also judged by each other; now the others go. What
/// programs see and who uses a GPU are facts of the host, and stay whole.
void leave_out_others(std::vector<std::uint64_t> const& rows, Report& report) {
    if (rows.empty()) return;
    auto const all = report.host->gpus.size();
    keep_rows(rows, *report.host);
    report.gpus_left_out = all - report.host->gpus.size();
    std::erase_if(report.findings,
                  [&](Finding const& finding) { return !concerns(finding, report.host->gpus); });
}

// ---- rocmtune alone -----------------------------------------------------------------------------

/// What one screen has room for: what is wrong, and what could not be told although all depends on
/// it. rocmtune check has the rest.
bool fits_one_screen(Finding const& finding) {
    auto const* check = find_check(finding.id);
    bool const open = finding.verdict == Verdict::unknown || finding.verdict == Verdict::timeout;
    return finding.verdict == Verdict::fail || finding.verdict == Verdict::warn ||
           (open && check != nullptr && check->essential);
}

/// The screen of rocmtune alone: also what the checks say of what was read, without letting a GPU
/// work, what lint says of the environment, and which settings env --unset would clear.
void judge(HostChoice const& choice, std::vector<std::uint64_t> const& rows, Report& report) {
    auto const catalogue = catalogue_for(choice.data);
    auto const chips = chips_for(choice.data, catalogue);
    CheckSelection selection;
    selection.rows = rows;
    selection.skip = {"liveness", "measured"};
    selection.builds = own_builds_for(choice.data);
    auto findings = run_checks(*report.host, chips, selection);
    std::erase_if(findings, [](Finding const& finding) { return !fits_one_screen(finding); });
    append(report.findings, std::move(findings));
    append(report.findings, harm_in_environment(choice, *report.host));
    report.settings = make_settings({}, catalogue, *report.host, {}, {.clear = true});
    clear_harmful(*report.host, chips, catalogue, *report.settings);
}

/// Documents and lists of facts are those of probe, whichever way it is called.
bool is_one_screen(ProbeCommand const& options) {
    return options.is_alone && options.output.format->name == "text" &&
           options.output.verbosity == 0;
}

/// With --measure the recording is of the host before, and gets the figures behind it.
Exit write_bug_report(ProbeCommand const& options) {
    Recording recording;
    OwnRuns own;
    std::optional<HeldSignals> signals;  // what was measured until then is written
    if (options.measures) {
        signals.emplace();
        recording.more = [&] {
            own = run_own_commands(options.output.is_quiet);
            return own.documents;
        };
    }
    auto report = whole_report(options, &recording);
    std::vector<CardClaim> claims;
    if (options.measures)
        claims = judge_claims(*report.host, chips_for(options.host.data), own.runs, memory_peak_of);
    scrub(report);
    write_text(options.output, scrubbed(bug_report_text(report, recording, claims, own.problems)));
    return report.exit_code;
}

}  // namespace

Exit run_probe(ProbeCommand const& options) {
    give_up_rights(options.output, options.host);
    if (options.watch_seconds)
        return watch_gpus(options, [&] {
            auto report = whole_report(options);
            leave_out_others(options.host.rows_of(*report.host), report);
            return report;
        });
    if (options.is_bug_report) return write_bug_report(options);
    auto report = whole_report(options);
    auto const rows = options.host.rows_of(*report.host);
    if (is_one_screen(options)) judge(options.host, rows, report);
    leave_out_others(rows, report);
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
