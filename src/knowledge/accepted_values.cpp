// SPDX-License-Identifier: MIT
#include "knowledge/accepted_values.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

std::string type_text(std::string_view type) {
    constexpr std::pair<std::string_view, std::string_view> texts[] = {
        {"bool", "a truth value"},
        {"int", "a whole number"},
        {"float", "a number"},
        {"size", "a size"},
        {"enum", "a word"},
        {"path", "a path"},
        {"list", "a list"},
        {"devices", "GPUs with commas between"},
        {"version", "a version such as 11.0.0"},
        {"text", "a text"},
        {"options", "NAME:VALUE with commas between"}};
    for (auto const& [name, text] : texts)
        if (name == type) return std::string(text);
    return std::string(type);
}

/// " (0 or 1)", as this reader takes them.
std::string truth_values(Variable const& variable) {
    auto const off = accepted_spelling(variable, spellings_of_off, "0");
    auto const on = accepted_spelling(variable, spellings_of_on, "1");
    return off.empty() || on.empty() ? std::string() : fmt::format(" ({} or {})", off, on);
}

}  // namespace

std::string accepted_values(Variable const& variable) {
    if (variable.kind != "environment" && variable.kind != "allocator") return {};
    if (!variable.words.empty()) return fmt::format("{}", fmt::join(variable.words, ", "));
    auto text = type_text(variable.type);
    if (variable.type == "bool") return text + truth_values(variable);
    if (variable.minimum && variable.maximum)
        return text + fmt::format(" from {} to {}", *variable.minimum, *variable.maximum);
    if (variable.minimum) text += fmt::format(" of at least {}", *variable.minimum);
    if (variable.maximum) text += fmt::format(" of at most {}", *variable.maximum);
    return text;
}

std::string_view accepted_spelling(Variable const& variable,
                                   std::span<std::string_view const> spellings,
                                   std::string_view meaning) {
    for (auto const each : spellings) {
        auto const read = read_value(variable, each);
        if (read.reading == Reading::valid && read.meaning == meaning) return each;
    }
    return {};
}

}  // namespace rocmtune
