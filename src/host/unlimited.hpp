// SPDX-License-Identifier: MIT
// Limits that a host does not set: the fact has no number, and its reason says so.
#pragma once

#include <string_view>

#include "rocmtune/fact.hpp"

namespace rocmtune {

inline constexpr std::string_view unlimited = "unlimited";

template <class T>
void miss_as_unlimited(Fact<T>& fact) {
    fact.miss(Missing::unsupported, std::string(unlimited));
}

template <class T>
bool is_unlimited(Fact<T> const& fact) {
    return !fact && fact.reason() == Missing::unsupported && fact.detail() == unlimited;
}

}  // namespace rocmtune
