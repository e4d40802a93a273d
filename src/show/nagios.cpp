// SPDX-License-Identifier: MIT
// Output of a monitoring plugin: "STATE - text | performance data", more lines below
// (Monitoring Plugins Development Guidelines).
#include <fmt/format.h>

#include "base/text.hpp"
#include "show/check_formats.hpp"

namespace rocmtune {
namespace {

/// The bar starts the performance data.
std::string plain(std::string_view text) {
    auto out = printable(text);
    for (auto& c : out)
        if (c == '|') c = '/';
    return out;
}

std::string line_of(Finding const& finding) {
    return plain(fmt::format("{} {} {}: {}", word_of(finding.verdict), finding.id, finding.subject,
                             finding.message));
}

}  // namespace

int nagios_code(Report const& report) {
    switch (report.exit_code) {
        case Exit::findings: return 2;
        case Exit::ok: break;
        case Exit::usage:
        case Exit::undetermined:
        case Exit::no_device:
        case Exit::internal: return 3;
    }
    // A signal ended the run before all was known.
    if (report.exit_code > Exit::internal) return 3;
    // With --fail-on never a fail is no alarm, and a warning then is none either.
    bool const warns = report.check && report.check->count(Verdict::warn) > 0 &&
                       report.check->count(Verdict::fail) == 0;
    return warns ? 1 : 0;
}

std::string check_nagios(Report const& report, TextStyle const&) {
    static constexpr std::string_view states[] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};
    auto const& check = *report.check;
    auto const found = complaints_of(report);
    auto text =
        fmt::format("ROCMTUNE {} - ", states[static_cast<std::size_t>(nagios_code(report))]);
    bool const unsure = report.exit_code == Exit::undetermined && !check.undetermined.empty();
    text += unsure          ? plain(check.undetermined)
            : found.empty() ? plain(counts_text(check))
                            : line_of(*found.front());
    if (!unsure && found.size() > 1) text += fmt::format(" (and {} more)", found.size() - 1);
    text += fmt::format(
        " | fail={} warn={} unknown={} gpus={} gpus_judged={}{}\n", check.count(Verdict::fail),
        check.count(Verdict::warn), check.count(Verdict::unknown), check.gpus, check.gpus_judged,
        check.gpus_exercised ? fmt::format(" gpus_exercised={}", *check.gpus_exercised)
                             : std::string());
    for (std::size_t i = unsure ? 0 : 1; i < found.size(); ++i) text += line_of(*found[i]) + '\n';
    return text;
}

}  // namespace rocmtune
