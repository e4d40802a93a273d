// SPDX-License-Identifier: MIT
// Conditions as JSON texts, parsed and kept for one test.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "knowledge/condition_parser.hpp"

namespace rocmtune::test {

class ParsedCondition {
  public:
    explicit ParsedCondition(std::string const& text)
        : json_(nlohmann::json::parse(text)),
          nodes_(parse_condition(JsonNode("test.json", json_), pool_)) {}

    operator std::span<Condition const>() const { return nodes_; }
    std::vector<Condition> const& nodes() const { return nodes_; }

  private:
    nlohmann::json json_;
    StringPool pool_;
    std::vector<Condition> nodes_;
};

}  // namespace rocmtune::test
