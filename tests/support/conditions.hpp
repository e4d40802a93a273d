// SPDX-License-Identifier: MIT
// Conditions as JSON texts, parsed and kept for one test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "knowledge/condition_parser.hpp"

namespace rocmtune::test {

class ParsedCondition {
  public:
    explicit ParsedCondition(std::string const& text)
        : document_(parse_data_file("test.json", text)),
          nodes_(parse_condition(JsonNode(*document_), pool_)) {}

    operator std::span<Condition const>() const { return nodes_; }
    std::vector<Condition> const& nodes() const { return nodes_; }

  private:
    std::shared_ptr<JsonDocument const> document_;
    StringPool pool_;
    std::vector<Condition> nodes_;
};

}  // namespace rocmtune::test
