// SPDX-License-Identifier: MIT
// What a finding rests on, as text.
#pragma once

#include <type_traits>

#include <fmt/format.h>

#include "host/source_text.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

inline std::string fact_text(std::string const& value) {
    return value;
}
inline std::string fact_text(bool value) {
    return value ? "yes" : "no";
}
inline std::string fact_text(std::vector<std::string> const& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}
inline std::string fact_text(DeviceNode const& node) {
    auto text = fmt::format("mode {}, group {}", node.mode.value_or("?"), node.group.value_or("?"));
    return node.usable ? text : fmt::format("{}, open: {}", text, node.error.value_or("refused"));
}
template <class T>
std::string fact_text(T const& value) {
    // Lists of records have no short text: a judgement names the record that it means.
    if constexpr (std::is_arithmetic_v<T>) return fmt::format("{}", value);
    else return {};
}

/// The value of a fact and where it was read.
template <class T>
Evidence evidence(Fact<T> const& fact) {
    return {source_text(fact.source()), fact_text(*fact)};
}

}  // namespace rocmtune
