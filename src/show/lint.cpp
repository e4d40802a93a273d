// SPDX-License-Identifier: MIT
#include "show/lint.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "codec/json.hpp"
#include "show/findings.hpp"
#include "show/machine_formats.hpp"

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
    if (is_note && style.verbosity == 0) return {};  // its class is counted
    auto text = emphasised(
        for_screen(fmt::format("{} {} {} {}", place_text(place), word_of(finding.verdict),
                               finding.id, word_of(place.lint_class)),
                   style),
        is_note ? Emphasis::none : Emphasis::notable, style);
    text += '\n' + line_text(finding.message, Emphasis::none, style);
    text += excerpt_text(place, style);
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
        if (style.verbosity > 0) text += line_text(joined(file.names, " "), Emphasis::quiet, style);
    }
    if (files.empty()) text = "no library or framework that reads settings was found\n";
    return text + '\n';
}

std::string text_head(Report const& report, TextStyle const& style) {
    return report.readers ? readers_text(*report.readers, style) : std::string();
}

std::string github_line(Finding const& finding, bool, TextStyle const&) {
    auto const& place = *finding.setting;
    return workflow_line({.verdict = finding.verdict,
                          .title = fmt::format("{} {}", finding.id, word_of(place.lint_class)),
                          .text = finding.message,
                          .step = place.fix,
                          .file = place.file,
                          .line = place.line,
                          .column = place.column});
}

std::string nothing(Report const&, TextStyle const&) {
    return {};
}

std::string counts_line(Report const& report, TextStyle const&) {
    return lint_counts(report) + '\n';
}

constexpr std::size_t most_notes = 3;

/// "train.sh:4 NAME"
std::string note_place(SettingPlace const& place) {
    if (place.file.empty()) return place.name;
    return fmt::format("{}:{} {}", place.file, place.line, place.name);
}

void count_class(Finding const& finding, std::map<LintClass, LintClassCount>& classes) {
    auto& one = classes[finding.setting->lint_class];
    ++one.verdicts[static_cast<std::size_t>(finding.verdict)];
    if (finding.verdict == Verdict::info && one.notes.size() < most_notes)
        one.notes.push_back(note_place(*finding.setting));
}

/// "unknown-name: 1 warn, 12 info: train.sh:4 NAME, ... and 9 more"
std::string class_text(LintClass lint_class, LintClassCount const& count, TextStyle const& style) {
    auto text = fmt::format("{}: {}", word_of(lint_class), counts_text(count.verdicts));
    if (style.verbosity > 0 || count.notes.empty()) return text;
    text += fmt::format(": {}", fmt::join(count.notes, ", "));
    auto const all = count.verdicts[static_cast<std::size_t>(Verdict::info)];
    if (all > count.notes.size()) text += fmt::format(" and {} more", all - count.notes.size());
    return text;
}

std::string text_tail(Report const& report, TextStyle const& style) {
    auto classes = report.lint->written_classes;
    for (auto const& finding : report.findings)
        if (finding.setting) count_class(finding, classes);
    std::string text;
    for (auto const& [lint_class, count] : classes)
        for (auto const& line :
             wrapped(for_screen(class_text(lint_class, count, style), style), style.width))
            text += line + '\n';
    return text + counts_line(report, style);
}

template <bool indented>
constexpr FindingFormat json_format(std::string_view name) {
    return {name,
            [](Report const& report, TextStyle const&) { return json_head(report, indented); },
            [](Finding const& finding, bool is_first, TextStyle const&) {
                return json_finding(finding, is_first, indented);
            },
            [](Report const& report, TextStyle const&) { return json_tail(report, indented); }};
}

constexpr FindingFormat finding_formats[] = {
    {"text", text_head, finding_text, text_tail, false, true},
    {"github", nothing, github_line, counts_line, false, true},
    json_format<true>("json"),
    json_format<false>("ndjson"),
};

}  // namespace

FindingFormat const& finding_format(std::string_view name) {
    for (auto const& format : finding_formats)
        if (format.name == name) return format;
    if (name == lint_sarif_format.name) return lint_sarif_format;
    throw std::logic_error("lint has no steps for the format " + std::string(name));
}

std::string document_of(std::string_view format, Report const& report, TextStyle const& style) {
    auto const& steps = finding_format(format);
    auto text = steps.head(report, style);
    bool is_first = true;
    auto const add = [&](Finding const& finding) {
        text += steps.finding(finding, std::exchange(is_first, false), style);
    };
    if (!steps.is_by_verdict)
        for (auto const& finding : report.findings)
            if (finding.setting) add(finding);
    if (steps.is_by_verdict)
        for (auto const verdict : lint_verdicts)
            for (auto const& finding : report.findings)
                if (finding.setting && finding.verdict == verdict) add(finding);
    return text + steps.tail(report, style);
}

void count_as_written(Finding const& finding, LintSummary& lint) {
    ++lint.written[static_cast<std::size_t>(finding.verdict)];
    count_class(finding, lint.written_classes);
    lint.written_kinds.emplace(finding.id, finding.setting->lint_class);
}

std::string lint_counts(Report const& report) {
    auto const& lint = *report.lint;
    auto counts = counts_of(report.findings);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += lint.written[i];
    auto list = counts_text(counts);
    auto const chosen = lint.rows.empty()
                            ? std::string()
                            : fmt::format(", judged for GPU{} {}", lint.rows.size() == 1 ? "" : "s",
                                          fmt::join(lint.rows, ", "));
    // Nothing found in nothing would look like texts that are in order.
    if (list.empty()) list = lint.texts == 0 ? "nothing was judged" : "nothing found";
    auto text = fmt::format("{} in {}{}: {}", counted(lint.assignments, "setting"),
                            counted(lint.texts, "text"), chosen, list);
    if (lint.accepted > 0) text += fmt::format("; {} accepted", lint.accepted);
    if (lint.repaired > 0) text += fmt::format("; {} mended", lint.repaired);
    return text;
}

std::string lint_text(Report const& report, TextStyle const& style) {
    return document_of("text", report, style);
}

std::string lint_github(Report const& report, TextStyle const& style) {
    return document_of("github", report, style);
}

}  // namespace rocmtune
