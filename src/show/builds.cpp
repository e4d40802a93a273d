// SPDX-License-Identifier: MIT
// Which builds there are, and how they are installed.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

/// More of them stand in the verbose view and in JSON.
constexpr std::size_t shown_builds = 3;
constexpr std::size_t builds_label_width = 7;

std::string verdict_of(Build const& it) {
    if (it.answer == BuildAnswer::none) return "none";
    if (it.answer == BuildAnswer::not_recorded) return "not recorded";
    if (it.answer == BuildAnswer::source) return "to be built";
    if (!it.command && it.runs_here == false) return "does not run here";
    if (!it.command) return "not proposed";
    if (it.answer == BuildAnswer::override_) return "with an override";
    if (it.runs_here == true) return "runs here";
    return it.reason.empty() ? "has code" : "may run here";
}

std::string name_of(Build const& it) {
    auto text = it.framework;
    if (it.version) text += ' ' + *it.version;
    if (it.rocm) text += fmt::format(", ROCm {}", *it.rocm);
    return text;
}

/// Breaks a line of shell between its words, so that it can still be pasted.
std::string folded(std::string_view line, std::size_t width) {
    std::string out;
    std::size_t column = 0;
    bool quoted = false;
    std::string word;
    auto const put = [&] {
        bool const breaks = column > 0 && column + word.size() + 3 > width;
        out += breaks ? " \\\n    " : column > 0 ? " " : "";
        column = breaks ? 4 + word.size() : column + word.size() + 1;
        out += word;
        word.clear();
    };
    for (auto const c : line) {
        if (c == '"') quoted = !quoted;
        if (c == ' ' && !quoted) put();
        else word += c;
    }
    put();
    return out;
}

/// Lines of a shell on a screen; a section of uv is what it is.
std::string command_text(Build const& it, Printer const& out) {
    auto const& command = *it.command;
    if (it.installer == "uv" || !out.is_text()) return command;
    std::string text;
    for (auto const line : lines(command)) text += folded(line, out.style().width - 5) + '\n';
    return text;
}

std::string source_line(Reference const& source) {
    return source.url ? fmt::format("{} {}", source_text(source), *source.url)
                      : source_text(source);
}

void show_build(Build const& it, Printer& out) {
    bool const is_build = it.version.has_value();
    auto title = fmt::format("{}: {}", name_of(it), verdict_of(it));
    if (is_build)
        title += fmt::format(" ({}, {}{})", it.channel.value_or("?"), it.status.value_or("?"),
                             it.seen ? ", seen " + *it.seen : std::string());
    out.paragraph(title, it.command ? Emphasis::heading : Emphasis::none);
    if (it.command) out.code(command_text(it, out));
    std::vector<Line> foot;
    if (!it.reason.empty()) foot.push_back({it.command ? "" : "why", it.reason});
    for (auto const& one : it.breaks) foot.push_back({"breaks", one, Emphasis::notable});
    for (auto const& one : it.notes) foot.push_back({"note", one});
    if (out.is_verbose() && it.targets)
        foot.push_back({"targets", fmt::format("{}", fmt::join(*it.targets, " "))});
    if (out.is_verbose() && it.python)
        foot.push_back({"Python", fmt::format("{}", fmt::join(*it.python, " "))});
    std::size_t const most = out.is_verbose() ? it.sources.size() : 1;
    for (std::size_t i = 0; i < std::min(most, it.sources.size()); ++i)
        foot.push_back({"source", source_line(it.sources[i])});
    if (!foot.empty() && foot.front().label.empty()) foot.front().label = "here";
    out.lines(foot, builds_label_width);
}

/// Those that can be installed, at most a few, and what says why others cannot.
void show_framework(std::vector<Build> const& all, std::string const& framework, Printer& out) {
    std::size_t shown = 0, left = 0;
    bool const has_command = std::ranges::any_of(
        all, [&](Build const& it) { return it.framework == framework && it.command.has_value(); });
    for (auto const& it : all) {
        if (it.framework != framework) continue;
        bool const is_better = it.command || !has_command || it.answer != BuildAnswer::build;
        if (out.is_verbose() || (is_better && shown < shown_builds)) show_build(it, out), ++shown;
        else ++left;
    }
    if (left > 0)
        out.paragraph(fmt::format("{} more of {} for the same targets: -v", counted(left, "build"),
                                  framework),
                      Emphasis::quiet);
}

/// The first answer of each framework.
void show_table(BuildsView const& view, Printer& out) {
    Rows rows;
    std::string last;
    for (auto const& it : view.builds) {
        if (it.framework == last) continue;
        last = it.framework;
        rows.push_back({it.framework, verdict_of(it), it.version.value_or(""), it.rocm.value_or(""),
                        it.channel.value_or(it.reason), it.seen.value_or("")});
    }
    out.table({.columns = {{"framework"},
                           {"answer"},
                           {"version", false, false, true},
                           {"ROCm", false, true},
                           {"from, or why", false, false, true},
                           {"seen", false, true}},
               .rows = std::move(rows)});
}

void show_frameworks(BuildsView const& view, Printer& out) {
    std::string last;
    for (auto const& it : view.builds) {
        if (it.framework == last) continue;
        last = it.framework;
        show_framework(view.builds, last, out);
    }
}

}  // namespace

void show_builds(Report const& report, Printer& out) {
    auto const& view = *report.builds;
    out.title("rocmtune builds", fmt::format("{} (builds as of {})", view.about, view.data_date));
    if (!view.target_values.empty()) {
        Rows rows;
        for (auto const& it : view.target_values) rows.push_back({it.consumer, it.value});
        out.table({.columns = {{"for"}, {"targets"}}, .rows = std::move(rows)});
    }
    if (!view.chosen) show_table(view, out);
    if (!view.chosen && !out.is_verbose())
        return out.paragraph("The commands: rocmtune builds FRAMEWORK, or -v", Emphasis::quiet);
    show_frameworks(view, out);
}

void show_builds_parts(BuildsView const& view, Printer& out) {
    if (view.builds.empty()) return;
    out.section("builds", "Builds that have code for these GPUs");
    show_table(view, out);
    if (!out.is_text()) show_frameworks(view, out);
}

}  // namespace rocmtune
