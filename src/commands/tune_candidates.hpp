// SPDX-License-Identifier: MIT
// What `rocmtune tune` tries: what the user names, else what the rules recommend for this host and
// ways of starting a program that matter on it.
#pragma once

#include <vector>

#include "commands/commands.hpp"
#include "judge/verify/experiment.hpp"
#include "knowledge/catalogue.hpp"
#include "rocmtune/report.hpp"
#include "rocmtune/tuning.hpp"

namespace rocmtune {

struct Tunable {
    verify::Candidate candidate;
    CandidateOrigin origin = CandidateOrigin::user;
};

/// @param report  gets the host, and the advice where it is asked
/// @throws Error for what is no setting, for too many, and if there is nothing to try.
std::vector<Tunable> tunables_of(TuneCommand const& options, Catalogue const& catalogue,
                                 Report& report);

/// The values of NAME=V1,V2; a comma that belongs to a value is written `\,`.
std::vector<std::string> values_of(std::string_view text);

}  // namespace rocmtune
