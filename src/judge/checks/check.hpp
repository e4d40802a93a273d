// SPDX-License-Identifier: MIT
// Check: one question about a host, with the table row that names it.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "judge/checks/kind.hpp"
#include "judge/checks/trial.hpp"
#include "judge/checks/verdicts.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune {

/// How much time a run may take; a level includes those before it.
enum class CheckLevel : std::uint8_t { quick, medium, long_ };
inline constexpr std::array<std::string_view, 3> check_level_words{"quick", "medium", "long"};

/// Status of a measurement that the end of the run cut off: the GPU may be slow or hang, or not.
inline constexpr std::string_view unfinished_status = "unfinished";

/// What the site said beforehand; it makes some criteria stricter.
struct CheckRules {
    bool strict = false;  ///< the file of expectations says so: a gate, not a look
    bool idle = false;    ///< no GPU should be in use
};

/// What a check judges. All of it lives longer than the check.
struct CheckContext {
    Host const& host;
    ChipSet const& chips;
    std::vector<Card> const& cards;
    CheckRules const& rules;
    std::vector<Trial> const& trials;
    std::vector<Measurement> const& measurements;

    /// The card at this PCI address, or null.
    Card const* card_at(std::string_view address) const {
        auto const found = std::find_if(cards.begin(), cards.end(),
                                        [&](Card const& card) { return card.subject == address; });
        return found == cards.end() ? nullptr : &*found;
    }
    bool has_server() const {
        return std::any_of(cards.begin(), cards.end(),
                           [](Card const& card) { return card.is_server(); });
    }
    std::size_t discrete_cards() const {
        return static_cast<std::size_t>(std::count_if(
            cards.begin(), cards.end(), [](Card const& card) { return !card.is_apu(); }));
    }
};

/// Where a check has no answer, whatever it would find.
enum class Where : std::uint8_t {
    anywhere,
    with_kernel_driver,  ///< not in WSL, where the GPU is behind /dev/dxg
    on_the_host,         ///< neither there nor in a container, which cannot change the host
    in_wsl,              ///< only there
};

/// One row of the table in checks.cpp.
struct Check {
    std::string_view id;    ///< of its findings: "RT3001"
    std::string_view name;  ///< for --only and --skip
    std::string_view theme;
    CheckLevel level;
    bool essential;  ///< without an answer nothing is known of the GPUs: exit code 3
    Where where;
    void (*judge)(CheckContext const&, Verdicts&);
};

}  // namespace rocmtune
