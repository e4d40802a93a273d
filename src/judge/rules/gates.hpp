// SPDX-License-Identifier: MIT
// Which GPUs a rule is for, what may hold it back, and what its value is made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rules/condition.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {

/// The GPUs of the selection. Without rows: the usable ones.
SelectedHost select_gpus(Host const& host, Selection const& selection);

/// The profiles of a GPU: its chip, or the family that stands in for it, or nothing.
struct GpuProfile {
    Gpu const* gpu = nullptr;
    Chip const* chip = nullptr;
    bool stands_in = false;  ///< chip is a family, because the target has no profile of its own
};

std::vector<GpuProfile> profiles_of(SelectedHost const& selected, ChipSet const& chips);

/// Whether a rule's profile speaks about a GPU; unknown if its target is.
Decision covers(Rule const& rule, GpuProfile const& profile);

/// How special the rule's profile is: 0 for the root, more for a family, most for a chip.
std::size_t rank_of(Rule const& rule, std::vector<GpuProfile> const& profiles);

/// Why a rule gives nothing; an empty reason: it does not concern this host, and nothing is said.
struct Held {
    std::string reason = {};
    std::string detail = {};
    std::vector<Because> missing = {};
};

/// Whether a rule is for one of the chosen frameworks, or those that are installed.
Decision framework_verdict(Rule const& rule, FrameworkChoice choice, Host const& host);

/// The validity of a rule on this host: "unknown" where an installed version is newer than the
/// newest text, and a reason to hold the rule back where the level asks for more than that.
struct ValidityHere {
    Validity validity = {};
    std::optional<Held> held = {};
    std::vector<Because> because = {};
};
ValidityHere validity_here(Rule const& rule, Level level, Host const& host);

/// What the catalogue forbids: names it does not know, dead ones, variables of build, launcher,
/// debug, code loading or mere looks, and values that are the component's own default here.
std::optional<Held> catalogue_gate(Rule const& rule, std::string_view value,
                                   Catalogue const& catalogue, Host const& host);

/// A variable of this environment that the rule must not meet.
std::optional<Held> environment_gate(Rule const& rule, Host const& host);

/// A value with the facts that it is made of, or without one those that are missing, as far as they
/// are facts of the host; none of either where there is nothing to set.
struct HostValue {
    std::optional<std::string> text = {};
    std::vector<Because> because = {};
    bool is_needless = false;  ///< the host has it already, or it would not help: nothing is said
};

/// The value for a word of value_words.
HostValue host_value(std::string_view word, SelectedHost const& selected);

}  // namespace rocmtune
