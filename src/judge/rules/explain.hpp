// SPDX-License-Identifier: MIT
// What one name means: in general, and on this host.
// What the profiles know of a gfx target, and which GPUs of a host have it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
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

/// The explanation of a parameter, kernel argument, file, library, option or word. Empty for what
/// is none of them.
std::optional<Explanation> explain_term(std::string_view name, Host const& host);

/// The word under which explain tells of all that rocmtune knows.
inline constexpr std::string_view name_of_data = "data";

/// How old the data in force are: every component with the newest text of it that was read, the
/// oldest first, and where the host has it. `folder`: where the data lie; empty: they are built in.
Explanation explain_data(Catalogue const& catalogue, Host const& host, std::string_view folder);

/// Known names like an unknown one, the nearest first; at most five.
std::vector<std::string> near_names(std::string_view name, Catalogue const& catalogue);

/// Whether a name is meant as a gfx target: "gfx" and a digit, in any case.
bool is_target_name(std::string_view name);

/// The explanation of a target ("gfx942"), of one with features ("gfx90a:sramecc+:xnack-") or of a
/// generic target of LLVM ("gfx11-generic"), without what a host has of it. Empty for one that no
/// profile has.
std::optional<Explanation> explain_target(std::string_view name, ChipSet const& chips);

/// Which GPUs of the host have the target; says so where that of some is not known.
std::string target_here_text(ExplainedTarget const& target, Host const& host);

/// What helps who asked for a target that no profile has: a name near it, what its family is taken
/// for, or the features that a name can have.
std::string unknown_target_hint(std::string_view name, ChipSet const& chips);

}  // namespace rocmtune
