// SPDX-License-Identifier: MIT
#include "cli/visible.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "rules/visibility.hpp"

namespace rocmtune {
namespace {

void check_name(std::string const& name) {
    if (std::find(mask_names.begin(), mask_names.end(), name) != mask_names.end()) return;
    auto const near = nearest(name, mask_names);
    throw Error(fmt::format("--visible knows no variable '{}'", printable(name)),
                near ? fmt::format("did you mean '{}'?", *near)
                     : fmt::format("choose one of {}", fmt::join(mask_names, ", ")));
}

std::pair<std::string, std::string> assignment(std::string const& text) {
    auto const sign = text.find('=');
    if (sign == text.npos)
        throw Error(fmt::format("--visible needs NAME=VALUE, not '{}'", printable(text)),
                    "NAME= sets it empty, which hides every GPU");
    check_name(text.substr(0, sign));
    return {text.substr(0, sign), text.substr(sign + 1)};
}

}  // namespace

std::map<std::string, std::string> given_masks(Arguments const& arguments) {
    std::map<std::string, std::string> given;
    for (auto const& text : arguments.values("--visible")) {
        auto const [name, value] = assignment(text);
        given[name] = value;
    }
    return given;
}

std::optional<Visibility> visibility_of(Host const& host,
                                        std::map<std::string, std::string> const& given) {
    auto variables = given;
    if (host.environment) variables.insert(host.environment->begin(), host.environment->end());
    auto result = simulate_visibility(host, variables);
    if (result.variables.empty()) return std::nullopt;
    for (auto const& [name, value] : given) result.given.push_back(name);
    return result;
}

}  // namespace rocmtune
