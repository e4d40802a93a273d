// SPDX-License-Identifier: MIT
// Look-ups in the catalogue, embedded or made from files.
#include "knowledge/catalogue.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "knowledge/allocator_options.hpp"
#include "knowledge/data_in_force.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/value_parsers.hpp"
#include "knowledge/variables_parser.hpp"

namespace rocmtune {
namespace {

template <class Entry, class Projection>
Entry const* find_sorted(std::vector<Entry> const& table, std::string_view wanted, Projection key) {
    auto const found = std::ranges::lower_bound(table, wanted, {}, key);
    return found != table.end() && std::invoke(key, *found) == wanted ? &*found : nullptr;
}

bool holds_names(std::string_view path) {
    return path.substr(path.rfind('/') + 1) == "names.json";
}

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

Variable const* Catalogue::find(std::string_view name) const {
    if (auto const* variable = find_sorted(data_->variables, name, &Variable::name)) {
        return variable;
    }
    if (auto const* alias = find_sorted(data_->aliases, name, &Alias::name)) {
        return alias->variable;
    }
    auto const stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    return stem.size() == name.size()
               ? nullptr
               : find_sorted(data_->variables, std::string(stem).append(number_mark),
                             &Variable::name);
}

Component const* Catalogue::component(std::string_view id) const {
    auto const* own = find_sorted(data_->components, id, &Component::id);
    return own ? own : names().component(id);
}

Catalogue const& embedded_catalogue() {
    static Catalogue const catalogue{
        lay_variables(nullptr, {{"variables.json", data_text("variables.json").value()}}),
        KnownNames::embedded()};
    return catalogue;
}

Catalogue with_overrides(Catalogue const& base, std::vector<ProfileText> const& files) {
    auto names = base.names();
    std::vector<ProfileView> views;
    for (auto const& file : files) {
        if (holds_names(file.name)) {
            names = parse_names(file.name, file.text);
        } else {
            views.push_back({file.name, file.text});
        }
    }
    return Catalogue{lay_variables(base.data(), views), std::move(names)};
}

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
