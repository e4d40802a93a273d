// SPDX-License-Identifier: MIT
// Lines for the file $GITHUB_ENV of GitHub Actions. It has no comments and cannot clear a variable.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
#include <fmt/format.h>

#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// A word that does not occur in the value, so that no value can end its own block.
std::string delimiter_for(std::string_view value) {
    std::string word = "END_OF_VALUE";
    while (value.find(word) != value.npos) word += '_';
    return word;
}

std::string lines_of(Setting const& setting) {
    auto const& value = *setting.value;
    if (is_one_line(value)) return fmt::format("{}={}\n", setting.name, value);
    auto const end = delimiter_for(value);
    return fmt::format("{}<<{}\n{}\n{}\n", setting.name, end, value, end);
}

}  // namespace

std::string github_lines(Report const& report, TextStyle const&) {
    std::string text;
    for (auto const& setting : checked_settings(report, "github", Carries::text).items)
        if (setting.value && !setting.keep) text += lines_of(setting);
    return text;
}

}  // namespace rocmtune
