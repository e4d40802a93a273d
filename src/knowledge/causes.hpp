// SPDX-License-Identifier: MIT
// How a cause of an error is told from the text and the host where no check tells it
// (profiles/causes.json), and combinations that are known to fail (profiles/advisories.json).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/rule.hpp"
#include "knowledge/symptoms.hpp"

namespace rocmtune {

/// Conditions that all must hold; empty: there are none. Keeps what its nodes point to.
struct WhenAll {
    std::vector<Condition> nodes = {};
    std::shared_ptr<void const> kept = {};

    bool empty() const { return nodes.empty(); }
};

/// One cause of profiles/causes.json; what it means stands in profiles/findings.json.
struct CauseRule {
    std::string id = {};  ///< of a finding: "RT3751"
    WhenAll here = {};
    WhenAll not_here = {};
    /// Known facts that speak against it: where they hold, `here` does not tell it.
    WhenAll unless_here = {};
    std::string message = {};  ///< one sentence; {gfx} and the like are said by the text
    std::string step = {};     ///< in place of the finding's; empty: that one
    std::string tells = {};    ///< what would tell, where it cannot be told
    /// Findings that can be behind this one. It says what happened and never why: where some stand
    /// here, it is no answer.
    std::vector<std::string> behind = {};
    std::vector<std::string> brings = {};  ///< findings that only follow from it
    /// A check: where it finds this host in order, facts of the host do not show the cause beside a
    /// text, and the text alone has to.
    std::string unless = {};
    bool of_log = false;  ///< only a line of the kernel itself shows it, where `here` holds

    bool is_symptom() const { return !behind.empty(); }
};

/// One combination of chip, kernel, firmware, driver and packages that is known to fail.
struct Advisory {
    std::string id = {};     ///< "RT9001"; ids are never used for something else
    std::string title = {};  ///< a few words
    std::string says = {};   ///< what goes wrong
    WhenAll when = {};       ///< excludes the versions in which it is mended
    /// Of a text that is diagnosed: what its lines must say besides, as what the program did. Who
    /// asks about the host alone is told by `when`.
    WhenAll text = {};
    Verdict verdict = Verdict::warn;  ///< info, warn or fail
    std::optional<std::string> since = {}, fixed_in = {};
    std::string workaround = {};
    std::string step = {};  ///< a command or a sentence
    std::vector<std::string> symptoms = {};
    std::string word = {};  ///< whose: maintainer, or two-sources
    std::vector<DataSource> sources = {};
};

/// All rules and advisories, sorted by id, each read from its embedded file at the first call.
/// @throws ProfileError for a file that does not hold what it must.
std::span<CauseRule const> all_cause_rules();
std::span<Advisory const> all_advisories();

/// The one with this id, or null.
CauseRule const* find_cause_rule(std::string_view id);
Advisory const* find_advisory(std::string_view id);

/// Those of another text than the embedded one; `file` is used in messages. @throws ProfileError
std::vector<CauseRule> parse_cause_rules(std::string_view file, std::string_view text);
std::vector<Advisory> parse_advisories(std::string_view file, std::string_view text);

/// What the advisory says of a GPU or of "host".
Finding finding_of(Advisory const& advisory, std::string subject);

}  // namespace rocmtune
