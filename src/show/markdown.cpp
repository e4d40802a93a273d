// SPDX-License-Identifier: MIT
#include "show/markdown.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/check_formats.hpp"

namespace rocmtune {
namespace {

void add_row(Finding const& finding, std::string& text) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", word_of(finding.verdict), finding.id,
                        markdown_cell(finding.subject), markdown_cell(finding.message),
                        markdown_cell(finding.next_step));
}

}  // namespace

std::string markdown_cell(std::string_view text) {
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

std::string markdown_table(std::vector<std::string> const& headings,
                           std::vector<std::vector<std::string>> const& rows) {
    if (rows.empty()) return {};
    auto const line = [](std::vector<std::string> const& cells, auto const& print) {
        std::string text = "|";
        for (auto const& cell : cells) text += ' ' + print(cell) + " |";
        return text + '\n';
    };
    auto text = line(headings, [](std::string const& cell) { return cell; });
    text += line(headings, [](std::string const&) { return std::string("---"); });
    for (auto const& row : rows) text += line(row, markdown_cell);
    return text + '\n';
}

std::string check_markdown(Report const& report, TextStyle const&) {
    auto const host = report.host && report.host->hostname ? " of " + *report.host->hostname : "";
    auto text = fmt::format("## rocmtune check{}\n\n", markdown_cell(host));
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
