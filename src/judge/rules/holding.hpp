// SPDX-License-Identifier: MIT
// Where the conditions of an advisory or of a cause hold: on the host, or at which of its GPUs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/rules/condition.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

struct Holding {
    std::string subject = {};  ///< "host", or a GPU
    Decision decision = {};
};

/// All GPUs of the host that are meant (`rows`; empty: all), for conditions; they must outlive it.
SelectedHost selected_host(Host const& host, std::vector<std::uint64_t> const& rows,
                           TextFacts const* text = nullptr);

/// One for each card where the conditions ask about a GPU, else one for the host.
std::vector<Holding> holdings(std::span<Condition const> conditions, SelectedHost const& selected);

/// The one with the greatest truth, the first of equals.
Holding best_holding(std::span<Condition const> conditions, SelectedHost const& selected);

/// "0000:03:00.0 vbios_version", "113-...": facts as evidence.
std::vector<Evidence> evidence_of(std::vector<Because> const& because);

}  // namespace rocmtune
