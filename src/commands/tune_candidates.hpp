// SPDX-License-Identifier: MIT
// What `rocmtune tune` tries: what the user names, else what the rules recommend for this host,
// ways of starting a program, and experiments that may ease what limits this program.
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

struct Tunables {
    std::vector<Tunable> tried = {};
    std::vector<TunedCandidate> left_out = {};  ///< with the reason
};

bool names_candidates(TuneCommand const& options);

/// What --setting and --launch name.
/// @throws Error for what is no setting, for too many, and if all of it is set already.
Tunables named_tunables(TuneCommand const& options, Catalogue const& catalogue);

/// What may matter on this host for a program that is limited so.
/// @param limits  empty: not known, so that anything may matter
/// @param report  gets the host
/// @throws Error if there is nothing to try.
Tunables fitting_tunables(TuneCommand const& options, Catalogue const& catalogue,
                          std::vector<LimitKind> const& limits, Report& report);

/// The values of NAME=V1,V2; a comma that belongs to a value is written `\,`.
std::vector<std::string> values_of(std::string_view text);

}  // namespace rocmtune
