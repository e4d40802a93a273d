// SPDX-License-Identifier: MIT
#include "show/html/findings.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "show/check_formats.hpp"
#include "show/host_cells.hpp"
#include "show/html/page.hpp"
#include "show/news.hpp"
#include "show/report_tables.hpp"

namespace rocmtune {
namespace {

/// Findings that say the same of several subjects, the worst first; what could not be told for one
/// reason is one, whichever checks it stopped.
std::vector<Unknown> cards_of(std::vector<Finding> const& findings) {
    std::vector<Unknown> cards;
    auto add = [&](bool before_unknown) {
        auto known = worst_first(findings);
        std::erase_if(known, [&](Finding const* finding) {
            return before_unknown ? !is_bad(*finding) : finding->verdict != Verdict::info;
        });
        for (auto& group : groups_of(known)) {
            auto const& id = group.first->id;
            cards.push_back({std::move(group), {id}});
        }
    };
    add(true);
    std::ranges::move(unknowns_of(findings), std::back_inserter(cards));
    add(false);
    return cards;
}

/// A few by name, the others by number; all GPUs of a host as such.
std::string subjects_text(std::vector<std::string> const& subjects, std::size_t gpus) {
    constexpr std::size_t most = 8;
    if (gpus > 1 && subjects.size() == gpus) return fmt::format("all {} GPUs", gpus);
    if (subjects.size() <= most) return joined(subjects);
    auto const some = std::vector(subjects.begin(), subjects.begin() + most);
    return fmt::format("{} and {} more", joined(some), subjects.size() - most);
}

void add_sources(std::vector<Reference> const& sources, Html& html) {
    if (sources.empty()) return;
    html.open("p", {{"class", "sources"}}).text("Sources: ");
    bool is_first = true;
    for (auto const& source : sources) {
        if (!is_first) html.text("; ");
        is_first = false;
        html.part(link_html(source_text(source), source.url.value_or("")));
    }
    html.close();
}

void add_evidence(std::vector<Evidence> const& evidence, Html& html) {
    if (evidence.empty()) return;
    html.open("details").element("summary", "What it rests on").open("ul");
    for (auto const& one : evidence)
        html.open("li").element("span", one.source).text(": ").element("code", one.value).close();
    html.close().close();
}

/// The head line of a card: verdict, id, what it is about.
void open_card(Finding const& finding, std::vector<std::string> const& ids,
               std::string const& about, Html& html) {
    std::string const word(word_of(finding.verdict));
    html.open("article", {{"class", "card verdict-" + word}, {"data-verdict", word}});
    html.open("h3").part(badge_html(word)).text(" ");
    for (auto const& id : ids) html.element("code", id).text(" ");
    html.element("span", about, {{"class", "about"}});
    html.close();
}

void add_card(Unknown const& card, std::size_t gpus, Html& html) {
    auto const& finding = *card.group.first;
    open_card(finding, card.ids, subjects_text(card.group.subjects, gpus), html);
    html.element("p", finding.message);
    if (auto const step = card.group.step(); !step.empty())
        html.open("p", {{"class", "step"}}).element("strong", "Next step: ").text(step).close();
    add_evidence(finding.evidence, html);
    add_sources(finding.sources, html);
    html.close();
}

/// What was in order or not looked at, by id.
Html rest_html(std::vector<Finding> const& findings, std::size_t gpus) {
    TextTable table{.headings = {"verdict", "id", "result", "subjects"}};
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> rows;
    for (auto const& finding : findings)
        if (finding.verdict == Verdict::pass || finding.verdict == Verdict::skip)
            rows[{std::string(word_of(finding.verdict)), finding.id, finding.message}].push_back(
                finding.subject);
    for (auto const& [key, subjects] : rows)
        table.rows.push_back(
            {std::get<0>(key), std::get<1>(key), std::get<2>(key), subjects_text(subjects, gpus)});
    Html html;
    if (table.rows.empty()) return html;
    using enum CellKind;
    html.open("details").element("summary", "What is in order, and what was not looked at");
    html.part(table_html("Results without a step", table, {verdict, code, wide, text})).close();
    return html;
}

/// Buttons that show the cards of one verdict; the script makes them work.
Html filter_html(std::vector<Unknown> const& groups) {
    Html html;
    if (groups.size() < 4) return html;
    html.open("div",
              {{"class", "filter js-only"}, {"role", "group"}, {"aria-label", "Show findings"}});
    html.element("button", "all",
                 {{"type", "button"}, {"data-filter", ""}, {"aria-pressed", "true"}});
    for (auto const verdict : verdict_order) {
        if (verdict == Verdict::skip || verdict == Verdict::pass) continue;
        auto const count = std::ranges::count_if(
            groups, [&](Unknown const& one) { return one.group.first->verdict == verdict; });
        if (count > 0)
            html.element("button", fmt::format("{} ({})", word_of(verdict), count),
                         {{"type", "button"},
                          {"data-filter", std::string(word_of(verdict))},
                          {"aria-pressed", "false"}});
    }
    html.close();
    return html;
}

void add_setting(Finding const& finding, Html& html) {
    auto const& place = *finding.setting;
    auto about = place.value ? fmt::format("{}={}", place.name, *place.value) : place.name;
    if (!place.file.empty()) about += fmt::format(" in {}:{}", place.file, place.line);
    open_card(finding, {finding.id}, about, html);
    html.element("p", finding.message);
    if (!place.fix.empty())
        html.open("p", {{"class", "step"}}).element("strong", "Instead: ").text(place.fix).close();
    add_evidence(finding.evidence, html);
    add_sources(finding.sources, html);
    html.close();
}

std::string validity_text(Validity const& validity) {
    auto text = validity.kind;
    if (validity.of) text += " for " + *validity.of;
    if (validity.since) text += " from " + *validity.since;
    if (validity.until) text += " until before " + *validity.until;
    if (!validity.versions.empty()) text += " in " + joined(validity.versions);
    return text;
}

void add_advice(Recommendation const& one, Html& html) {
    html.open("article", {{"class", "card"}});
    html.open("h3").element("span", one.kind, {{"class", "badge"}}).text(" ");
    // The value of the others is the advice itself, a sentence.
    bool const is_setting = one.kind != "practice" && one.kind != "api";
    html.element("code", is_setting ? fmt::format("{}={}", one.name, one.value) : one.name);
    html.close();
    if (!is_setting) html.element("p", one.value);
    html.element("p", one.why);
    html.open("dl");
    for (auto const& because : one.because)
        html.element("dt", because.subject == "host" ? because.field
                                                     : because.subject + ' ' + because.field)
            .element("dd", because.value.value_or("not known"));
    html.element("dt", "validity").element("dd", validity_text(one.validity));
    html.element("dt", "confidence").element("dd", one.confidence);
    if (one.verify_with && one.kind == "environment")
        html.element("dt", "proof")
            .open("dd")
            .element("code", fmt::format("rocmtune verify --setting {}={} --benchmark {}", one.name,
                                         one.value, *one.verify_with))
            .close();
    html.close();
    add_sources(one.sources, html);
    html.close();
}

}  // namespace

Html findings_html(std::vector<Finding> const& findings, std::size_t gpus) {
    Html html;
    if (findings.empty()) return html;
    auto const groups = cards_of(findings);
    if (groups.empty()) html.element("p", "Nothing is wrong.", {{"class", "good"}});
    html.part(filter_html(groups));
    html.open("div", {{"class", "cards"}});
    for (auto const& group : groups) add_card(group, gpus, html);
    html.close();
    html.part(rest_html(findings, gpus));
    return html;
}

Html environment_html(Report const& report) {
    Html html;
    if (auto const why = why_not_linted(report); !why.empty()) html.element("p", why + '.');
    if (!report.lint) return html;
    auto const& lint = *report.lint;
    html.element("p", fmt::format("Settings that were judged: {}.", lint.assignments));
    auto const findings = findings_of(report, true);
    if (findings.empty())
        html.element("p", "No setting is dead, misspelt or harmful.", {{"class", "good"}});
    html.open("div", {{"class", "cards"}});
    for (auto const* finding : worst_first(findings))
        if (is_news(*finding)) add_setting(*finding, html);
    html.close();
    return html;
}

Html advice_html(Report const& report) {
    Html html;
    if (!report.advice) return html;
    if (report.settings) html.element("p", "Chosen for: " + selection_text(*report.settings) + '.');
    if (report.advice->recommendations.empty())
        html.element("p", "Nothing has to be set here beside the defaults.", {{"class", "good"}});
    html.open("div", {{"class", "cards"}});
    for (auto const& one : report.advice->recommendations) add_advice(one, html);
    html.close();
    auto const open = undecided_table(*report.advice);
    if (open.rows.empty()) return html;
    using enum CellKind;
    html.open("details").element("summary", "What was not decided, and why");
    html.part(table_html("Settings that were near to being advised", open, {code, text, wide}));
    html.close();
    return html;
}

}  // namespace rocmtune
