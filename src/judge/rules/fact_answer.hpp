// SPDX-License-Identifier: MIT
// A fact as conditions see it: there with a text, known not to be there, or not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/rules/condition.hpp"
#include "knowledge/rule.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

struct FactAnswer {
    Truth there = Truth::unknown;
    std::string text = {};
    bool is_real = false;                            ///< text is a decimal fraction, no version
    std::vector<std::string> const* list = nullptr;  ///< the texts of a list
    std::optional<std::size_t> count = {};           ///< entries of a list
    bool may_lack_entries = false;                   ///< some of a list could not be read
};

/// The fact of a field leaf in a Gpu or a Host.
FactAnswer read_field(Condition const& leaf, Gpu const& gpu);
FactAnswer read_field(Condition const& leaf, Host const& host);

/// A comparison with a leaf's operands.
Truth compare(Condition const& leaf, FactAnswer const& answer);

/// A fact that was looked for and is not there is known to be lacking; any other reason leaves it
/// open.
template <class T>
Truth presence(Fact<T> const& fact) {
    if (fact.has_value()) return Truth::yes;
    auto const lacking = fact.reason() == Missing::absent || fact.reason() == Missing::unsupported;
    return lacking ? Truth::no : Truth::unknown;
}

}  // namespace rocmtune
