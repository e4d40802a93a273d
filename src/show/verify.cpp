// SPDX-License-Identifier: MIT
// The verdicts of verify.
#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

std::string setting_text(VerifiedSetting const& it) {
    if (it.name == "nothing") return "nothing (self-test)";
    if (it.name == "together") return fmt::format("together ({})", it.value.value_or(""));
    return it.value ? fmt::format("{}={}", it.name, *it.value) : "without " + it.name;
}

std::vector<std::string> row_of(VerifiedSetting const& it) {
    auto const interval = it.low && it.high ? fmt::format("{} to {}", signed_percent(*it.low),
                                                          signed_percent(*it.high))
                                            : "-";
    return {setting_text(it), std::string(word_of(it.verdict)),
            it.effect ? signed_percent(*it.effect) : "-", interval};
}

std::string title_of(VerifySummary const& it) {
    std::vector<std::string> remarks;
    if (!it.unit.empty()) remarks.push_back(it.unit);
    if (!it.better.empty()) remarks.push_back(it.better + " is better");
    auto const title = fmt::format("{}, {}", it.benchmark, it.metric);
    return remarks.empty() ? title : fmt::format("{} ({})", title, fmt::join(remarks, ", "));
}

std::string method_of(VerifySummary const& it) {
    auto text =
        fmt::format("{} blocks of 4 runs for each, margin {:.3g} %", it.blocks, 100 * it.margin);
    if (it.smallest_effect)
        text += fmt::format("; an effect of {:.2g} % would have shown", 100 * *it.smallest_effect);
    for (auto const& name : it.asserted) text += fmt::format("; {} is read: asserted", name);
    return text + "; rocmtune-verify(1) says how";
}

/// What is wrong or open is said; of the others the table has all.
void show_finding(Finding const& finding, Printer& out) {
    bool const is_open = finding.verdict != Verdict::pass && finding.verdict != Verdict::info;
    if (!is_open && !out.is_verbose()) return;
    out.note(finding.id + ' ' + finding.message,
             finding.verdict == Verdict::fail ? Emphasis::notable : Emphasis::none);
    if (!out.is_verbose()) return;
    for (auto const& one : finding.evidence)
        out.note(one.source + " = " + one.value, Emphasis::quiet);
    out.note("do: " + finding.next_step, Emphasis::quiet);
}

}  // namespace

void show_verification(Report const& report, Printer& out) {
    Table table{.columns = {{"setting"}, {"verdict"}, {"effect", true}, {"95 % interval", true}}};
    for (auto const& finding : report.findings)
        if (finding.verified) table.rows.push_back(row_of(*finding.verified));
    out.heading(title_of(*report.verify));
    out.table(std::move(table));
    out.apart();
    for (auto const& finding : report.findings) show_finding(finding, out);
    out.apart();
    out.note(method_of(*report.verify));
}

}  // namespace rocmtune
