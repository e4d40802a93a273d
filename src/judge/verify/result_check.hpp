// SPDX-License-Identifier: MIT
// Whether a run gives the result that the first one gave: a faster wrong run is none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "judge/verify/input.hpp"
#include "judge/verify/runners.hpp"

namespace rocmtune::verify {

/// The check of all runs of one subject; the first run that ends well says what the file is to
/// hold. Empty if the rule asks for nothing.
/// @throws Error for a pattern that is none.
OutputCheck check_of(ResultRule const& rule);

/// In what two texts differ: "line 3: 1.25 and 1.5 before"; empty if they are the same, but for
/// numbers by at most `tolerance` (ratio; absent: byte for byte).
std::string difference_of(std::string_view text, std::string_view before,
                          std::optional<double> tolerance);

}  // namespace rocmtune::verify
