// SPDX-License-Identifier: MIT
// What env, run, explain, verify and report share: what the rules say about a host, and the
// settings that come of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/rules/settings.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "measure/host_input.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

struct AdviceChoice {
    Selection selection = {};  ///< its rows are those of the host's choice
    SettingOptions settings = {};
    std::optional<std::string> verified = {};  ///< a report of verify or tune, which decides
};

/// What was measured of settings before.
struct Measured {
    std::vector<Finding> findings = {};  ///< of verify
    std::optional<Tuning> tuning = {};
};

/// What the report that was named has measured; nothing without one. It may be a pipe, which can be
/// read once.
/// @throws Error for what is no report of verify or tune.
Measured measured_before(HostChoice const& host, AdviceChoice const& choice);

/// "+4.1 % (+3.2 % to +5.0 %) in './train'"; empty without a winner.
std::string gain_text(Tuning const& tuning);

/// What a tuning would have set: its winners, but for ways of starting the program.
Settings settings_of(Tuning const& tuning, Host const& host);

/// Fills Report::advice and settings for the host that is there; `elsewhere` as in Selection,
/// `measured` as from measured_before().
void fill_advice(HostChoice const& host, AdviceChoice const& choice, Measured const& measured,
                 Catalogue const& catalogue, ChipSet const& chips, bool elsewhere, Report& report);

/// Reads the host and fills Report::host, advice and settings.
Report advised_report(HostChoice const& host, AdviceChoice const& choice, Measured const& measured,
                      Catalogue const& catalogue, ChipSet const& chips);

/// The same with the profiles and the report that the choices name, which are read first.
/// @throws Error for profiles and reports that are wrong.
Report advised_report(HostChoice const& host, AdviceChoice const& choice,
                      Catalogue const& catalogue);

/// Adds the variables of the host's environment that lint calls a certain failure there (a bad
/// value, a conflict, another architecture) as ones to clear; where a value is recommended for such
/// a variable, it is set in its place. Lists of devices stay as they are: without them a process
/// would get GPUs that were kept from it. So does what finds code, and what may be a secret.
void clear_harmful(Host const& host, ChipSet const& chips, Catalogue const& catalogue,
                   Settings& settings);

}  // namespace rocmtune
