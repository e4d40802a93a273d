// SPDX-License-Identifier: MIT
// The tables of a report, as cells of plain text: Markdown and HTML differ only in how they escape
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/report.hpp"

namespace rocmtune {

struct TextTable {
    std::vector<std::string> headings = {};
    std::vector<std::vector<std::string>> rows = {};
};

/// A line a GPU, as in the summary of probe.
TextTable gpu_table(Host const& host);

/// What a process is to be set to, and advice that is no variable: name, value, kind, why, sources.
TextTable advice_table(Advice const& advice);

/// What was near to being advised, and why it is not.
TextTable undecided_table(Advice const& advice);

/// Findings that are news, the worst first: verdict, id, subject, message, next step. With
/// `settings` those of lint, else the others.
TextTable findings_table(std::vector<Finding> const& findings, bool settings);

/// All figures of all devices.
TextTable measurements_table(std::vector<Measurement> const& measurements);

/// Findings of one kind: of lint (`settings`), or the others.
std::vector<Finding> findings_of(Report const& report, bool settings);

/// "2 fail, 1 warn, 40 pass", the worst first.
std::string verdict_counts(std::vector<Finding> const& findings);

/// "title, version".
std::string source_text(Reference const& reference);

/// What the settings were chosen for: "balanced, workload none, framework auto".
std::string selection_text(Settings const& settings);

/// Which program and data made the report, and out of what.
std::string origin_text(Report const& report);

/// Whether the report was asked for this part of it.
bool has_part(Report const& report, std::string_view part);

/// Why the environment was not judged although it was asked for; empty if it was.
std::string why_not_linted(Report const& report);

}  // namespace rocmtune
