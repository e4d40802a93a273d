// SPDX-License-Identifier: MIT
// probe --bug-report FILE: a text beside the redacted recording, and with --measure what the GPUs
// here do of all that our data claims of them.
#pragma once

#include <string>
#include <vector>

#include "judge/checks/claims.hpp"
#include "measure/recording.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

struct OwnRuns {
    CardRuns runs;
    /// Commands that gave no report, each with the reason.
    std::vector<std::string> problems;
    /// The reports as JSON, /rocmtune/COMMAND.json, without what each repeats of the host and
    /// without single samples.
    std::vector<RecordedFile> documents;
};

/// Runs check -l medium, bench --quick and verify --self-test, one after the other, each in a
/// process of its own that is ended when its time is over: ten minutes in all. Says on standard
/// error what it does, unless `quiet`. Signals that ask this program to end must be held: one ends
/// the command that runs, and the others are left out.
OwnRuns run_own_commands(bool quiet);

/// Markdown to be pasted into an issue beside the redacted recording, with the table of claims if
/// there are some.
std::string bug_report_text(Report const& report, Recording const& recording,
                            std::vector<CardClaim> const& claims = {},
                            std::vector<std::string> const& problems = {});

}  // namespace rocmtune
