// SPDX-License-Identifier: MIT
#include "judge/diagnose/diagnose.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/checks/checks.hpp"
#include "judge/rules/holding.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/findings.hpp"
#include "knowledge/messages.hpp"

namespace rocmtune {
namespace {

/// The worst of the findings with this id; of equals the first.
Finding const* worst_of(std::vector<Finding> const& findings, std::string_view id) {
    // unknown and timeout leave open what pass would settle.
    constexpr Verdict order[] = {Verdict::fail,    Verdict::warn, Verdict::info, Verdict::unknown,
                                 Verdict::timeout, Verdict::pass, Verdict::skip};
    for (auto const verdict : order)
        for (auto const& finding : findings)
            if (finding.id == id && finding.verdict == verdict) return &finding;
    return nullptr;
}

std::string const& finding_of(SeenMessage const& message) {
    return find_message_class(message.shown.id)->finding;
}

std::uint64_t first_line(SeenMessage const& message) {
    return message.shown.lines.empty() ? 0 : message.shown.lines.front();
}

/// What the kernel says after a hang may only follow from it, as a reset that fails.
void drop_what_follows(std::vector<SeenMessage>& messages) {
    for (auto const& cause : messages) {
        auto const* const rule = cause.of_kernel ? find_cause_rule(finding_of(cause)) : nullptr;
        if (rule == nullptr || rule->brings.empty() || cause.causes.empty()) continue;
        for (auto& message : messages)
            if (message.of_kernel && first_line(message) > first_line(cause) &&
                std::ranges::count(rule->brings, finding_of(message)) > 0)
                std::erase(message.causes, finding_of(message));
    }
}

/// What ended well, or is only worth knowing on this host, is no error.
void quiet_kernel_notes(std::vector<Finding> const& findings, std::vector<SeenMessage>& messages) {
    for (auto& message : messages) {
        if (!message.of_kernel || message.causes.empty()) continue;
        auto const* const finding = worst_of(findings, finding_of(message));
        if (finding == nullptr || finding->verdict != Verdict::info) continue;
        message.shown.role = SymptomRole::note;
        message.causes.clear();
    }
}

bool is_error(SeenMessage const& message) {
    return message.shown.role != SymptomRole::note;
}

/// Errors first, in the order of their lines.
void sort_by_role(std::vector<SeenMessage>& messages) {
    std::ranges::sort(messages, {}, [](SeenMessage const& one) {
        return std::tuple(one.shown.role, first_line(one), &one);
    });
}

// ---- one cause ----------------------------------------------------------------------------------

/// What is known of a possible cause before anything is judged.
Cause new_cause(std::string const& id) {
    auto const* advisory = find_advisory(id);
    auto const* kind = find_finding_kind(id);
    if (advisory == nullptr && kind == nullptr) return {.id = id, .subject = "host"};
    auto told = advisory != nullptr
                    ? finding_of(*advisory, "host")
                    : make_finding(id, Verdict::unknown, "host", std::string(kind->title));
    return {.id = id,
            .subject = "host",
            .message = std::move(told.message),
            .next_step = std::move(told.next_step),
            .sources = std::move(told.sources)};
}

/// {gfx} as the text says it; what it does not say is "?".
std::string filled(std::string_view text, SaidValues const& said) {
    std::string out;
    while (!text.empty()) {
        auto const open = std::min(text.find('{'), text.size());
        out += text.substr(0, open);
        text.remove_prefix(open);
        auto const close = text.find('}');
        if (close == text.npos) break;
        auto const found = said.find(text.substr(1, close - 1));
        out += found == said.end() ? "?" : found->second.front();
        text.remove_prefix(close + 1);
    }
    return out.append(text);
}

void take_finding(Finding const& finding, CauseVerdict verdict, Cause& cause) {
    cause.verdict = verdict;
    cause.subject = finding.subject;
    cause.message = finding.message;
    cause.evidence = finding.evidence;
    cause.next_step = finding.next_step;
    if (!finding.sources.empty()) cause.sources = finding.sources;
}

/// True if checks or lint have told it.
bool told_by_findings(std::vector<Finding> const& findings, Cause& cause) {
    auto const* const finding = worst_of(findings, cause.id);
    if (finding == nullptr || finding->verdict == Verdict::skip) return false;
    if (finding->verdict == Verdict::unknown || finding->verdict == Verdict::timeout) {
        cause.tells = finding->message;
        return false;
    }
    take_finding(*finding,
                 finding->verdict == Verdict::pass ? CauseVerdict::not_here : CauseVerdict::here,
                 cause);
    return true;
}

void take_holding(Holding const& holding, Cause& cause) {
    cause.subject = holding.subject;
    cause.evidence = evidence_of(holding.decision.because);
}

CauseVerdict verdict_of(Truth truth) {
    return truth == Truth::yes       ? CauseVerdict::here
           : truth == Truth::unknown ? CauseVerdict::cannot_tell
                                     : CauseVerdict::not_here;
}

bool holds(WhenAll const& when, SelectedHost const& selected) {
    return !when.empty() && best_holding(when.nodes, selected).decision.truth == Truth::yes;
}

void judge_rule(CauseRule const& rule, SelectedHost const& selected, SaidValues const& said,
                Cause& cause) {
    if (!rule.message.empty()) cause.message = filled(rule.message, said);
    if (!rule.step.empty()) cause.next_step = rule.step;
    if (!rule.tells.empty()) cause.tells = rule.tells;
    if (rule.here.empty()) return;
    auto here = best_holding(rule.here.nodes, selected);
    auto verdict = verdict_of(here.decision.truth);
    if (verdict == CauseVerdict::here && holds(rule.unless_here, selected)) return;
    if (verdict != CauseVerdict::here && !rule.not_here.empty()) {
        auto not_here = best_holding(rule.not_here.nodes, selected);
        bool const refuted = not_here.decision.truth == Truth::yes;
        verdict = refuted ? CauseVerdict::not_here : CauseVerdict::cannot_tell;
        if (refuted) here = std::move(not_here);
    }
    cause.verdict = verdict;
    take_holding(here, cause);
}

/// A text that does not speak of what the advisory is about says nothing of it.
void judge_advisory(Advisory const& advisory, SelectedHost const& selected, Cause& cause) {
    auto const holding = best_holding(advisory.when.nodes, selected);
    bool const silent = !advisory.text.empty() && !holds(advisory.text, selected);
    auto const verdict = verdict_of(holding.decision.truth);
    cause.verdict = verdict == CauseVerdict::here && silent ? CauseVerdict::cannot_tell : verdict;
    take_holding(holding, cause);
}

// ---- all of them --------------------------------------------------------------------------------

class Judging {
  public:
    Judging(RecognisedText const& text, KnownOfHost const& known) : text_(text), known_(known) {}

    std::vector<Cause> causes() const {
        std::vector<Cause> causes;
        for (auto const& id : possible_causes(text_)) causes.push_back(cause(id));
        rank(causes);
        return causes;
    }

  private:
    Cause cause(std::string const& id) const {
        auto cause = new_cause(id);
        for (auto const& message : text_.messages)
            if (std::ranges::count(message.causes, id) > 0)
                cause.symptoms.push_back(message.shown.id);
        judge(cause);
        if (cause.verdict != CauseVerdict::cannot_tell) cause.tells.clear();
        fill_step(cause);
        return cause;
    }

    /// What the text itself proves holds beside checks that find this host in order: the program
    /// may have run in another container or as another user. What checks find in the text's own
    /// log holds where its rule does.
    void judge(Cause& cause) const {
        auto const* const rule = find_cause_rule(cause.id);
        if (rule != nullptr && rule->is_symptom()) {
            cause.message = rule->message;
            cause.tells = rule->tells;
            return;
        }
        auto by_text = cause;
        if (!told_by_findings(known_.findings, cause)) return judge_by_conditions(cause);
        bool const here = cause.verdict == CauseVerdict::here;
        if (rule == nullptr || (here && !(rule->of_log && is_said_by_kernel(cause.id)))) return;
        judge_by_conditions(by_text);
        if ((by_text.verdict == CauseVerdict::here) != here) cause = std::move(by_text);
    }

    /// The host for a rule: one of which nothing is known where a check speaks against the cause.
    Host const& host_for(CauseRule const* rule) const {
        static Host const unknown;
        if (rule == nullptr || rule->unless.empty()) return known_.host;
        auto const* const worst = worst_of(known_.findings, rule->unless);
        return worst != nullptr && worst->verdict == Verdict::pass ? unknown : known_.host;
    }

    void judge_by_conditions(Cause& cause) const {
        TextFacts const text{text_.matched, said_for(cause.id)};
        auto const* const rule = find_cause_rule(cause.id);
        auto const selected = selected_host(host_for(rule), known_.rows, &text);
        if (auto const* advisory = find_advisory(cause.id)) {
            judge_advisory(*advisory, selected, cause);
        } else if (rule != nullptr) {
            judge_rule(*rule, selected, text.said, cause);
            if (cause.verdict != CauseVerdict::here || !rule->of_log) return;
            cause.verdict = CauseVerdict::cannot_tell;
            judge_by_log(cause);
        } else {
            judge_by_log(cause);
            judge_by_silence(cause);
        }
    }

    /// Lint and the device map find nothing where all is well.
    void judge_by_silence(Cause& cause) const {
        bool const linted = cause.id.starts_with("RT5") && known_.host.environment;
        bool const mapped = cause.id.starts_with("RT1") && !known_.host.gpus.empty();
        if (linted || mapped) cause.verdict = CauseVerdict::not_here;
    }

    bool is_said_by_kernel(std::string const& id) const {
        return std::ranges::any_of(text_.messages, [&](SeenMessage const& message) {
            return message.of_kernel && finding_of(message) == id;
        });
    }

    /// What the kernel says of its GPU needs no other proof, wherever the log was kept. It does not
    /// say what may be behind that.
    void judge_by_log(Cause& cause) const {
        for (auto const& message : text_.messages) {
            bool const says_it = message.of_kernel && finding_of(message) == cause.id;
            if (!says_it || std::ranges::count(message.causes, cause.id) == 0) continue;
            cause.verdict = CauseVerdict::here;
            cause.message = message.shown.says;
            cause.evidence = {{"kernel-log, " + message.shown.id, message.shown.text}};
            auto const& step = find_message_class(message.shown.id)->next_step;
            if (!step.empty()) cause.next_step = step;
            return;
        }
    }

    /// What the messages say that this cause can explain: another's values are not about it.
    SaidValues said_for(std::string const& id) const {
        SaidValues said;
        for (auto const& message : text_.messages)
            if (std::ranges::count(message.causes, id) > 0)
                for (auto const& [group, values] : message.said)
                    said[group].insert(said[group].end(), values.begin(), values.end());
        return said;
    }

    void fill_step(Cause& cause) const {
        std::vector<Finding> one{{.subject = cause.subject, .next_step = cause.next_step}};
        fill_steps(known_.host, one);
        cause.next_step = std::move(one.front().next_step);
    }

    /// Equals keep the order in which they are possible.
    static void rank(std::vector<Cause>& causes) {
        for (std::size_t i = 0; i < causes.size(); ++i) causes[i].rank = i;
        std::ranges::sort(causes, {},
                          [](Cause const& cause) { return std::pair(cause.verdict, cause.rank); });
        for (std::size_t i = 0; i < causes.size(); ++i) causes[i].rank = i + 1;
    }

    RecognisedText const& text_;
    KnownOfHost const& known_;
};

DiagnosisAnswer answer_of(Diagnosis const& diagnosis, RecognisedText const& text) {
    auto const& causes = diagnosis.causes;
    if (!causes.empty() && causes.front().verdict == CauseVerdict::here)
        return DiagnosisAnswer::cause_here;
    if (std::ranges::none_of(text.messages, is_error))
        return text.unknown.empty() ? DiagnosisAnswer::no_error : DiagnosisAnswer::not_known;
    bool const refuted = !causes.empty() && causes.front().verdict == CauseVerdict::not_here;
    return refuted ? DiagnosisAnswer::refuted : DiagnosisAnswer::cannot_tell;
}

std::string summary_of(Diagnosis const& diagnosis) {
    auto const& causes = diagnosis.causes;
    switch (diagnosis.answer) {
        case DiagnosisAnswer::cause_here:
            return fmt::format("{}: {}", causes.front().id, causes.front().message);
        case DiagnosisAnswer::cannot_tell:
            if (causes.empty()) return "the error is known, and no cause of it is known";
            return fmt::format("the error is known; whether {} here cannot be told from this",
                               causes.size() == 1 ? "its known cause is so"
                                                  : "one of its " + std::to_string(causes.size()) +
                                                        " known causes is so");
        case DiagnosisAnswer::refuted:
            return fmt::format("the error is known, and {} here",
                               causes.size() == 1 ? "its known cause is not so"
                                                  : "none of its " + std::to_string(causes.size()) +
                                                        " known causes is so");
        case DiagnosisAnswer::not_known:
            return fmt::format("not known: {} of an error, and none of its messages is known",
                               diagnosis.unknown.size() == 1 ? "a line speaks" : "lines speak");
        case DiagnosisAnswer::no_error:
            return diagnosis.symptoms.empty() ? "nothing in the text is an error"
                                              : "nothing in the text is an error: what is known "
                                                "of it is harmless";
    }
    return {};
}

}  // namespace

bool shows_error(RecognisedText const& text) {
    return !text.unknown.empty() || std::ranges::any_of(text.messages, is_error);
}

std::vector<std::string> possible_causes(RecognisedText const& text) {
    std::vector<std::string> ids;
    for (auto const role : {SymptomRole::error, SymptomRole::consequence})
        for (auto const& message : text.messages)
            if (message.shown.role == role)
                for (auto const& id : message.causes)
                    if (std::ranges::count(ids, id) == 0) ids.push_back(id);
    return ids;
}

std::vector<std::string> causes_of(MessageClass const& kind) {
    std::vector<std::string> ids;
    if (kind.verdict != Verdict::warn && kind.verdict != Verdict::fail) return ids;
    for (auto const& advisory : all_advisories())
        if (std::ranges::count(advisory.symptoms, kind.id) > 0) ids.push_back(advisory.id);
    if (auto const* const rule = find_cause_rule(kind.finding))
        ids.insert(ids.end(), rule->behind.begin(), rule->behind.end());
    ids.push_back(kind.finding);
    return ids;
}

void add_kernel_messages(std::vector<KernelMessage> const& messages,
                         std::map<std::string, std::vector<std::uint64_t>> const& lines_of,
                         RecognisedText& text) {
    for (auto const& message : messages) {
        auto const* const kind = find_message_class(message.symptom);
        auto const is_same = [&](SeenMessage const& one) {
            return one.shown.id == message.symptom;
        };
        if (kind == nullptr || std::ranges::any_of(text.messages, is_same)) continue;
        bool const bad = kind->verdict == Verdict::warn || kind->verdict == Verdict::fail;
        SeenMessage seen{.shown = {.id = kind->id,
                                   .component = kind->component,
                                   .role = bad ? SymptomRole::error : SymptomRole::note,
                                   .says = kind->says,
                                   .text = shown_line(message.text)},
                         .of_kernel = true};
        seen.causes = causes_of(*kind);
        if (auto const lines = lines_of.find(kind->id); lines != lines_of.end())
            seen.shown.lines = lines->second;
        text.messages.push_back(std::move(seen));
    }
    drop_what_follows(text.messages);
}

Diagnosis diagnose(RecognisedText text, KnownOfHost const& known) {
    quiet_kernel_notes(known.findings, text.messages);
    sort_by_role(text.messages);
    Diagnosis diagnosis{.lines = text.lines};
    diagnosis.causes = Judging(text, known).causes();
    diagnosis.answer = answer_of(diagnosis, text);
    for (auto& message : text.messages) diagnosis.symptoms.push_back(std::move(message.shown));
    diagnosis.unknown = std::move(text.unknown);
    diagnosis.summary = summary_of(diagnosis);
    return diagnosis;
}

std::vector<std::string> ruled_out(std::vector<Finding> const& findings) {
    std::vector<std::string> themes;
    std::map<std::string_view, bool> in_order;  // theme: whether something is, and nothing is not
    for (auto const& finding : findings) {
        auto const* const check = find_check(finding.id);
        if (check == nullptr || finding.verdict == Verdict::skip) continue;
        bool const passed = finding.verdict == Verdict::pass || finding.verdict == Verdict::info;
        auto const [found, is_new] = in_order.emplace(check->theme, passed);
        if (is_new) themes.emplace_back(check->theme);
        found->second &= passed;
    }
    std::erase_if(themes, [&](std::string const& theme) { return !in_order.at(theme); });
    return themes;
}

Diagnosis diagnose_host(KnownOfHost const& known) {
    Diagnosis diagnosis;
    for (auto const verdict : {Verdict::fail, Verdict::warn})
        for (auto const& finding : known.findings)
            if (finding.verdict == verdict) {
                auto& cause = diagnosis.causes.emplace_back(Cause{.id = finding.id});
                take_finding(finding, CauseVerdict::here, cause);
                cause.rank = diagnosis.causes.size();
            }
    RecognisedText log;
    if (known.host.kernel_messages) add_kernel_messages(*known.host.kernel_messages, {}, log);
    for (auto& message : log.messages) {
        bool const explained = std::ranges::any_of(diagnosis.causes, [&](Cause& cause) {
            if (std::ranges::count(message.causes, cause.id) == 0) return false;
            cause.symptoms.push_back(message.shown.id);
            return true;
        });
        if (explained) diagnosis.symptoms.push_back(std::move(message.shown));
    }
    bool const found = !diagnosis.causes.empty();
    diagnosis.answer = found ? DiagnosisAnswer::cause_here : DiagnosisAnswer::no_error;
    diagnosis.summary = found ? summary_of(diagnosis)
                              : "neither the kernel log nor a check of this host shows an error";
    diagnosis.ruled_out = ruled_out(known.findings);
    return diagnosis;
}

}  // namespace rocmtune
