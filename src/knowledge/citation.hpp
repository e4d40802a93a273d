// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "knowledge/chips.hpp"
#include "rocmtune/recommendation.hpp"

namespace rocmtune {

/// A source of the profiles as reports carry it.
inline Reference reference_of(Citation const& source) {
    auto const text = [](std::string_view view) {
        return view.empty() ? std::optional<std::string>() : std::optional<std::string>(view);
    };
    auto title = std::string(source.title);
    if (!source.reference.empty()) title.append(", ").append(source.reference);
    return {std::move(title), text(source.url), text(source.version)};
}

}  // namespace rocmtune
