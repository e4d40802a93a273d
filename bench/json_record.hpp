// SPDX-License-Identifier: MIT
// Records as JSON between the worker and its parent, by their visit_fields lists.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "rocmtune/records.hpp"

namespace rocmtune::bench {

template <class T>
concept Record = requires(T& value) {
    visit_fields(value, [](auto const&...) {});
};

template <class T>
nlohmann::json value_to_json(T const& value);

template <class T>
nlohmann::json value_to_json(std::optional<T> const& value) {
    return value ? value_to_json(*value) : nlohmann::json(nullptr);
}

template <class T>
nlohmann::json value_to_json(std::vector<T> const& values) {
    auto list = nlohmann::json::array();
    for (auto const& value : values) list.push_back(value_to_json(value));
    return list;
}

template <class T>
nlohmann::json value_to_json(T const& value) {
    if constexpr (Record<T const>) {
        auto object = nlohmann::json::object();
        visit_fields(value, [&](Field const& field, auto const& member) {
            object[std::string(field.key)] = value_to_json(member);
        });
        return object;
    } else {
        return value;
    }
}

template <class T>
void value_from_json(nlohmann::json const& json, T& value);

template <class T>
void value_from_json(nlohmann::json const& json, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) value_from_json(json, value.emplace());
}

template <class T>
void value_from_json(nlohmann::json const& json, std::vector<T>& values) {
    values.clear();
    for (auto const& element : json) value_from_json(element, values.emplace_back());
}

/// Keys that are missing leave their field as it is; a value of a wrong type throws
/// nlohmann::json::exception.
template <class T>
void value_from_json(nlohmann::json const& json, T& value) {
    if constexpr (Record<T>) {
        visit_fields(value, [&](Field const& field, auto& member) {
            auto const found = json.find(std::string(field.key));
            if (found != json.end()) value_from_json(*found, member);
        });
    } else {
        json.get_to(value);
    }
}

}  // namespace rocmtune::bench
