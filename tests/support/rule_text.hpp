// SPDX-License-Identifier: MIT
// Rules of profiles as JSON text.
#pragma once

#include <map>
#include <string>

namespace rocmtune::test {

/// A rule that is right, with keys replaced or added; an empty text leaves the key out.
inline std::string rule(std::map<std::string, std::string> const& changes = {}) {
    std::map<std::string, std::string> keys{{"id", R"("r")"},
                                            {"name", R"("NAME")"},
                                            {"kind", R"("environment")"},
                                            {"value", R"("1")"},
                                            {"level", R"("balanced")"},
                                            {"why", R"("because")"},
                                            {"validity", R"({"kind": "known"})"},
                                            {"confidence", R"("documented")"},
                                            {"sources", R"(["s"])"}};
    for (auto const& [key, value] : changes) keys[key] = value;
    std::string text;
    for (auto const& [key, value] : keys) {
        if (!value.empty()) text += (text.empty() ? "{\"" : ", \"") + key + "\": " + value;
    }
    return text + "}";
}

}  // namespace rocmtune::test
