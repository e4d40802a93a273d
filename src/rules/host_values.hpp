// SPDX-License-Identifier: MIT
// Values of recommendations that depend on the host: device lists, threads, pages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/condition.hpp"

namespace rocmtune {

/// The value for a word of value_words; absent if a fact that it needs is missing or there is
/// nothing to set.
std::optional<std::string> host_value(std::string_view word, Scene const& scene);

}  // namespace rocmtune
