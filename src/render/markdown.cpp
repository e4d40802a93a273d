// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/text.hpp"
#include "render/check_formats.hpp"

namespace rocmtune {
namespace {

/// Text of one cell: nothing in it may end the cell, start a tag or a link.
std::string cell(std::string_view text) {
    std::string out;
    for (auto const c : printable(text)) {
        if (c == '<') out += "&lt;";
        else if (c == '&') out += "&amp;";
        else if (std::string_view("\\`*_{}[]#!|~").find(c) != std::string_view::npos)
            out.append(1, '\\').append(1, c);
        else out += c;
    }
    return out;
}

void add_row(Finding const& finding, std::string& text) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", word_of(finding.verdict), finding.id,
                        cell(finding.subject), cell(finding.message), cell(finding.next_step));
}

}  // namespace

std::string check_markdown(Report const& report, TextStyle const&) {
    auto const host = report.host && report.host->hostname ? " of " + *report.host->hostname : "";
    auto text = fmt::format("## rocmtune check{}\n\n", cell(host));
    std::string rows;
    for (auto const* finding : complaints_of(report)) add_row(*finding, rows);
    for (auto const verdict : {Verdict::unknown, Verdict::info})
        for (auto const& finding : report.findings)
            if (finding.verdict == verdict) add_row(finding, rows);
    if (!rows.empty())
        text += "| verdict | id | subject | finding | next step |\n|---|---|---|---|---|\n" + rows +
                '\n';
    return text + counts_text(*report.check) + '\n';
}

}  // namespace rocmtune
