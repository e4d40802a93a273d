// SPDX-License-Identifier: MIT
#include "judge/verify/env_file.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::verify {
namespace {

/// The value as a shell would take it; absent where a shell would do more than that.
std::optional<std::string> plain_value(std::string_view text) {
    bool const quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                        text.find(text.front(), 1) == text.size() - 1;
    if (quoted) {
        auto const inside = text.substr(1, text.size() - 2);
        bool const expands = text.front() == '"' && inside.find_first_of("$`\\") != inside.npos;
        return expands ? std::nullopt : std::optional(std::string(inside));
    }
    auto const bare = trim(text.substr(0, text.find(" #")));
    if (bare.find_first_of(" \t\"'$`\\;&|<>()") != bare.npos) return std::nullopt;
    return std::string(bare);
}

}  // namespace

std::vector<EnvironmentChange> settings_of_text(std::string_view text, std::string const& file) {
    std::vector<EnvironmentChange> settings;
    std::size_t number = 0;
    for (auto line : lines(text)) {
        ++number;
        line = trim(line);
        if (line.empty() || line.front() == '#') continue;
        if (line.starts_with("export ")) line = trim(line.substr(7));
        auto const parts = split_once(line, '=');
        if (!parts || !is_variable_name(parts->first))
            throw Error(fmt::format("{}, line {}: '{}' is no setting", printable(file), number,
                                    printable(line.substr(0, 60))),
                        "lines are NAME=VALUE, blank, or begin with #");
        auto value = plain_value(parts->second);
        if (!value)
            throw Error(fmt::format("{}, line {}: only a shell can tell the value of {}",
                                    printable(file), number, parts->first),
                        "write what it expands to");
        settings.push_back({std::string(parts->first), std::move(value)});
    }
    return settings;
}

}  // namespace rocmtune::verify
