// SPDX-License-Identifier: MIT
// What tune tries by itself where it may ease what limits a program. profiles/trials.json.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/symptoms.hpp"
#include "rocmtune/observation.hpp"

namespace rocmtune {

/// An experiment: nobody promises that it helps, the program decides.
struct LimitTrial {
    std::string setting = {};              ///< a variable of the catalogue, or launch_key
    std::vector<std::string> values = {};  ///< alternatives; {cores}: number of cores of the host
    std::vector<LimitKind> limits = {};    ///< what it may ease
    std::string why = {};
    std::vector<DataSource> sources = {};
};

/// Read from the data in force at the first call.
/// @throws ProfileError for a file that does not hold what it must.
std::span<LimitTrial const> all_trials();

/// The trials of another text; `file` is used in messages.
/// @throws ProfileError
std::vector<LimitTrial> parse_trials(std::string_view file, std::string_view text);

}  // namespace rocmtune
