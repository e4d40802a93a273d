// SPDX-License-Identifier: MIT
// The facts of a host and of a GPU by their words, for those who read reports instead of structs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rocmtune/field.hpp"

namespace rocmtune {

/// Which part of a report a fact describes.
enum class FactScope : std::uint8_t { host, gpu };

/// A field that visit_fields lists, its shape settled by its type.
struct FactWord : FactField {
    std::size_t place;  ///< position in words_of_facts(scope)
};

/// Every field that visit_fields lists for this scope, in its order.
std::span<FactWord const> words_of_facts(FactScope scope);

/// The word's row, or null if there is no such fact.
FactWord const* find_fact_word(FactScope scope, std::string_view word);

/// The fact that a path begins with ("firmware" of "firmware.mec"), or null.
FactWord const* fact_of_path(FactScope scope, std::string_view path);

}  // namespace rocmtune
