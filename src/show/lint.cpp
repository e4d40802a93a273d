// SPDX-License-Identifier: MIT
#include "show/lint.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/text.hpp"
#include "show/finding_formats.hpp"
#include "show/layout.hpp"
#include "show/workflow_command.hpp"

namespace rocmtune {
namespace {

/// "train.sh:12:8", or what stands for a live environment.
std::string place_text(SettingPlace const& place) {
    if (place.file.empty()) return "environment";
    return place.line == 0 ? place.file
                           : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string line_text(std::string const& text, Emphasis emphasis, TextStyle const& style) {
    std::string out;
    constexpr std::size_t indent = 4;
    for (auto const& line : wrapped(for_screen(text, style), style.width - indent))
        out += std::string(indent, ' ') + emphasised(line, emphasis, style) + '\n';
    return out;
}

/// The setting as it is written; nothing for a secret and what has no line.
std::string excerpt_text(SettingPlace const& place, TextStyle const& style) {
    constexpr std::size_t indent = 4;
    if (place.excerpt.empty()) return {};
    return std::string(indent, ' ') +
           shorten(for_screen(place.excerpt, style), style.width - indent) + '\n';
}

std::string finding_text(Finding const& finding, bool, TextStyle const& style) {
    auto const& place = *finding.setting;
    bool const is_note = finding.verdict == Verdict::info;
    auto text = emphasised(
        for_screen(fmt::format("{} {} {} {}", place_text(place), word_of(finding.verdict),
                               finding.id, word_of(place.lint_class)),
                   style),
        is_note ? Emphasis::none : Emphasis::notable, style);
    text += '\n' + line_text(finding.message, Emphasis::none, style);
    if (!is_note || style.verbosity > 0) text += excerpt_text(place, style);
    if (style.verbosity > 0)
        for (auto const& one : finding.evidence)
            text += line_text(fmt::format("{}: {}", one.source, one.value), Emphasis::quiet, style);
    if (!place.fix.empty()) text += line_text("do: " + place.fix, Emphasis::quiet, style);
    return text + '\n';
}

std::string readers_text(std::vector<ReaderFile> const& files, TextStyle const& style) {
    std::string text;
    for (auto const& file : files) {
        text += for_screen(fmt::format("{}: {} names{}", file.path, file.names.size(),
                                       file.complete ? "" : ", not read to its end"),
                           style) +
                '\n';
        if (style.verbosity > 0)
            text +=
                line_text(fmt::format("{}", fmt::join(file.names, " ")), Emphasis::quiet, style);
    }
    if (files.empty()) text = "no library or framework that reads settings was found\n";
    return text + '\n';
}

std::string text_head(Report const& report, TextStyle const& style) {
    return report.readers ? readers_text(*report.readers, style) : std::string();
}

std::string_view github_command(Verdict verdict) {
    return verdict == Verdict::fail ? "error" : verdict == Verdict::warn ? "warning" : "notice";
}

std::string github_line(Finding const& finding, bool, TextStyle const&) {
    auto const& place = *finding.setting;
    auto const file = printable(place.file);
    auto text = printable(finding.message);
    if (!place.fix.empty()) text += "\ndo: " + printable(place.fix);
    return workflow_line({.name = github_command(finding.verdict),
                          .title = fmt::format("{} {}", finding.id, word_of(place.lint_class)),
                          .text = text,
                          .file = file,
                          .line = place.line,
                          .column = place.column});
}

std::string nothing(Report const&, TextStyle const&) {
    return {};
}

std::string counts_line(Report const& report, TextStyle const&) {
    return lint_counts(report) + '\n';
}

}  // namespace

FindingFormat const lint_text_format{"text", text_head, finding_text, counts_line};
FindingFormat const lint_github_format{"github", nothing, github_line, counts_line};

std::string lint_counts(Report const& report) {
    auto const& lint = *report.lint;
    std::string list;
    for (auto const verdict : {Verdict::fail, Verdict::warn, Verdict::info}) {
        auto const count = count_of(verdict, lint, report.findings);
        if (count > 0)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, word_of(verdict));
    }
    auto const chosen = lint.rows.empty()
                            ? std::string()
                            : fmt::format(", judged for GPU{} {}", lint.rows.size() == 1 ? "" : "s",
                                          fmt::join(lint.rows, ", "));
    // Nothing found in nothing would look like texts that are in order.
    if (list.empty()) list = lint.texts == 0 ? "nothing was judged" : "nothing found";
    auto text = fmt::format("{} in {}{}: {}", counted(lint.assignments, "setting"),
                            counted(lint.texts, "text"), chosen, list);
    if (lint.accepted > 0) text += fmt::format("; {} accepted", lint.accepted);
    return text;
}

std::string lint_text(Report const& report, TextStyle const& style) {
    return document_of("text", report, style);
}

std::string lint_github(Report const& report, TextStyle const& style) {
    return document_of("github", report, style);
}

}  // namespace rocmtune
