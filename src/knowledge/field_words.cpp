// SPDX-License-Identifier: MIT
#include "knowledge/field_words.hpp"

#include <type_traits>

#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

template <class T>
constexpr FieldType type_of() {
    if constexpr (std::is_same_v<T, std::string>) return FieldType::text;
    else if constexpr (std::is_same_v<T, bool>) return FieldType::flag;
    else if constexpr (std::is_integral_v<T>) return FieldType::number;
    else if constexpr (std::is_floating_point_v<T>) return FieldType::real;
    else if constexpr (std::is_same_v<T, std::vector<std::string>>) return FieldType::names;
    else if constexpr (requires { typename T::mapped_type; }) return FieldType::map;
    else return FieldType::records;
}

/// Visits default-made entities: only the types matter.
template <class Entity>
std::optional<FieldType> type_in(std::string_view key) {
    std::optional<FieldType> found;
    static Entity const empty;
    visit_fields(empty, [&]<class T>(Field const& field, Fact<T> const&) {
        if (field.key == key) found = type_of<T>();
    });
    return found;
}

}  // namespace

std::optional<FieldWord> find_field(std::string_view key) {
    if (auto const type = type_in<Gpu>(key)) return FieldWord{true, *type};
    if (auto const type = type_in<Host>(key)) return FieldWord{false, *type};
    return std::nullopt;
}

}  // namespace rocmtune
