// SPDX-License-Identifier: MIT
// Judges settings of environment variables: dead, misspelt, misread, pointless or harmful ones.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "judge/lint/near_names.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/assignment.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Which names the installed components can read, as a scan of their files found it.
struct ReaderIndex {
    std::vector<std::string> names = {};  ///< sorted; names of the catalogue that some file holds
    std::vector<std::string> components =
        {};  ///< sorted; ids of those that are here and were all read
};

/// What assignments are judged by. All of it outlives the call.
struct LintContext {
    Catalogue const& catalogue;
    ChipSet const& chips;
    /// The host that the settings are for; null: some other one, about which nothing is said.
    Host const* host = nullptr;
    /// Null: whether a name has a reader here is not judged.
    ReaderIndex const* readers = nullptr;
    /// The host has more GPUs, for which the settings are not.
    bool some_gpus = false;
    NearNames near_names = NearNames(catalogue);
};

/// Whether the value is never shown: the name promises a secret, or the value has the shape of one.
bool is_secret(Assignment const& assignment);

/// The setting as its line has it, from the name to the end of the value, and nothing else of the
/// line; of a value that is written in another way than the program gets it, the name alone. Empty
/// for a secret.
std::string text_of_setting(Assignment const& assignment, std::string_view line);

/// What the process of the host has set; nothing where that is not known.
std::vector<Assignment> environment_settings(Host const& host);

/// Takes one finding after the other.
using FindingSink = std::function<void(Finding)>;

/// Findings in the order of files, lines and columns, then of ids; files in the order of their
/// first assignments. Those of one place are kept at a time, and those that rest on several
/// assignments. A value behind a name that promises a secret is in none of them.
void lint(std::span<Assignment const> assignments, LintContext const& context,
          FindingSink const& sink);

/// The same in a list.
std::vector<Finding> lint(std::span<Assignment const> assignments, LintContext const& context);

}  // namespace rocmtune
