// SPDX-License-Identifier: MIT
#include "commands/visible.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "host/environment.hpp"
#include "judge/rules/visibility.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

void check_name(std::string const& name) {
    if (is_device_mask(name)) return;
    auto const near = nearest(name, mask_names);
    throw Error(fmt::format("--visible knows no variable '{}'", printable(name)),
                near ? fmt::format("did you mean '{}'?", *near)
                     : fmt::format("choose one of {}", fmt::join(mask_names, ", ")));
}

std::pair<std::string, std::string> assignment(std::string const& text) {
    auto const parts = split_once(text, '=');
    if (!parts)
        throw Error(fmt::format("--visible needs NAME=VALUE, not '{}'", printable(text)),
                    "NAME= sets it empty, which hides every GPU");
    std::string name(parts->first);
    check_name(name);
    return {std::move(name), std::string(parts->second)};
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
