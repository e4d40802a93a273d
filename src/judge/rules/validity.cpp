// SPDX-License-Identifier: MIT
#include "judge/rules/validity.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rocmtune {
namespace {

std::optional<std::string> text_or_none(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

/// "since rocm 6.2 until 7.0": once is enough to say of what.
std::string range_text(Validity const& validity) {
    auto of = validity.of ? *validity.of + ' ' : std::string();
    std::string text;
    if (validity.since) text += fmt::format(" since {}{}", std::exchange(of, ""), *validity.since);
    if (validity.until) text += fmt::format(" until {}{}", of, *validity.until);
    if (text.empty() && validity.of) text = " for " + *validity.of;
    return text;
}

}  // namespace

Validity validity_of(RuleValidity const& stated) {
    Validity validity{.kind = std::string(stated.kind),
                      .since = text_or_none(stated.since),
                      .until = text_or_none(stated.until)};
    for (auto const version : stated.versions) validity.versions.emplace_back(version);
    validity.of = text_or_none(stated.of);
    validity.checked = text_or_none(stated.checked);
    return validity;
}

Validity validity_of(Variable const& variable) {
    Validity validity{.kind = std::string(variable.validity_kind),
                      .since = text_or_none(variable.since),
                      .until = text_or_none(variable.until)};
    if (variable.readers.empty()) return validity;
    auto const& owner = *variable.readers.front();
    validity.of = std::string(owner.id);
    // What has an end was not looked for in the texts after it.
    if (!validity.until)
        validity.checked = text_or_none(variable.checked.empty() ? owner.newest : variable.checked);
    return validity;
}

std::string validity_text(Validity const& validity) {
    if (validity.kind == "unknown") return "in which versions is not known";
    auto text = validity.kind;
    if (validity.versions.empty()) text += range_text(validity);
    else
        text += fmt::format(" in {}{}", validity.of ? *validity.of + ' ' : std::string(),
                            fmt::join(validity.versions, ", "));
    return validity.checked ? fmt::format("{}, checked up to {}", text, *validity.checked) : text;
}

}  // namespace rocmtune
