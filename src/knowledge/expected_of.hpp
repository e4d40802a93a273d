// SPDX-License-Identifier: MIT
// What somebody expects a product to reach.
#pragma once

#include <optional>
#include <string_view>

#include "knowledge/chips.hpp"

namespace rocmtune {

/// The profiles' name of a data type: NVIDIA's tf32 is AMD's xf32.
std::string_view profile_type(std::string_view type);

/// Whether an expectation is of this product. Expectations name products shortly: "MI300X" is the
/// "AMD Instinct MI300X", and neither its HF nor its VF variant.
bool is_of(Expectation const& expectation, Product const& product);

/// What is expected of a whole card of this product, in operations a second: the least that anybody
/// states, for conditions differ. Absent if nobody states anything.
std::optional<double> expected_of(Chip const& chip, Product const& product,
                                  std::string_view benchmark, std::string_view type);

}  // namespace rocmtune
