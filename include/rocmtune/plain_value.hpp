// SPDX-License-Identifier: MIT
// PlainValue: what stands in a JSON document without further structure.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace rocmtune {

/// Null (which never means 0 or false), a truth value, a number or a text.
using PlainValue =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;

inline bool is_null(PlainValue const& value) {
    return std::holds_alternative<std::monostate>(value);
}

}  // namespace rocmtune
