// SPDX-License-Identifier: MIT
#include "knowledge/expected_of.hpp"

#include <algorithm>

namespace rocmtune {

std::string_view profile_type(std::string_view type) {
    return type == "tf32" ? "xf32" : type;
}

bool is_of(Expectation const& expectation, Product const& product) {
    auto name = product.name;
    if (name == expectation.product) return true;
    if (!name.ends_with(expectation.product)) return false;
    name.remove_suffix(expectation.product.size());
    return name.ends_with(' ');
}

std::optional<double> expected_of(Chip const& chip, Product const& product,
                                  std::string_view benchmark, std::string_view type) {
    constexpr double giga = 1e9;
    std::optional<double> least;
    for (auto const& one : chip.facts.expectations) {
        if (one.benchmark != benchmark || one.data_type != profile_type(type)) continue;
        if (!is_of(one, product)) continue;
        auto const value = static_cast<double>(one.value) * giga;
        least = std::min(least.value_or(value), value);
    }
    return least;
}

}  // namespace rocmtune
