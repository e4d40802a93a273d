// SPDX-License-Identifier: MIT
// Writes constant C++ tables at build time: arrays of braced rows that may point into each other.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "knowledge/cpp_literal.hpp"

namespace rocmtune {

inline std::string flag(bool value) {
    return value ? "true" : "false";
}

/// An optional number or truth value as an initialiser.
template <class T>
std::string optional(std::optional<T> const& value) {
    if (!value) {
        return "{}";
    }
    if constexpr (std::is_same_v<T, bool>) {
        return flag(*value);
    } else {
        return std::to_string(*value) + (std::is_signed_v<T> ? "ll" : "u");
    }
}

/// Where an element stands in its table.
template <class Table, class Element>
std::string index_of(Table const& table, Element const* element) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (&table[i] == element) {
            return std::to_string(i);
        }
    }
    throw std::logic_error("a table points outside its storage");
}

inline std::string slice(std::string_view table, std::size_t first, std::size_t count) {
    if (count == 0) {
        return "{}";
    }
    return "{" + std::string(table) + " + " + std::to_string(first) + ", " + std::to_string(count) +
           "}";
}

/// A constexpr array, or an empty one that C++ allows.
inline std::string array(std::string_view type, std::string_view name,
                         std::vector<std::string> const& rows) {
    auto out = "\nconstexpr std::array<" + std::string(type) + ", " + std::to_string(rows.size()) +
               "> " + std::string(name) + "{{\n";
    for (auto const& row : rows) {
        out += "    " + row + ",\n";
    }
    return out + "}};\n";
}

/// One row per element.
template <class Table, class Row>
std::vector<std::string> rows(Table const& table, Row row) {
    std::vector<std::string> all;
    for (auto const& element : table) {
        all.push_back(row(element));
    }
    return all;
}

inline std::string braces(std::initializer_list<std::string> parts) {
    std::string out;
    for (auto const& part : parts) {
        out += (out.empty() ? "{" : ", ") + part;
    }
    return out + "}";
}

}  // namespace rocmtune
