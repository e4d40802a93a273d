// SPDX-License-Identifier: MIT
// What each command tells people, one builder each, whichever form it takes. What a builder is
// about must be in the report.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "rocmtune/gpu_sample.hpp"
#include "rocmtune/report.hpp"
#include "show/printer.hpp"

namespace rocmtune {

/// One screen: GPUs, host, driver, software, what is missing and what to do next. Lines fit the
/// width, down to 80 columns.
void show_summary(Report const& report, Printer& out);

/// What rocmtune probe --watch shows of one moment.
struct LiveView {
    Host const& host;
    std::uint64_t left_out = 0;           ///< GPUs
    std::span<GpuSample const> now = {};  ///< one that sleeps has no figures
    std::set<std::string> silent = {};    ///< addresses of those that do not answer
    std::string time = {};                ///< "12:03:04"
    std::string note = {};                ///< below the table
};

/// Use, memory, power, clocks, temperature and limits of each card, and who uses it. Lines fit the
/// width, down to 80 columns.
void show_live(LiveView const& view, Printer& out);

/// Every fact of the JSON document with its value or reason, a line each; where more than that was
/// asked for, with its source.
void show_details(Report const& report, Printer& out);

/// The results of a check: what is wrong and the next step, what could not be told, the counts
/// last. Verbose, everything with its evidence.
void show_check(Report const& report, Printer& out);

/// What two reports say differently: the reports, what differs by kind, findings, measurements.
/// Facts of a moment and those that differ rightly are counted, and shown to who wants all.
void show_comparison(Report const& report, Printer& out);

/// Groups, odd hosts with the evidence, facts without majority; on a screen figures only verbose.
void show_fleet(Report const& report, Printer& out);

/// What is planned and whether it fits, its parts, the GPUs by kind, and other ways. Verbose, also
/// the shape of the model, each GPU, and the sources.
void show_plan(Report const& report, Printer& out);

/// What is wrong and what to do, the messages that were known, each cause with its verdict, what
/// was ruled out. Verbose, all evidence and sources.
void show_diagnosis(Report const& report, Printer& out);
/// The same below the title of another document.
void show_diagnosis_parts(Diagnosis const& diagnosis, Printer& out);

/// The builds of one framework with the lines that install them, the best first; of all frameworks
/// a table of the best. Verbose, all that have code for the targets, with all sources.
void show_builds(Report const& report, Printer& out);
/// The best of each framework, below the title of another document; on pages with its lines.
void show_builds_parts(BuildsView const& view, Printer& out);

/// The verdicts of verify: a table, what is said of each, how it was found.
void show_verification(Report const& report, Printer& out);

/// What was seen of a program that was watched: what limits it with figures and doubt, a chart of
/// its load, phases and regions. Lines fit the width, down to 80 columns.
void show_observation(Observation const& observation, Printer& out);

/// What tune has tried: a table, what was left out, the answer, how it was found.
void show_tuning(Report const& report, Printer& out);
/// The same below the title of another document.
void show_tuning_parts(Tuning const& tuning, Printer& out);

/// The explanations of a report. Lines fit the width, down to 80 columns.
void show_explanations(Report const& report, Printer& out);

/// A report with several parts, which `Report::parts` names: host, settings, results, environment,
/// figures, each below its heading.
void show_report(Report const& report, Printer& out);

/// What bench measured, a table for each device, and below it what to know of the figures.
void show_measurements(Report const& report, Printer& out);

/// The code cache, one fact a line.
void show_cache(Report const& report, Printer& out);

/// Whether the report was asked for this part of it.
bool has_part(Report const& report, std::string_view part);

/// "8 of 8 GPUs judged, 8 exercised"; without the second where no GPU was to work.
std::string gpu_counts_text(CheckSummary const& check);

/// "348 results: 1 fail, ...; 8 of 8 GPUs judged, 8 exercised (level quick)".
std::string counts_text(CheckSummary const& check);

}  // namespace rocmtune
