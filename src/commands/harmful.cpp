// SPDX-License-Identifier: MIT
#include "commands/harmful.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/lint/lint.hpp"
#include "knowledge/citation.hpp"
#include "knowledge/code_names.hpp"

namespace rocmtune {
namespace {

bool is_harmful(Finding const& finding) {
    if (finding.verdict != Verdict::fail || !finding.setting || !finding.setting->certain)
        return false;
    auto const kind = finding.setting->lint_class;
    return kind == LintClass::bad_value || kind == LintClass::conflict ||
           kind == LintClass::wrong_architecture;
}

/// Of two settings that contradict each other lint says which one is to go.
std::string name_to_clear(SettingPlace const& place) {
    constexpr std::string_view removal = "unset ";
    return place.fix.starts_with(removal) ? place.fix.substr(removal.size()) : place.name;
}

void clear(std::string const& name, std::string const& message, Variable const& variable,
           Host const& host, Settings& settings) {
    auto const item = std::ranges::find(settings.items, name, &Setting::name);
    if (item != settings.items.end()) {
        item->keep = false;
        return;
    }
    Setting setting{.name = name, .current = host.environment->at(name)};
    setting.why = fmt::format("Harmful here: {}.", message);
    setting.validity.kind = variable.validity_kind;
    for (auto const* source : variable.sources) setting.sources.push_back(reference_of(*source));
    settings.items.push_back(std::move(setting));
}

}  // namespace

void clear_harmful(Host const& host, ChipSet const& chips, Catalogue const& catalogue,
                   Settings& settings) {
    auto const assignments = environment_settings(host);
    LintContext const context{.catalogue = catalogue, .chips = chips, .host = &host};
    for (auto const& finding : lint(assignments, context)) {
        if (!is_harmful(finding)) continue;
        auto const name = name_to_clear(*finding.setting);
        auto const* variable = catalogue.find(name);
        if (variable == nullptr || variable->type == "devices" || finds_code(name)) continue;
        if (host.environment->contains(name))
            clear(name, finding.message, *variable, host, settings);
    }
    std::ranges::sort(settings.items, {}, &Setting::name);
}

}  // namespace rocmtune
