// SPDX-License-Identifier: MIT
// Values of recommendations that depend on the host: device lists, threads, pages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rules/condition.hpp"

namespace rocmtune {

/// A value with the facts that it is made of, or without one those that are missing, as far as they
/// are facts of the host; none of either where there is nothing to set.
struct HostValue {
    std::optional<std::string> text = {};
    std::vector<Because> because = {};
};

/// The value for a word of value_words.
HostValue host_value(std::string_view word, Scene const& scene);

}  // namespace rocmtune
