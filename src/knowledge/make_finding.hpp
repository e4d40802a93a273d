// SPDX-License-Identifier: MIT
// How a judgement becomes a finding: what it found is said here, what that means in the table.
#pragma once

#include "host/subject.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// A finding of a kind that profiles/findings.json knows, with the action, the next step and the
/// sources that stand there. Evidence is the caller's to add.
/// @throws std::logic_error if there is no such kind.
Finding make_finding(std::string_view id, Verdict verdict, std::string subject,
                     std::string message);

}  // namespace rocmtune
