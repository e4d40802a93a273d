// SPDX-License-Identifier: MIT
// What two reports say differently.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

std::string value_text(PlainValue const& value) {
    struct {
        std::string operator()(std::monostate) const { return "-"; }
        std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
        std::string operator()(std::string const& text) const {
            return text.empty() ? "(empty)" : text;
        }
        std::string operator()(double number) const { return fmt::format("{:.6g}", number); }
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(std::uint64_t number) const { return fmt::format("{}", number); }
    } const print;
    return std::visit(print, value);
}

std::string side_text(Difference const& it, bool is_a) {
    auto const* const unknown = is_a ? "unknown-a" : "unknown-b";
    if (it.change == unknown) return "not known";
    return value_text(is_a ? it.a : it.b);
}

bool is_passing(Difference const& it) {
    return it.kind == "state" || it.kind == "identity";
}

/// GPUs with the same difference share a line, and so do the parts of a fact that one report does
/// not know at all.
struct DifferenceGroup {
    Difference const* difference = nullptr;
    std::string fact = {};
    std::vector<std::string> subjects = {};
    std::set<std::string> parts = {};
};

bool is_unknown(Difference const& it) {
    return it.change.starts_with("unknown");
}

/// "frameworks" of "frameworks[torch].version", if the fact as a whole is unknown.
std::string shown_fact(Difference const& it) {
    return is_unknown(it) ? it.fact.substr(0, it.fact.find_first_of(".[")) : it.fact;
}

std::string shown_side(Difference const& it, bool is_a) {
    bool const is_part = shown_fact(it) != it.fact;
    if (!is_part || it.change == (is_a ? "unknown-a" : "unknown-b")) return side_text(it, is_a);
    return "known";
}

std::vector<DifferenceGroup> lines_of(ReportComparison const& it, bool passing) {
    std::vector<DifferenceGroup> lines;
    std::map<std::array<std::string, 4>, std::size_t> known;
    for (auto const& difference : it.differences) {
        if (is_passing(difference) != passing) continue;
        std::array<std::string, 4> const key{shown_fact(difference), shown_side(difference, true),
                                             shown_side(difference, false),
                                             difference.subject == "host" ? "host" : "gpu"};
        auto const [found, is_new] = known.emplace(key, lines.size());
        if (is_new) lines.push_back({.difference = &difference, .fact = key[0]});
        auto& line = lines[found->second];
        if (line.subjects.empty() || line.subjects.back() != difference.subject)
            line.subjects.push_back(difference.subject);
        line.parts.insert(difference.fact);
    }
    return lines;
}

std::size_t pairs_in(ReportComparison const& it) {
    return static_cast<std::size_t>(
        std::ranges::count_if(it.gpus, [](GpuPair const& pair) { return pair.a && pair.b; }));
}

/// "0000:05:00.0", "all 8 GPUs", "3 of 8 GPUs".
std::string who(DifferenceGroup const& line, ReportComparison const& it) {
    if (line.subjects.size() == 1) return line.subjects.front();
    auto const all = pairs_in(it);
    return line.subjects.size() == all ? fmt::format("all {} GPUs", all)
                                       : fmt::format("{} of {} GPUs", line.subjects.size(), all);
}

/// By kind, and within a kind in the order of the facts.
Rows difference_rows(ReportComparison const& it, bool passing) {
    std::map<std::string, Rows> by_kind;
    for (auto const& line : lines_of(it, passing)) {
        auto const& difference = *line.difference;
        by_kind[difference.kind].push_back(
            {difference.kind,
             line.parts.size() > 1 ? fmt::format("{} ({} parts)", line.fact, line.parts.size())
                                   : line.fact,
             shown_side(difference, true), shown_side(difference, false), who(line, it)});
    }
    Rows rows;
    for (auto& [kind, some] : by_kind) std::ranges::move(some, std::back_inserter(rows));
    return rows;
}

std::string percent(std::optional<double> const& ratio) {
    return ratio ? signed_percent(*ratio) : "-";
}

std::string number(std::optional<double> const& value) {
    return value ? figure_text(*value) : "-";
}

std::string interval(ComparedMeasurement const& one) {
    if (!one.low || !one.high) return "-";
    return fmt::format("{} to {}", percent(one.low), percent(one.high));
}

std::vector<std::string> measurement_row(ComparedMeasurement const& one) {
    auto notes = one.differs;
    notes.insert(notes.end(), one.labels.begin(), one.labels.end());
    return {std::string(word_of(one.change)),
            one.benchmark + ' ' + one.metric,
            one.device,
            number(one.a),
            number(one.b),
            one.unit,
            percent(one.effect),
            interval(one),
            one.how,
            joined(notes, "; ")};
}

/// What changed first; what stayed the same is counted unless all is wanted.
Rows measurement_rows(ReportComparison const& it, bool all) {
    Rows rows;
    for (std::size_t change = 0; change < measured_change_words.size(); ++change)
        for (auto const& one : it.measurements)
            if (static_cast<std::size_t>(one.change) == change &&
                (all || one.change != MeasuredChange::same))
                rows.push_back(measurement_row(one));
    return rows;
}

Rows finding_rows(ReportComparison const& it) {
    Rows rows;
    for (auto const& change : it.findings)
        rows.push_back({change.id, change.subject, change.verdict_a.value_or("-"),
                        change.verdict_b.value_or("-"), change.message});
    return rows;
}

std::string title_of(ComparedReport const& it) {
    auto text = it.hostname.value_or("no host") + ", " + counted(it.gpus, "GPU");
    if (it.measurements > 0) text += fmt::format(", {} measurements", it.measurements);
    return text + fmt::format(" ({} by {} of rocmtune {})", it.file,
                              it.command.empty() ? "no command" : it.command,
                              it.tool_version.empty() ? "?" : it.tool_version);
}

std::string gpus_only(ReportComparison const& it, bool in_a) {
    std::vector<std::string> names;
    for (auto const& pair : it.gpus)
        if ((in_a ? pair.b : pair.a) == std::nullopt) names.push_back(in_a ? *pair.a : *pair.b);
    return joined(names);
}

std::string matched_text(ReportComparison const& it) {
    std::map<std::string, int> by;
    for (auto const& pair : it.gpus)
        if (pair.a && pair.b) ++by[pair.matched_by];
    std::vector<std::string> parts;
    for (auto const& [word, count] : by) parts.push_back(fmt::format("{} by {}", count, word));
    return joined(parts);
}

/// "42 of 830 facts differ"; what is open is said, too.
std::string counts_of(ReportComparison const& it) {
    auto const unknown = std::ranges::count_if(
        it.differences, [](Difference const& one) { return !is_passing(one) && is_unknown(one); });
    auto text = fmt::format("{} of {} facts are equal", it.equal, it.facts);
    if (unknown > 0) text += fmt::format("; {} are known to one report only", unknown);
    if (auto const passing = std::ranges::count_if(it.differences, is_passing); passing > 0)
        text +=
            fmt::format("; {} differences of a moment or of identity are left out (-v)", passing);
    return text;
}

std::string measured_counts(ReportComparison const& it) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < measured_change_words.size(); ++i)
        if (auto const count = std::ranges::count(it.measurements, static_cast<MeasuredChange>(i),
                                                  &ComparedMeasurement::change);
            count > 0)
            parts.push_back(fmt::format("{} {}", count, measured_change_words[i]));
    return parts.empty() ? std::string()
                         : fmt::format("{} (margin {:.3g} %)", joined(parts), 100 * it.margin);
}

std::string only_counts(ReportComparison const& it) {
    std::vector<std::string> parts;
    for (auto const& [side, names] :
         {std::pair('A', &it.measurements_only_a), std::pair('B', &it.measurements_only_b)})
        if (!names->empty())
            parts.push_back(fmt::format("{} only in {}: {}", names->size(), side, joined(*names)));
    return joined(parts, "; ");
}

/// Where the part of a path ends that fits into `room`: behind "[", "]." or a blank, before "/",
/// else behind a dot. The whole path if nothing of that stands there.
std::size_t end_of_part(std::string_view path, std::size_t room) {
    auto const fitting = path.substr(0, room);
    std::size_t end = 0;
    for (std::size_t i = 1; i < fitting.size(); ++i)
        if (fitting[i] == '/' || fitting[i - 1] == '[' || fitting[i - 1] == ' ' ||
            fitting.substr(0, i).ends_with("]."))
            end = i;
    if (end == 0) end = fitting.find_last_of('.') + 1;
    return end == 0 ? path.size() : end;
}

/// A path on as many lines as it needs, for what tells two paths apart may stand anywhere in them:
/// "ras_blocks[umc].", "  correctable".
std::vector<std::string> path_lines(std::string_view path, std::size_t width) {
    constexpr std::string_view indent = "  ";
    constexpr std::size_t most_lines = 4;
    std::vector<std::string> lines;
    do {
        auto const room = lines.empty() ? width : width - indent.size();
        bool const is_last = display_width(path) <= room || lines.size() + 1 == most_lines;
        auto const part = path.substr(0, is_last ? path.npos : end_of_part(path, room));
        lines.push_back((lines.empty() ? "" : std::string(indent)) + shorten(part, room));
        path.remove_prefix(part.size());
    } while (!path.empty());
    return lines;
}

/// Both values get half of what the other columns leave on a screen.
void fit_differences(Table& table, TextStyle const& style) {
    constexpr std::size_t widest_subject = 16;
    std::size_t others = 2;
    for (std::size_t const column : {0U, 4U}) {
        std::size_t widest = 8;
        for (auto const& row : table.rows) widest = std::max(widest, display_width(row[column]));
        others += std::min(widest, widest_subject) + 2;
    }
    auto const left = style.width > others + 30 ? style.width - others : 30;
    table.columns[2].most = table.columns[3].most = left * 3 / 10 - 2;
    table.columns[4].most = widest_subject;
    Rows shown;
    for (auto& row : table.rows) {
        auto const path = path_lines(for_screen(row[1], style), left * 4 / 10);
        row[1] = path.at(0);
        shown.push_back(std::move(row));
        for (std::size_t i = 1; i < path.size(); ++i) shown.push_back({"", path[i], "", "", ""});
    }
    table.rows = std::move(shown);
}

void show_differences(ReportComparison const& it, bool passing, Printer& out) {
    Table table{.columns = {{"kind"}, {"fact"}, {"A"}, {"B"}, {"of"}},
                .rows = difference_rows(it, passing)};
    if (out.is_text()) fit_differences(table, out.style());
    out.table(std::move(table));
}

/// Lists of names would fill the screen; the JSON document has all.
std::string bounded(std::string const& text, Printer const& out) {
    constexpr std::size_t most = 400;
    return text.size() <= most || !out.is_text() ? text : shorten(text, most);
}

}  // namespace

void show_comparison(Report const& report, Printer& out) {
    auto const& it = *report.comparison;
    constexpr std::size_t label_width = 12;
    out.title("rocmtune compare", "");
    out.lines({{"A", title_of(it.a)},
               {"B", title_of(it.b)},
               {"GPUs", matched_text(it)},
               {"only in A", gpus_only(it, true), Emphasis::notable},
               {"only in B", gpus_only(it, false), Emphasis::notable}},
              label_width);
    show_differences(it, false, out);
    if (out.is_verbose()) show_differences(it, true, out);
    // "0000:c3:00.0/12": the GPU is what a reader looks for.
    constexpr std::size_t widest_subject = 16;
    out.table({.columns = {{"finding"},
                           {.heading = "of", .most = widest_subject},
                           {"A"},
                           {"B"},
                           {"message", false, false, true}},
               .rows = finding_rows(it)});
    out.table({.columns = {{"change"},
                           {"measured", false, false, true},
                           {"on", false, false, true},
                           {"A", true},
                           {"B", true},
                           {"unit", false, false, true},
                           {"effect", true},
                           {"95 % interval", true, true},
                           {"how", false, true},
                           {"notes", false, true, true}},
               .rows = measurement_rows(it, out.is_verbose() || !out.is_text())});
    std::vector<Line> foot{
        {"facts", it.facts > 0 ? counts_of(it) : "the reports have no common facts"},
        {"measured", measured_counts(it)},
        {"", bounded(only_counts(it), out)}};
    for (auto const& note : it.notes) foot.push_back({"note", note});
    out.lines(foot, label_width);
}

}  // namespace rocmtune
