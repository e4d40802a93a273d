// SPDX-License-Identifier: MIT
// Reads a record of a data file by its visit_fields: a key that it does not list is refused, and so
// is a value of another type. Members that are optional, lists or have a default may be left out.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "codec/json_node.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {

template <class T>
void read_value(JsonNode const& node, T& value);

template <class T>
void read_value(JsonNode const& node, std::optional<T>& value) {
    if (!node.is_null()) read_value(node, value.emplace());
}

template <class T>
void read_value(JsonNode const& node, std::vector<T>& values) {
    for (auto const& item : node.items()) read_value(item, values.emplace_back());
}

template <class T>
void read_value(JsonNode const& node, std::map<std::string, T>& values) {
    for (auto const& [key, member] : node.members()) read_value(member, values[std::string(key)]);
}

inline void read_value(JsonNode const& node, bool& value) {
    value = node.boolean();
}

inline void read_value(JsonNode const& node, std::string& value) {
    value = node.string();
}

/// Fills the record from an object.
template <class T>
void read_record(JsonNode const& node, T& record) {
    std::vector<std::string_view> keys;
    visit_fields(record, [&](Field const& field, auto& value) {
        keys.push_back(field.key);
        if (auto const member = node.find(field.key)) read_value(*member, value);
    });
    for (auto const& [key, member] : node.members())
        if (std::ranges::find(keys, key) == keys.end()) member.fail("nothing reads this key");
}

template <class T>
void read_value(JsonNode const& node, T& value) {
    if constexpr (std::is_enum_v<T>) {
        auto const all = words_of(T{});
        value = static_cast<T>(std::ranges::find(all, node.word(all)) - all.begin());
    } else {
        read_record(node, value);
    }
}

}  // namespace rocmtune
