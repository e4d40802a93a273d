// SPDX-License-Identifier: MIT
// Lists of data files whose records have ids, each once and in their order.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "codec/data_reader.hpp"

namespace rocmtune {

/// The records of a list. @throws ProfileError, also for an id that is not behind the one before.
template <class T>
std::vector<T> records_by_id(JsonNode const& list, DataReader const& reader) {
    std::vector<T> records;
    for (auto const& node : list.items()) {
        auto record = reader.record<T>(node);
        if (!records.empty() && record.id <= records.back().id)
            node.at("id").fail("ids stand in their order, each once");
        records.push_back(std::move(record));
    }
    return records;
}

/// The record with this id, or null.
template <class T>
T const* find_by_id(std::span<T const> records, std::string_view id) {
    auto const found = std::ranges::lower_bound(records, id, {}, &T::id);
    return found == records.end() || found->id != id ? nullptr : &*found;
}

}  // namespace rocmtune
