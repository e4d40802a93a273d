// SPDX-License-Identifier: MIT
#include "show/verify.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/signed_percent.hpp"
#include "show/layout.hpp"

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

std::string table_of(Report const& report, TextStyle const& style) {
    std::vector<std::vector<std::string>> rows;
    for (auto const& finding : report.findings)
        if (finding.verified) rows.push_back(row_of(*finding.verified));
    return table_text({{"setting"}, {"verdict"}, {"effect", true}, {"95 % interval", true}},
                      std::move(rows), style);
}

std::string paragraph(std::string const& text, Emphasis emphasis, TextStyle const& style) {
    std::string out;
    for (auto const& line : wrapped(for_screen(text, style), style.width - 1))
        out += ' ' + emphasised(line, emphasis, style) + '\n';
    return out;
}

/// What is wrong or open is said; of the others the table has all.
std::string details_of(Report const& report, TextStyle const& style) {
    std::string text;
    for (auto const& finding : report.findings) {
        bool const news = finding.verdict != Verdict::pass && finding.verdict != Verdict::info;
        if (!news && style.verbosity == 0) continue;
        text +=
            paragraph(fmt::format("{} {}", finding.id, finding.message),
                      finding.verdict == Verdict::fail ? Emphasis::notable : Emphasis::none, style);
        if (style.verbosity == 0) continue;
        for (auto const& one : finding.evidence)
            text +=
                paragraph(fmt::format("  {} = {}", one.source, one.value), Emphasis::quiet, style);
        text += paragraph("  do: " + finding.next_step, Emphasis::quiet, style);
    }
    return text;
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

}  // namespace

std::string verify_text(Report const& report, TextStyle const& style) {
    auto text = emphasised(for_screen(title_of(*report.verify), style), Emphasis::heading, style);
    text += '\n' + table_of(report, style);
    if (auto const details = details_of(report, style); !details.empty()) text += '\n' + details;
    return text + '\n' + paragraph(method_of(*report.verify), Emphasis::none, style);
}

}  // namespace rocmtune
