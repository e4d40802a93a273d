// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <utility>

#include "base/data_date.hpp"
#include "base/host.hpp"
#include "judge/rules/settings.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/value_parsers.hpp"

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

bool may_be_set(Recommendation const& advice, Catalogue const& catalogue) {
    if (advice.kind != "environment" && advice.kind != "allocator") return false;
    auto const* variable = catalogue.find(advice.name);
    return !finds_code(advice.name) && variable != nullptr && variable->use == "runtime";
}

Setting setting_of(Recommendation const& advice) {
    Setting setting{.name = advice.name, .value = advice.value};
    setting.why = advice.why;
    setting.validity = advice.validity;
    setting.sources = advice.sources;
    setting.unless_set = advice.unless_set;
    return setting;
}

/// The same beside what the host's own process has set.
Setting setting_here(Recommendation const& advice, Host const& host, bool force) {
    auto setting = setting_of(advice);
    setting.current = variable_of(host, advice.name);
    // Of a value that may be a secret only the name is known; it is not overwritten unasked either.
    setting.keep = is_set(host, advice.name) && !force;
    return setting;
}

/// What lint is certain of: a value of which the catalogue says so itself, else any of a debug
/// switch but its default.
bool is_left_on(Variable const& variable, std::string_view value) {
    if (auto const* judged = judged_value(variable, value))
        return judged->certain && judged->lint_class == "debug-left-on";
    return variable.use == "debug" && variable.default_value && !means_default(variable, value);
}

std::optional<Setting> cleared(std::string const& name, std::string const& value,
                               Catalogue const& catalogue) {
    auto const* variable = catalogue.find(name);
    if (variable == nullptr || finds_code(name)) return std::nullopt;
    auto why = objection_to(*variable, value);
    if (why.empty()) return std::nullopt;
    Setting setting{.name = name, .value = {}, .current = value};
    setting.why = std::move(why);
    setting.validity = validity_of(*variable);
    for (auto const* source : variable->sources) setting.sources.push_back(reference_of(*source));
    return setting;
}

void add_cleared(Catalogue const& catalogue, Host const& host, std::vector<Setting>& items) {
    if (!host.environment) return;
    for (auto const& [name, value] : *host.environment) {
        auto const named = [&](Setting const& item) { return item.name == name; };
        if (std::ranges::any_of(items, named)) continue;
        if (auto setting = cleared(name, value, catalogue)) items.push_back(std::move(*setting));
    }
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
    if (!validity.checked) return text;
    return fmt::format("{}, checked up to {}{}", text, *validity.checked,
                       old_text_note(*validity.checked));
}

std::string objection_to(Variable const& variable, std::string_view value) {
    if (variable.status == "never-existed")
        return fmt::format("Nothing ever read it. {}", variable.effect);
    if (variable.status == "dead")
        return fmt::format("Nothing reads it any more. {}", variable.effect);
    if (!is_left_on(variable, value)) return {};
    return fmt::format("A debug switch that was left on. {}", variable.harm);
}

Settings make_settings(Advice const& advice, Catalogue const& catalogue, Host const& host,
                       Selection const& selection, SettingOptions options) {
    Settings settings;
    settings.fingerprint = fingerprint(host);
    settings.level = word_of(selection.level);
    settings.workload = word_of(selection.workload);
    settings.framework = word_of(selection.framework);
    settings.rows = selection.rows;
    settings.force = options.force;
    settings.elsewhere = selection.elsewhere;
    for (auto const& item : advice.recommendations)
        if (may_be_set(item, catalogue))
            settings.items.push_back(selection.elsewhere ? setting_of(item)
                                                         : setting_here(item, host, options.force));
    if (options.clear) add_cleared(catalogue, host, settings.items);
    std::ranges::sort(settings.items, {}, &Setting::name);
    return settings;
}

}  // namespace rocmtune
