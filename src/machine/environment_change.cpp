// SPDX-License-Identifier: MIT
#include "machine/environment_change.hpp"

#include <algorithm>
#include <string_view>

namespace rocmtune {

std::vector<std::string> changed_environment(char const* const* environment,
                                             std::span<EnvironmentChange const> changes) {
    std::vector<std::string> lines;
    for (; environment != nullptr && *environment != nullptr; ++environment)
        lines.emplace_back(*environment);
    for (auto const& change : changes) {
        std::erase_if(lines, [&](std::string_view line) {
            return line.substr(0, line.find('=')) == change.name;
        });
        if (change.value) lines.push_back(change.name + '=' + *change.value);
    }
    return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& lines) {
    std::vector<char*> result;
    result.reserve(lines.size() + 1);
    for (auto& line : lines) result.push_back(line.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace rocmtune
