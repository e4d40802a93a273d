// SPDX-License-Identifier: MIT
// Files of variables for tests, small and complete.
#pragma once

#include <string>

namespace rocmtune {

inline std::string const variables_head =
    R"("schema_version": "1.0", "date": "2026-09-01",
       "bibliography": {"s": {"title": "T", "reference": "R"}},
       "components": [{"id": "rocr", "title": "ROCr", "parser": "rocr_exact"}])";

/// An object with the keys that every variable needs; `more` begins with a comma or is empty.
inline std::string variable_json(std::string const& name, std::string const& more = "",
                                 std::string const& kind = "environment") {
    return R"({"name": ")" + name + R"(", "kind": ")" + kind +
           R"(", "readers": ["rocr"], "status": "public", "use": "debug", "type": "bool",
              "effect": "E", "sources": ["s"], "last_verified": "2026-09-01")" +
           more + "}";
}

/// A whole file around the objects.
inline std::string variables_json(std::string const& objects) {
    return "{" + variables_head + R"(, "variables": [)" + objects + "]}";
}

}  // namespace rocmtune
