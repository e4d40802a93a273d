// SPDX-License-Identifier: MIT
// rocmtune probe, and rocmtune alone.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/bug_report.hpp"
#include "commands/commands.hpp"
#include "commands/first_contact.hpp"
#include "commands/harmful.hpp"
#include "commands/host_lint.hpp"
#include "commands/report_output.hpp"
#include "commands/visible.hpp"
#include "host/subject.hpp"
#include "judge/checks/checks.hpp"
#include "judge/checks/claims.hpp"
#include "judge/rules/settings.hpp"
#include "knowledge/scrub.hpp"
#include "machine/held_signals.hpp"
#include "measure/bench_peaks.hpp"
#include "measure/data_files.hpp"
#include "measure/host_check.hpp"
#include "measure/host_input.hpp"
#include "measure/numbers.hpp"
#include "measure/output.hpp"
#include "measure/selected_rows.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

/// All GPUs, whatever --gpu says.
Report whole_report(Arguments const& arguments, Recording* recording = nullptr) {
    Report report;
    report.command = "probe";
    auto const given = given_masks(arguments);  // complains before anything is read
    (void)parse_gpu_selectors(arguments.values("--gpu"));
    report.host = read_host(arguments, recording, {}, KernelLog::ring_and_journal);
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
void judge(Arguments const& arguments, std::vector<std::uint64_t> const& rows, Report& report) {
    CheckSelection selection;
    selection.rows = rows;
    selection.skip = {"liveness", "measured"};
    auto findings = run_checks(*report.host, chips_for(arguments), selection);
    std::erase_if(findings, [](Finding const& finding) { return !fits_one_screen(finding); });
    report.findings.insert(report.findings.end(), findings.begin(), findings.end());
    std::ranges::move(harm_in_environment(arguments, *report.host),
                      std::back_inserter(report.findings));
    auto const catalogue = catalogue_for(arguments);
    report.settings = make_settings({}, catalogue, *report.host, {}, {.clear = true});
    clear_harmful(*report.host, chips_for(arguments, catalogue), catalogue, *report.settings);
}

/// Documents and lists of facts are those of probe, whichever way it is called.
bool is_one_screen(Arguments const& arguments) {
    return arguments.command.empty() && format_name(arguments) == "text" &&
           !arguments.has("--verbose");
}

void check_watch(Arguments const& arguments) {
    if (arguments.has("--count") && !arguments.has("--watch"))
        throw Error("--count needs --watch", "for example --watch 5 --count 12");
    if (!arguments.has("--watch")) return;
    for (auto const* other :
         {"--replay", "--record", "--redact", "--bug-report", "--also", "--output"})
        if (arguments.has(other))
            throw Error(fmt::format("--watch and {} exclude each other", other),
                        "--watch prints lines of JSON about this host as it is now");
    auto const format = arguments.value("--format").value_or("ndjson");
    if (format != "ndjson" && format != "json")
        throw Error("--watch prints JSON lines only", "leave out --format");
}

void check_bug_report(Arguments const& arguments) {
    bool const measures = arguments.has("--measure");
    if (measures && !arguments.has("--bug-report"))
        throw Error("--measure needs --bug-report FILE",
                    "figures alone: rocmtune check -l medium, rocmtune bench");
    if (measures && !is_live(arguments))
        throw Error(
            "--measure lets the GPUs of this host work, and a recorded host or --sources "
            "sysfs has none",
            "leave out --measure");
    if (!arguments.has("--bug-report")) return;
    for (auto const* other : {"--record", "--format", "--json", "--also", "--gpu"})
        if (arguments.has(other))
            throw Error(fmt::format("--bug-report and {} exclude each other", other),
                        "--bug-report records and prints by itself; run probe once more for "
                        "anything else");
}

/// With --measure the recording is of the host before, and gets the figures behind it.
Exit write_bug_report(Arguments const& arguments) {
    Recording recording;
    FirstContact contact;
    std::optional<HeldSignals> signals;  // what was measured until then is written
    if (arguments.has("--measure")) {
        signals.emplace();
        recording.more = [&] {
            contact = make_first_contact(arguments.has("--quiet"));
            return contact.documents;
        };
    }
    auto report = whole_report(arguments, &recording);
    std::vector<CardClaim> claims;
    if (arguments.has("--measure"))
        claims = judge_claims(*report.host, chips_for(arguments), contact.runs, memory_peak_of);
    scrub(report);
    write_output(arguments, scrubbed(bug_report_text(report, recording, claims, contact.problems)));
    return report.exit_code;
}

/// Sleeps to the next tick of a fixed rhythm, so that slow probing does not make it drift.
void sleep_until(timespec const& moment) {
    while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nullptr) == EINTR) {
    }
}

timespec later(timespec moment, double seconds) {
    auto const whole = std::floor(seconds);
    moment.tv_sec += static_cast<std::time_t>(whole);
    moment.tv_nsec += static_cast<long>((seconds - whole) * 1e9);
    if (moment.tv_nsec >= 1'000'000'000) ++moment.tv_sec, moment.tv_nsec -= 1'000'000'000;
    return moment;
}

Exit watch(Arguments const& arguments) {
    constexpr double longest = 1e9;  // 30 years: a time_t holds it after any boot
    auto const period = std::min(*arguments.number("--watch", 0.01), longest);
    constexpr std::uint64_t most_documents = 1'000'000'000;
    auto const count = whole_number(arguments, "--count", 1, most_documents);
    timespec moment{};
    ::clock_gettime(CLOCK_MONOTONIC, &moment);
    for (std::uint64_t done = 0; !count || done < *count; ++done) {
        if (done > 0) sleep_until(moment = later(moment, period));
        auto report = whole_report(arguments);
        leave_out_others(selected_rows(arguments, *report.host), report);
        scrub(report);
        if (!print_line(render_report(report, "ndjson", arguments))) break;
    }
    return Exit::ok;
}

}  // namespace

Exit run_probe(Arguments const& arguments) {
    check_watch(arguments);
    check_bug_report(arguments);
    if (arguments.has("--watch")) return watch(arguments);
    if (arguments.has("--bug-report")) return write_bug_report(arguments);
    auto report = whole_report(arguments);
    auto const rows = selected_rows(arguments, *report.host);
    if (is_one_screen(arguments)) judge(arguments, rows, report);
    leave_out_others(rows, report);
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
