// SPDX-License-Identifier: MIT
// How a judgement becomes a finding: what it found is said here, what that means in the table.
#pragma once

#include "rocmtune/finding.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// A finding of a kind that profiles/findings.json knows, with the action, the next step and the
/// sources that stand there. Evidence is the caller's to add.
/// @throws std::logic_error if there is no such kind.
Finding make_finding(std::string_view id, Verdict verdict, std::string subject,
                     std::string message);

/// How findings name a GPU: its PCI address, with /PARTITION where the card is partitioned. A
/// device without an address is "host": its row stands in the message.
std::string subject_of(Gpu const& gpu);

}  // namespace rocmtune
