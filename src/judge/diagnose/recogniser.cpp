// SPDX-License-Identifier: MIT
#include "judge/diagnose/recogniser.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/messages.hpp"
#include "knowledge/scrub.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t most_lines = 10;    ///< of one message that are counted
constexpr std::size_t most_unknown = 10;  ///< lines
constexpr std::size_t most_values = 8;    ///< of one group
constexpr std::size_t most_shown_bytes = 300;
constexpr std::size_t most_said_bytes = 120;

/// Terminals have 60 columns or more; of longer texts nobody copied each line from a screen.
constexpr std::size_t least_wrapped_bytes = 60;
constexpr std::uint64_t most_wrapped_lines = 10'000;

constexpr std::string_view error_words =
    R"((?i)\b(errors?|failed|failure|failures|fatal|exception|abort|aborted|aborting|panic|killed|)"
    R"(traceback|segmentation fault|core dumped|bus error|illegal instruction|)"
    R"(cannot open shared object|undefined (symbol|reference)|no such file or directory|permission denied)\b)"
    R"(|[a-z](Error|Exception)\b)";
/// Words that the log of a successful program has, too: of a short text they count.
constexpr std::string_view trouble_words =
    R"((?i)\b(cannot|can't|could not|couldn't|unable to|not (found|supported|available|detected|set)|)"
    R"(unsupported|missing|timed out|timeout|denied|refused|invalid|hangs?|hung|crash(ed|es)?)\b)";
/// Counts and measures of errors, and names that have the word.
constexpr std::string_view harmless_words =
    R"((?i)\b(0|no|zero|without|any) (errors?|failures?|failed)\b)"
    R"(|\b(errors?|failed|failures?|killed|aborted)["']?\s*[:=]\s*(0\b|none\b|null\b|false\b|\[\]|\d*\.\d))"
    R"(|\berror (rate|bars?|correction|correcting|handling|handler|bound|margin)\b)"
    R"(|\b(mean|relative|absolute|squared|rms|max|training|validation|test|l1|l2) error\b)"
    R"(|(error|failed|failure|exception|abort)\S* *\.* *(ok|passed|skipped)\b)";

/// At most so many bytes, no part of a character.
std::string shortened(std::string text, std::size_t most) {
    if (text.size() <= most) return text;
    auto end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end) + " ...";
}

/// What a shell or an interpreter was asked: its answer is the next line.
bool is_question(std::string_view line) {
    if (line.starts_with(">>> ") || line.starts_with("$ ") || line.starts_with("In [")) return true;
    auto const end = line.find("$ ");
    return end != line.npos && line.substr(0, end).find('@') != line.npos;
}

/// Secrets go before anything is cut off: a part of one would not be recognised.
std::string harmless(std::string_view text, std::size_t most) {
    return shortened(printable(scrubbed(text)), most);
}

}  // namespace

std::string shown_line(std::string_view text) {
    return harmless(text, most_shown_bytes);
}

void Recogniser::Table::add(std::string_view expression, Entry entry) {
    expressions.emplace_back(expression);
    entries.push_back(entry);
}

Recogniser::Table Recogniser::embedded_table() {
    Table table;
    auto const symptoms = all_symptoms();
    for (std::size_t i = 0; i < symptoms.size(); ++i) {
        for (auto const& one : symptoms[i].patterns) table.add(one, {Kind::symptom, i});
        for (auto const& one : symptoms[i].excluded) table.add(one, {Kind::excluded, i});
    }
    auto const add_lines = [&](WhenAll const& when) {
        for (auto const& node : when.nodes)
            if (node.kind == ConditionKind::line) table.add(node.name, {Kind::line, 0, node.name});
    };
    for (auto const& rule : all_cause_rules()) {
        add_lines(rule.here);
        add_lines(rule.not_here);
        add_lines(rule.unless_here);
    }
    for (auto const& advisory : all_advisories()) {
        add_lines(advisory.when);
        add_lines(advisory.text);
    }
    table.add(error_words, {Kind::error});
    table.add(trouble_words, {Kind::trouble});
    table.add(harmless_words, {Kind::no_error});
    return table;
}

Recogniser::Recogniser() : Recogniser(embedded_table()) {}

Recogniser::Recogniser(Table table)
    : entries_(std::move(table.entries)), patterns_(table.expressions), kernel_(message_classes()) {
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (entries_[i].kind == Kind::excluded)
            excluded_[entries_[i].symptom].push_back(static_cast<int>(i));
}

bool Recogniser::is_excluded(std::size_t symptom, std::string_view line) const {
    auto const found = excluded_.find(symptom);
    return found != excluded_.end() && std::ranges::any_of(found->second, [&](int expression) {
               return patterns_.matches(expression, line);
           });
}

void Recogniser::record(std::size_t symptom, std::string_view line, std::uint64_t number,
                        PatternMatch const& match) {
    auto const [found, is_new] = places_.emplace(symptom, Place{text_.messages.size()});
    auto& place = found->second;
    if (is_new) {
        auto const& known = all_symptoms()[symptom];
        text_.messages.push_back({.shown = {.id = known.id,
                                            .component = known.component,
                                            .role = known.role,
                                            .says = known.says,
                                            .text = shown_line(line)},
                                  .causes = known.causes});
        place.width = match.end - match.begin;
    }
    auto& message = text_.messages[place.message];
    auto& lines = message.shown.lines;
    if (lines.empty() || lines.back() != number) lines.push_back(number);
    for (auto const& [group, value] : match.said) {
        auto& values = message.said[group];
        auto text = harmless(value, most_said_bytes);
        message.shown.said.emplace(group, text);
        if (values.size() < most_values && std::ranges::count(values, text) == 0)
            values.push_back(std::move(text));
    }
}

bool Recogniser::recognise(std::vector<int> const& candidates, std::string_view line,
                           std::uint64_t number, std::size_t seam) {
    bool known = false;
    for (auto const candidate : candidates) {
        auto const& entry = entries_[static_cast<std::size_t>(candidate)];
        if (entry.kind == Kind::line && !text_.matched.contains(entry.text) &&
            patterns_.matches(candidate, line))
            text_.matched.emplace(entry.text, shown_line(line));
        if (entry.kind != Kind::symptom) continue;
        auto const place = places_.find(entry.symptom);
        bool const counted = place != places_.end() &&
                             text_.messages[place->second.message].shown.lines.size() >= most_lines;
        // One that was seen often enough still tells that its line is known, if anybody asks.
        if (counted && (known || text_.unknown.size() >= most_unknown)) continue;
        // Groups cost most of a search, and are wanted of few lines.
        bool const matches = counted && seam == 0 ? patterns_.matches(candidate, line)
                                                  : patterns_.match(candidate, line, match_);
        if (!matches || is_excluded(entry.symptom, line)) continue;
        if (seam > 0 && (match_.begin >= seam || match_.end <= seam)) continue;
        known = true;
        if (!counted) record(entry.symptom, line, number, match_);
    }
    return known;
}

/// A terminal that wrapped a line left a blank at the end of it or none.
bool Recogniser::recognise_wrapped(std::string_view line, std::uint64_t number) {
    if (before_.empty()) return false;
    for (std::string_view const between : {"", " "}) {
        joined_.assign(before_).append(between).append(line);
        if (recognise(patterns_.candidates(joined_), joined_, number - 1, before_.size()))
            return true;
    }
    return false;
}

bool Recogniser::speaks_of(Kind wanted, std::vector<int> const& candidates,
                           std::string_view line) const {
    bool speaks = false;
    for (auto const candidate : candidates) {
        auto const kind = entries_[static_cast<std::size_t>(candidate)].kind;
        bool const asked = kind == wanted || kind == Kind::no_error;
        if (!asked || !patterns_.matches(candidate, line)) continue;
        if (kind == Kind::no_error) return false;
        speaks = true;
    }
    return speaks && kernel_.match(line) == nullptr;
}

bool Recogniser::is_of_driver(std::string_view line) const {
    auto const* const kind = kernel_.match(line);
    return kind != nullptr && kind->of == MessageOf::driver;
}

void Recogniser::add(std::string_view line, std::uint64_t number) {
    text_.lines = number;
    auto const& candidates = patterns_.candidates(line);
    bool known = recognise(candidates, line, number, 0);
    bool const speaks =
        !known && text_.unknown.size() < most_unknown && speaks_of(Kind::error, candidates, line);
    if (!known && number <= most_wrapped_lines && recognise_wrapped(line, number)) {
        known = true;
        auto& unknown = text_.unknown;
        if (!unknown.empty() && unknown.back().line == number - 1) unknown.pop_back();
    }
    if (!known && speaks) text_.unknown.push_back({number, shown_line(line)});
    else if (!known && number <= few_lines && speaks_of(Kind::trouble, candidates, line))
        trouble_.push_back({number, shown_line(line)});
    bool const may_go_on =
        (line.size() >= least_wrapped_bytes || is_question(line)) && number <= most_wrapped_lines;
    before_.assign(may_go_on ? line : std::string_view());
}

RecognisedText Recogniser::take() {
    using Key = std::tuple<std::uint64_t, std::int64_t, std::size_t>;
    std::vector<std::pair<Key, SeenMessage*>> order;
    for (auto const& [symptom, place] : places_) {
        auto& message = text_.messages[place.message];
        // Of messages in one line the one that says more of it leads.
        auto const width = static_cast<std::int64_t>(place.width);
        order.emplace_back(Key{message.shown.lines.front(), -width, symptom}, &message);
    }
    std::ranges::sort(order);
    std::vector<SeenMessage> messages;
    for (auto& [key, message] : order) messages.push_back(std::move(*message));
    text_.messages = std::move(messages);
    places_.clear();
    if (text_.lines <= few_lines && text_.messages.empty() && text_.unknown.empty())
        text_.unknown = std::move(trouble_);
    trouble_.clear();
    return std::exchange(text_, {});
}

}  // namespace rocmtune
