// SPDX-License-Identifier: MIT
// Claims: what our data says of a card, held against what this host says and measures. For the
// first owner of a card that nobody has tried rocmtune on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/chips.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune {

enum class ClaimEnd : std::uint8_t { held, failed, not_reached };

/// "held", "failed", "not reached"
std::string_view claim_end_text(ClaimEnd end);

struct CardClaim {
    std::string subject;  ///< as subject_of() names a GPU, or "host"
    std::string what;     ///< "compute units"
    std::string claimed;  ///< by our data; empty: it says nothing
    std::string found;    ///< here, or why nothing was
    ClaimEnd end = ClaimEnd::not_reached;
};

/// What the commands found that let the GPUs work; empty where one did not come to its end.
struct CardRuns {
    std::vector<Finding> check = {};         ///< of check -l medium
    std::vector<Measurement> bench = {};     ///< of bench --quick
    std::vector<Finding> verification = {};  ///< of verify --self-test
};

/// The claims about every AMD GPU of the host, and one about its settings.
/// @param peak  bytes a second that our data claims of a GPU's memory, or nothing
std::vector<CardClaim> judge_claims(Host const& host, ChipSet const& chips, CardRuns const& runs,
                                    std::optional<double> (*peak)(ChipSet const&, Gpu const*));

}  // namespace rocmtune
