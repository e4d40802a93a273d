// SPDX-License-Identifier: MIT
// rocmtune explain.
#include "judge/rules/explain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/explanations.hpp"
#include "judge/builds/builds.hpp"
#include "judge/checks/checks.hpp"
#include "judge/rules/holding.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/findings.hpp"
#include "knowledge/messages.hpp"
#include "knowledge/symptoms.hpp"
#include "knowledge/terms.hpp"
#include "measure/host_readers.hpp"
#include "measure/system_data.hpp"
#include "show/findings.hpp"

namespace rocmtune {
namespace {

[[noreturn]] void nothing_known(std::string const& name, Catalogue const& catalogue) {
    auto const near = near_names(name, catalogue);
    throw Error(fmt::format("no text that rocmtune knows speaks of '{}'", printable(name)),
                near.empty() ? "nothing that was read up to " +
                                   std::string(catalogue.names().date()) + " reads this name"
                             : fmt::format("names like it: {}", fmt::join(near, ", ")));
}

/// What judgement says of this host under the id; nothing for an id that no judgement of a host
/// gives.
std::vector<Finding> findings_of(std::string_view id, Host const& host, DataChoice const& data) {
    if (find_check(id) != nullptr) {
        CheckSelection selection;
        selection.builds = own_builds_for(data);
        selection.level = CheckLevel::long_;
        selection.only = {std::string(id)};
        return run_checks(host, chips_for(data), selection);
    }
    auto findings = judge_device_map(host);
    std::erase_if(findings, [&](Finding const& finding) { return finding.id != id; });
    return findings;
}

std::string here_text(std::vector<Finding> const& findings) {
    std::vector<std::string> messages;
    for (auto const& finding : findings)
        if (finding.verdict != Verdict::pass)
            messages.push_back(fmt::format("{}: {} {}", finding.subject, word_of(finding.verdict),
                                           finding.message));
    if (messages.empty() && findings.size() == 1)
        return fmt::format("This host does not show it: {}.", findings.front().message);
    if (messages.empty()) return "This host does not show it.";
    return fmt::format("{}", fmt::join(messages, "; "));
}

/// What the host asks for where it has the finding, else what is said of its kind.
std::string step_of(FindingKind const& kind, std::vector<Finding> const& found) {
    for (auto const* finding : worst_first(found))
        if (is_news(*finding) && !finding->next_step.empty()) return finding->next_step;
    return filled_step(kind.next_step);
}

Explanation explain_kind(FindingKind const& kind) {
    Explanation result{.name = std::string(kind.id), .kind = "finding", .status = "public"};
    result.summary = kind.title;
    result.effect = kind.meaning;
    if (auto const* check = find_check(kind.id))
        result.values = fmt::format("the check {} of the theme {}{}", check->name, check->theme,
                                    check->essential ? ", an essential one" : "");
    result.instead = filled_step(kind.next_step);
    for (auto const& source : kind.sources) result.sources.push_back(reference_of(source));
    return result;
}

Explanation explain_finding(FindingKind const& kind, Host const& host, DataChoice const& data) {
    auto result = explain_kind(kind);
    auto const found = findings_of(kind.id, host, data);
    result.here = here_text(found);
    result.instead = step_of(kind, found);
    return result;
}

bool is_finding_id(std::string_view name) {
    return name.size() == 6 && name.starts_with("RT") &&
           to_unsigned(name.substr(2), 10).has_value();
}

/// What the log of this host has of a class of messages.
std::string seen_text(std::string const& id, Host const& host) {
    if (!host.kernel_messages)
        return fmt::format("The kernel log could not be read: {}.",
                           missing_name(host.kernel_messages.reason()));
    std::string seen;
    for (auto const& message : *host.kernel_messages)
        if (message.symptom == id)
            seen += fmt::format("{}{}: {}", seen.empty() ? "" : "; ",
                                message.pci_address.value_or("host"), message.text);
    return seen.empty() ? "No such message is in the kernel log." : seen;
}

Explanation explain_message(MessageClass const& kind, Host const& host) {
    Explanation result{.name = kind.id, .kind = "symptom", .status = "public"};
    result.summary = fmt::format("a message of {}: {}", kind.component, kind.name);
    result.effect = kind.says;
    result.values = fmt::format("{}", fmt::join(kind.wordings, "; "));
    if (!kind.finding.empty()) result.harm = fmt::format("The check {} reports it.", kind.finding);
    result.here = seen_text(kind.id, host);
    result.instead = filled_step(kind.next_step);
    result.sources = kind.sources;
    return result;
}

Explanation explain_symptom(Symptom const& symptom) {
    Explanation result{.name = symptom.id, .kind = "symptom", .status = "public"};
    result.summary = fmt::format("a message of {}: {}", symptom.component, symptom.name);
    result.effect = symptom.says;
    result.values = fmt::format("{}", fmt::join(symptom.patterns, "; "));
    if (!symptom.causes.empty())
        result.harm = fmt::format("It can come from {}.", fmt::join(symptom.causes, ", "));
    result.here = "rocmtune diagnose TEXT says which of its causes is so here.";
    // "first" is of the releases that were read: older ones may print it, too.
    result.validity = {.kind = symptom.first ? "observed" : "unknown",
                       .since = symptom.first,
                       .of = symptom.component};
    result.sources = references_of(symptom.sources);
    return result;
}

Explanation explain_advisory(Advisory const& advisory, Host const& host) {
    Explanation result{.name = advisory.id, .kind = "finding", .status = "public"};
    result.summary = advisory.title;
    result.effect = advisory.says;
    result.values = "the check advisories";
    std::vector<Finding> found;
    for (auto const& [subject, decision] : holdings(advisory.when.nodes, selected_host(host, {})))
        if (decision.truth == Truth::unknown)
            result.here = "Whether this host has it is not known.";
        else if (decision.truth == Truth::yes) found.push_back(finding_of(advisory, subject));
    if (!found.empty() || result.here.empty()) result.here = here_text(found);
    result.instead = advisory.workaround.empty() ? advisory.step : advisory.workaround;
    result.validity = {.kind = advisory.since ? "known" : "unknown",
                       .since = advisory.since,
                       .until = advisory.fixed_in};
    result.sources = references_of(advisory.sources);
    return result;
}

/// The host as far as the finding or message of this id needs it.
Host read_host_for(std::string const& id, HostChoice const& choice) {
    return read_host(choice, {.left_out = needless_readers(id)});
}

Explanation explain_id(std::string const& id, HostChoice const& choice) {
    if (auto const* symptom = find_message_class(id))
        return explain_message(*symptom, read_host_for(id, choice));
    if (auto const* symptom = find_symptom(id)) return explain_symptom(*symptom);
    if (auto const* advisory = find_advisory(id))
        return explain_advisory(*advisory, read_host_for(id, choice));
    auto const* kind = find_finding_kind(id);
    if (kind == nullptr) {
        std::vector<std::string_view> ids;
        for (auto const& known : all_finding_kinds()) ids.push_back(known.id);
        auto const near = nearest(id, ids);
        throw Error(fmt::format("there is no finding {}", id),
                    near ? fmt::format("did you mean {}?", *near)
                         : "rocmtune-findings(7) lists the findings");
    }
    return explain_finding(*kind, read_host_for(id, choice), choice.data);
}

Explanation explain_gfx(std::string const& name, HostChoice const& choice) {
    auto const chips = chips_for(choice.data);
    auto explanation = explain_target(name, chips);
    if (!explanation)
        throw Error(fmt::format("no profile knows the target '{}'", printable(name)),
                    unknown_target_hint(name, chips));
    auto const host = read_host(
        choice, {.left_out = {"telemetry", "processes", "kernel-log", "rocm", "python", "caches"}});
    explanation->here = target_here_text(*explanation->target, host);
    return std::move(*explanation);
}

/// How old the data are, and what of that is here.
Explanation explain_all_data(HostChoice const& choice) {
    auto const host =
        read_host(choice, {.left_out = {"telemetry", "processes", "kernel-log", "caches"}});
    return explain_data(catalogue_for(choice.data), host, folder_of_data());
}

/// The best answer of each framework, on whatever host.
BuildsView builds_of(std::string const& target, DataChoice const& choice) {
    auto const data = builds_data_for(choice);
    auto const chips = chips_for(choice);
    BuildsView view{.targets = {target}, .about = target, .data_date = data.data_date};
    for (auto const& framework : data.frameworks) {
        auto answers =
            builds_for({.frameworks = {framework}, .targets = view.targets}, data, chips);
        if (!answers.empty()) view.builds.push_back(std::move(answers.front()));
    }
    return view;
}

/// What was measured of a setting before, one sentence each; of a tuning, for what it holds.
std::string measured_text(std::string const& name, Measured const& measured, Host const& host) {
    std::string text;
    for (auto const& finding : measured.findings)
        if (finding.verified->name == name) text += " Measured: " + finding.message + '.';
    if (!measured.tuning) return text;
    auto const& scope = measured.tuning->scope;
    for (auto const& one : measured.tuning->candidates) {
        auto const found = one.settings.find(name);
        if (found == one.settings.end()) continue;
        bool const wins = one.verdict == CandidateVerdict::winner;
        text += fmt::format(" Tuned: {}={} is {} for {}{}{}.", name, found->second,
                            word_of(one.verdict), scope.program, wins ? ": " : "",
                            wins ? gain_text(*measured.tuning) : "");
    }
    if (!text.empty() && scope.host != fingerprint(host))
        text += " That was on another host or with other versions, and is not proven here.";
    return text;
}

/// Nothing for a name that is not known.
std::optional<Explanation> explain_setting(ExplainCommand const& options,
                                           Measured const& measured) {
    auto const& name = options.name;
    auto const catalogue = catalogue_for(options.host.data);
    auto const chips = chips_for(options.host.data, catalogue);
    auto const report = advised_report(options.host, options.advice, measured, catalogue, chips);
    auto explanation = explain(name, catalogue, *report.host, *report.advice, chips.rules());
    // A term says more than the rules that advise it; what they say of this host it keeps.
    if (auto term = explain_term(name, *report.host); term && catalogue.find(name) == nullptr) {
        if (explanation) term->here = explanation->here;
        explanation = std::move(term);
    }
    bool const is_text = name.find(' ') != name.npos && speaks_of_error(name);
    if (!explanation && !is_text) nothing_known(name, catalogue);
    if (!explanation) return std::nullopt;
    if (can_scan(options.host) && !explanation->readers.empty())
        for (auto& file : scanned_readers(*report.host, catalogue))
            if (std::ranges::binary_search(file.names, name))
                explanation->found_in.push_back(std::move(file.path));
    explanation->here += measured_text(name, measured, *report.host);
    return explanation;
}

std::vector<Explanation> explained_ids() {
    std::vector<Explanation> all;
    for (auto const& kind : all_finding_kinds()) all.push_back(explain_kind(kind));
    for (auto const& message : message_classes()) all.push_back(explain_message(message, Host{}));
    for (auto const& symptom : all_symptoms()) all.push_back(explain_symptom(symptom));
    for (auto const& advisory : all_advisories()) all.push_back(explain_advisory(advisory, Host{}));
    return all;
}

}  // namespace

Report all_explanations() {
    Report report;
    report.command = "explain";
    report.explanations = explained_ids();
    auto const catalogue = catalogue_for({});
    auto const chips = chips_for({}, catalogue);
    auto const add = [&](std::optional<Explanation> explanation) {
        if (explanation) report.explanations.push_back(std::move(*explanation));
    };
    for (auto const& variable : catalogue.all())
        add(explain(variable.name, catalogue, Host{}, Advice{}, chips.rules()));
    for (auto const& term : all_terms())
        if (catalogue.find(term.name) == nullptr) add(explain_term(term.name, Host{}));
    for (auto const& chip : chips.all_chips()) add(explain_target(chip.gfx_target, chips));
    for (auto& explanation : report.explanations) explanation.here.clear();
    return report;
}

Exit run_explain(ExplainCommand const& options) {
    give_up_rights(options.output, options.host);
    auto const& name = options.name;
    Report report;
    report.command = "explain";
    // A wrong file is said, also of what it cannot speak of.
    auto const measured = measured_before(options.host, options.advice);
    auto const id = upper(name);
    auto explanation = is_finding_id(id)      ? explain_id(id, options.host)
                       : is_target_name(name) ? explain_gfx(name, options.host)
                       : name == name_of_data ? explain_all_data(options.host)
                                              : explain_setting(options, measured);
    // A text with blanks that is no name is an error that somebody saw.
    if (!explanation)
        return answer_diagnose({.host = options.host, .output = options.output, .inputs = {name}});
    if (explanation->target && explanation->target->targets.size() == 1)
        report.builds = builds_of(explanation->target->targets.front(), options.host.data);
    report.explanations.push_back(std::move(*explanation));
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
