// SPDX-License-Identifier: MIT
// From advice to the variables that one process is to run with.
#pragma once

#include <string>

#include "knowledge/catalogue.hpp"
#include "knowledge/rule.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/recommendation.hpp"

namespace rocmtune {

Validity validity_of(RuleValidity const& stated);

/// What the catalogue says of a variable, with the newest text of its owner that was read for it.
Validity validity_of(Variable const& variable);

/// "known since rocm 6.2 until 7.0", "known for rocm, checked up to 10.2", "observed in torch 2.6".
std::string validity_text(Validity const& validity);

struct SettingOptions {
    bool force = false;  ///< overwrite what is set already
    bool clear = false;  ///< also clear what is dead or left on by mistake
};

/// Why the value of a set variable speaks against itself: nothing reads the name, or it is a debug
/// switch that was left on. Empty if nothing does.
std::string objection_to(Variable const& variable, std::string_view value);

/// What the advice means for the environment of the host's process: recommended variables, those
/// that are set already marked as kept unless `force` (or the selection is for a process
/// elsewhere, of which nothing is known), and with `clear` the set variables that
/// nothing reads or that are debug switches left on. A name that loads code, or
/// that a shell or loader lives by, is never among them, whoever recommends it.
Settings make_settings(Advice const& advice, Catalogue const& catalogue, Host const& host,
                       Selection const& selection, SettingOptions options);

}  // namespace rocmtune
