// SPDX-License-Identifier: MIT
#include "knowledge/profile_values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/allocator_options.hpp"
#include "knowledge/code_names.hpp"
#include "knowledge/profile_error.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

[[noreturn]] void fail(Rule const& rule, std::string_view key, std::string const& message) {
    throw ProfileError(rule.file, fmt::format("{}/{}", rule.pointer, key), message);
}

bool sets_variable(Rule const& rule) {
    return rule.kind == SettingKind::environment || rule.kind == SettingKind::allocator;
}

/// What the reader makes of a value that it does not take as it stands.
std::string complaint(ReadValue const& read) {
    auto const why = read.note.empty() ? std::string() : ": " + read.note;
    switch (read.reading) {
        case Reading::valid: return {};
        case Reading::misread:
            return fmt::format("it would be taken as {}{}", printable(read.meaning), why);
        case Reading::ignored: return fmt::format("it would be ignored{}", why);
        case Reading::rejected: return fmt::format("its reader rejects it{}", why);
    }
    return {};
}

void check_value(Rule const& rule, Variable const& variable) {
    if (rule.value.empty()) return;  // made on the host
    if (auto const text = complaint(read_value(variable, rule.value)); !text.empty())
        fail(rule, "value",
             fmt::format("{} is no value of {}: {}", printable(rule.value), rule.name, text));
    if (is_allocator_variable(rule.name) && is_refuted(parse_allocator_options(rule.value)))
        fail(rule, "value",
             "expandable_segments:True and max_split_size_mb exclude each other: memory use grows "
             "until the GPU is full");
}

void check_rule(Rule const& rule, Catalogue const& catalogue) {
    // What finds code is held back by the rules, which say so.
    if (!sets_variable(rule) || finds_code(rule.name)) return;
    auto const* variable = catalogue.find(rule.name);
    if (variable == nullptr)
        fail(rule, "name", fmt::format("the catalogue knows no variable {}", printable(rule.name)));
    check_value(rule, *variable);
}

}  // namespace

void check_rule_values(ChipSet const& chips, ChipSet const& trusted, Catalogue const& catalogue) {
    // Rules that a file inherits are copies of views into the trusted tables.
    auto const is_trusted = [&](Rule const& rule) {
        auto const same = std::ranges::lower_bound(trusted.rules(), rule.id, {}, &Rule::id);
        return same != trusted.rules().end() && same->id == rule.id && same->file == rule.file;
    };
    for (auto const& rule : chips.rules())
        if (!is_trusted(rule)) check_rule(rule, catalogue);
}

}  // namespace rocmtune
