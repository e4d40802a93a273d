// SPDX-License-Identifier: MIT
// Values of options that are numbers of things.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "measure/arguments.hpp"

namespace rocmtune {

/// Longer times than a day are a day: nobody means them, and clocks do not overflow.
inline constexpr double longest_seconds = 86400;

/// The value of an option as a whole number, if it was given. @throws Error that names option and
/// range.
std::optional<std::uint64_t> whole_number(Arguments const& arguments, std::string_view option,
                                          std::uint64_t least, std::uint64_t most);

}  // namespace rocmtune
