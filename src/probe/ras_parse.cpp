// SPDX-License-Identifier: MIT
#include "probe/ras_parse.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {

RasBlock parse_ras_counters(std::string name, std::string_view text) {
    RasBlock block{.name = std::move(name)};
    for (auto const& [key, value] : key_value_lines(text, ':')) {
        auto const count = to_unsigned(value, 10);
        bool const known = key == "ue" || key == "ce" || key == "de";
        if (known && !count && !block.problem)
            block.problem = fmt::format("{}: no number '{}'", key, printable(value.substr(0, 40)));
        if (key == "ue") block.uncorrectable = count;
        else if (key == "ce") block.correctable = count;
        else if (key == "de") block.deferred = count;
    }
    if (!block.uncorrectable && !block.correctable && !block.deferred && !block.problem)
        block.problem = "no counters: " + printable(text.substr(0, 60));
    return block;
}

std::optional<BadPages> parse_bad_pages(std::string_view text) {
    BadPages pages;
    for (auto const line : lines(text)) {
        auto const parts = split(line, ':');
        if (trim(line).empty()) continue;
        if (parts.size() != 3) return std::nullopt;
        auto const state = trim(parts[2]);
        if (state == "R") ++pages.retired;
        else if (state == "P") ++pages.pending;
        else if (state == "F") ++pages.unreservable;
        else return std::nullopt;
    }
    return pages;
}

}  // namespace rocmtune
