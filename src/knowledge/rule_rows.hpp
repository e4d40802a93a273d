// SPDX-License-Identifier: MIT
// For compile_profiles: lists of tables and the rows of the rules.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/cpp_table.hpp"
#include "knowledge/profile_tables.hpp"

namespace rocmtune {

/// Lists of one element type lie one after the other in one array; a list is a slice of it.
class ListTables {
  public:
    template <class T, class Row>
    std::string list(std::string_view type, std::span<T const> elements, Row row) {
        // Rows of the elements first: they may add lists of their own.
        std::vector<std::string> own;
        for (auto const& element : elements) own.push_back(row(element));
        auto& rows = tables_[std::string(type)];
        auto const first = rows.size();
        rows.insert(rows.end(), own.begin(), own.end());
        return slice(array_name(type) + ".data()", first, own.size());
    }

    std::string texts(std::span<std::string_view const> elements) {
        return list("std::string_view", elements,
                    [](std::string_view text) { return "std::string_view" + cpp_view(text); });
    }

    /// The arrays, texts first: the others may point into them.
    std::string source_text() const;

  private:
    static std::string array_name(std::string_view type);

    std::map<std::string, std::vector<std::string>> tables_;
};

/// The sources that a row names, as places in the array of all.
std::string source_list(std::span<Citation const* const> sources, OwnedTables const& tables,
                        ListTables& lists);

/// One row per rule.
std::vector<std::string> rule_rows(OwnedTables const& tables, ListTables& lists);

}  // namespace rocmtune
