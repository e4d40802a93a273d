// SPDX-License-Identifier: MIT
// The output formats, one row each.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "render/text.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

struct Format {
    std::string_view name;
    std::string_view about;
    std::string (*render)(Report const&, TextStyle const&);
};

std::span<Format const> all_formats();

/// The format of this name, or null.
Format const* find_format(std::string_view name);

}  // namespace rocmtune
