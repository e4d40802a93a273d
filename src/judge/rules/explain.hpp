// SPDX-License-Identifier: MIT
// What one name means: in general, and on this host.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "knowledge/rule.hpp"
#include "rocmtune/explanation.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// The explanation of a variable, option, API or practice that the catalogue knows (upper and lower
/// case count as equal if nothing fits exactly, and words of its name stand for one that is no
/// variable), of what `rules` advise beside variables, or of a name of which only the readers are
/// known. Empty for a name that no text speaks of.
std::optional<Explanation> explain(std::string_view name, Catalogue const& catalogue,
                                   Host const& host, Advice const& advice,
                                   std::span<Rule const> rules = {});

/// Known names like an unknown one, the nearest first; at most five.
std::vector<std::string> near_names(std::string_view name, Catalogue const& catalogue);

}  // namespace rocmtune
