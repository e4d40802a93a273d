// SPDX-License-Identifier: MIT
// What an experiment has shown, as findings, measurements and an exit code.
#pragma once

#include <string>
#include <vector>

#include "judge/verify/experiment.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune::verify {

/// What was measured, for people and for the report.
struct Subject {
    std::string benchmark = {};  ///< row of the benchmark table, or "command"
    std::string metric = {};
    std::string name = {};     ///< "gemm fp32-openblas on cpu:0", or the command
    Measurement pattern = {};  ///< with the parameters of one run
    bool self_test = false;
    bool findings_count = true;  ///< whether a harmful setting is a failure of the whole
};

/// Adds a finding for each setting and a measurement for each of its arms to the report, adds
/// what was planned to Report::verify, and makes the exit code graver if it must be. Of several
/// groups the summary says what holds for all: their unit and direction (empty if they differ), the
/// fewest blocks, the largest of the smallest effects.
void add_result(ExperimentResult const& result, Subject const& subject, Report& report);

}  // namespace rocmtune::verify
