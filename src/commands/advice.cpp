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

}  // namespace

std::vector<Finding> verified_findings(HostChoice const& host, AdviceChoice const& choice) {
    if (!choice.verified) return {};
    auto report = earlier_report(*choice.verified, host.data.patience);
    std::erase_if(report.findings, [](Finding const& finding) { return !finding.verified; });
    if (!report.verify && report.findings.empty())
        throw Error(fmt::format("{} is no report of rocmtune verify", printable(*choice.verified)),
                    "write one with rocmtune verify --json -o FILE");
    return std::move(report.findings);
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

void fill_advice(HostChoice const& host, AdviceChoice const& choice,
                 std::vector<Finding> const& verified, Catalogue const& catalogue,
                 ChipSet const& chips, bool elsewhere, Report& report) {
    auto selection = choice.selection;
    selection.rows = host.rows_of(*report.host);
    selection.elsewhere = elsewhere;
    report.advice = advise(*report.host, chips, catalogue, selection);
    drop_harmful(verified, choice.verified.value_or(""), *report.advice);
    report.settings =
        make_settings(*report.advice, catalogue, *report.host, selection, choice.settings);
    if (choice.settings.clear) clear_harmful(*report.host, chips, catalogue, *report.settings);
}

Report advised_report(HostChoice const& host, AdviceChoice const& choice,
                      std::vector<Finding> const& verified, Catalogue const& catalogue,
                      ChipSet const& chips) {
    Report report;
    report.host = read_host(host);
    fill_advice(host, choice, verified, catalogue, chips, false, report);
    return report;
}

Report advised_report(HostChoice const& host, AdviceChoice const& choice,
                      Catalogue const& catalogue) {
    auto const chips = chips_for(host.data, catalogue);
    auto const verified = verified_findings(host, choice);
    return advised_report(host, choice, verified, catalogue, chips);
}

}  // namespace rocmtune
