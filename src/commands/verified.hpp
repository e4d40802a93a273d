// SPDX-License-Identifier: MIT
// --verified REPORT: what `rocmtune verify` measured decides against what the rules advise.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure/arguments.hpp"
#include "rocmtune/recommendation.hpp"

namespace rocmtune {

/// A setting that was measured to be harmful.
struct HarmfulSetting {
    std::string name;
    std::string value;
    std::string report;  ///< file that says so
};

/// The harmful settings of the report that --verified names; none without it.
/// @throws Error for what is no report.
std::vector<HarmfulSetting> verified_findings(Arguments const& arguments);

/// What the report that --verified names says of a setting, one sentence each; none without it.
/// @throws Error for what is no report.
std::vector<std::string> verified_messages(Arguments const& arguments, std::string_view name);

/// Takes them out of the advice and says why.
void drop_harmful(std::vector<HarmfulSetting> const& harmful, Advice& advice);

}  // namespace rocmtune
