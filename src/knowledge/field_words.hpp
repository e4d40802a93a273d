// SPDX-License-Identifier: MIT
// The words of conditions: the keys of visit_fields of Gpu and Host with the type of their facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocmtune {

enum class FieldType : std::uint8_t {
    text,
    number,  ///< a whole number
    real,
    flag,
    names,    ///< a list of texts
    map,      ///< entries by name
    records,  ///< a list of records, or one record
};

struct FieldWord {
    bool of_gpu = false;  ///< of Gpu, else of Host
    FieldType type = FieldType::text;
    bool operator==(FieldWord const&) const = default;
};

/// The fact of this key, or nothing if neither Gpu nor Host has it.
std::optional<FieldWord> find_field(std::string_view key);

}  // namespace rocmtune
