// SPDX-License-Identifier: MIT
#include "commands/advice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/lint/lint.hpp"
#include "judge/rules/advise.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/environment_names.hpp"
#include "measure/input_files.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// Takes what was measured to be harmful out of the advice and says why.
void drop_harmful(std::vector<Finding> const& verified, std::string const& report, Advice& advice) {
    for (auto const& finding : verified) {
        if (finding.verified->verdict != SettingVerdict::harmful) continue;
        auto const& name = finding.verified->name;
        auto const value = finding.verified->value.value_or("");
        auto const erased = std::erase_if(advice.recommendations, [&](Recommendation const& item) {
            return item.name == name && item.value == value;
        });
        if (erased == 0) continue;
        Undecided dropped{.name = name, .reason = "measured-harmful"};
        dropped.detail = fmt::format("{} was measured to be harmful: {}", value, report);
        auto const place = std::ranges::upper_bound(advice.undecided, name, {}, &Undecided::name);
        advice.undecided.insert(place, std::move(dropped));
    }
}

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

/// The winners of a tuning of this host; of another one's it is said that they are not proven here.
void add_tuned(Tuning const& tuning, bool force, Report& report) {
    auto& settings = *report.settings;
    bool const is_here = tuning.scope.host == settings.fingerprint;
    for (auto& item : settings_of(tuning, *report.host).items) {
        if (!is_here) {
            report.advice->undecided.push_back(
                {.name = item.name,
                 .reason = "measured-elsewhere",
                 .detail = fmt::format("{} was measured on another host or with other versions "
                                       "({}, here {}): {}",
                                       *item.value, tuning.scope.host, settings.fingerprint,
                                       gain_text(tuning))});
            continue;
        }
        if (settings.elsewhere) item.current.reset();  // that environment was not looked at
        item.keep = item.current.has_value() && !force;
        std::erase_if(settings.items, [&](Setting const& it) { return it.name == item.name; });
        settings.items.push_back(std::move(item));
    }
    std::ranges::sort(settings.items, {}, &Setting::name);
    std::ranges::sort(report.advice->undecided, {}, &Undecided::name);
}

}  // namespace

Measured measured_before(HostChoice const& host, AdviceChoice const& choice) {
    if (!choice.verified) return {};
    auto report = earlier_report(*choice.verified, host.data.patience);
    std::erase_if(report.findings, [](Finding const& finding) { return !finding.verified; });
    if (!report.verify && !report.tuning && report.findings.empty())
        throw Error(
            fmt::format("{} is no report of rocmtune verify or tune", printable(*choice.verified)),
            "write one with rocmtune verify --json -o FILE");
    return {std::move(report.findings), std::move(report.tuning)};
}

std::string gain_text(Tuning const& it) {
    if (!it.winner || !it.winner->effect) return {};
    auto const effect = *it.winner->effect;
    return fmt::format("{} ({} to {}) in {}", signed_percent(effect),
                       signed_percent(it.winner->low.value_or(effect)),
                       signed_percent(it.winner->high.value_or(effect)), it.scope.program);
}

Settings settings_of(Tuning const& tuning, Host const& host) {
    Settings settings{.fingerprint = tuning.scope.host};
    if (!tuning.winner) return settings;
    for (auto const& [name, value] : tuning.winner->settings) {
        if (name == launch_key) continue;
        Setting setting{.name = name, .value = value};
        setting.why = fmt::format("Measured here: {}.", gain_text(tuning));
        if (host.environment && host.environment->contains(name))
            setting.current = host.environment->at(name);
        settings.items.push_back(std::move(setting));
    }
    return settings;
}

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

void fill_advice(HostChoice const& host, AdviceChoice const& choice, Measured const& measured,
                 Catalogue const& catalogue, ChipSet const& chips, bool elsewhere, Report& report) {
    auto selection = choice.selection;
    selection.rows = host.rows_of(*report.host);
    selection.elsewhere = elsewhere;
    report.advice = advise(*report.host, chips, catalogue, selection);
    drop_harmful(measured.findings, choice.verified.value_or(""), *report.advice);
    report.settings =
        make_settings(*report.advice, catalogue, *report.host, selection, choice.settings);
    if (measured.tuning) add_tuned(*measured.tuning, choice.settings.force, report);
    if (choice.settings.clear) clear_harmful(*report.host, chips, catalogue, *report.settings);
}

Report advised_report(HostChoice const& host, AdviceChoice const& choice, Measured const& measured,
                      Catalogue const& catalogue, ChipSet const& chips) {
    Report report;
    report.host = read_host(host);
    fill_advice(host, choice, measured, catalogue, chips, false, report);
    return report;
}

Report advised_report(HostChoice const& host, AdviceChoice const& choice,
                      Catalogue const& catalogue) {
    auto const chips = chips_for(host.data, catalogue);
    auto const measured = measured_before(host, choice);
    return advised_report(host, choice, measured, catalogue, chips);
}

}  // namespace rocmtune
