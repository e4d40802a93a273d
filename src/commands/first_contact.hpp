// SPDX-License-Identifier: MIT
// probe --bug-report FILE --measure: what this card does of all that our data claims of it.
#pragma once

#include <string>
#include <vector>

#include "judge/checks/claims.hpp"
#include "measure/recording.hpp"

namespace rocmtune {

struct FirstContact {
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
FirstContact make_first_contact(bool quiet);

}  // namespace rocmtune
