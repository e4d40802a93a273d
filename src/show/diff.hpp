// SPDX-License-Identifier: MIT
// Two texts beside each other, as diff -u shows them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace rocmtune {

/// A unified diff for patch -p1 and git apply; empty if the texts are equal. A line around a change
/// that `may_show` refuses is left out of it, and those beyond it.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after,
                         std::function<bool(std::string_view line)> const& may_show);

}  // namespace rocmtune
