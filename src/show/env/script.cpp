// SPDX-License-Identifier: MIT
#include "show/env/script.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "base/host.hpp"
#include "base/text.hpp"
#include "build_info.hpp"
#include "judge/rules/advise.hpp"
#include "judge/rules/settings.hpp"
#include "show/printer.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t comment_width = 100;

std::string_view problem_of(std::string_view value, Carries carries) {
    if (value.find('\0') != value.npos) return "a NUL";
    if (carries != Carries::bytes && !is_utf8(value)) return "bytes that are no UTF-8";
    if (carries == Carries::one_line && !is_one_line(value)) return "a control character";
    return {};
}

void check_name(std::string const& name) {
    if (!is_variable_name(name))
        throw Error(fmt::format("'{}' is no name of a variable", printable(name)),
                    "names are made of letters, digits and underscores");
}

void check(Setting const& setting, std::string_view format, Carries carries) {
    check_name(setting.name);
    for (auto const& other : setting.unless_set) check_name(other);
    auto const problem = problem_of(setting.value.value_or(""), carries);
    if (problem.empty()) return;
    auto const hint =
        problem == "a NUL" ? "no environment can hold it" : "--format sh can carry it";
    throw Error(
        fmt::format("the value of {} has {}: {} cannot carry it", setting.name, problem, format),
        hint);
}

/// Lines of at most `width` columns, but for words that are longer: an address is not cut.
std::vector<std::string> filled(std::string_view text, std::size_t width) {
    std::vector<std::string> result(1);
    for (auto const word : words(text)) {
        auto const used = display_width(result.back());
        if (used > 0 && used + 1 + display_width(word) > width) result.emplace_back();
        result.back() += (result.back().empty() ? "" : " ") + std::string(word);
    }
    return result;
}

std::string gpus_text(Host const& host, std::vector<std::uint64_t> const& rows) {
    std::vector<std::string> names;
    for (auto const& gpu : host.gpus) {
        if (!is_among(rows, gpu)) continue;
        names.push_back(fmt::format("{} ({})", gpu.marketing_name.value_or("unnamed GPU"),
                                    gpu.gfx_target.value_or("unknown target")));
    }
    if (auto const why = why_gpus_are_unread(host))
        return fmt::format("GPUs could not be read ({})", *why);
    if (names.empty()) return "no AMD GPU";
    std::vector<std::string> parts;
    for (auto first = names.begin(); first != names.end();) {
        auto const last =
            std::find_if(first, names.end(), [&](auto const& name) { return name != *first; });
        parts.push_back(fmt::format("{} x {}", last - first, *first));
        first = last;
    }
    return joined(parts);
}

std::string sources_text(std::vector<Reference> const& sources) {
    constexpr std::size_t shown = 2;
    std::vector<std::string> parts;
    for (auto const& source : sources)
        if (parts.size() < shown)
            parts.push_back(source_text(source) + (source.url ? ", " + *source.url : ""));
    if (sources.size() > shown) parts.push_back(fmt::format("{} more", sources.size() - shown));
    return joined(parts, "; ");
}

/// The words before the command that won in a tuning; null without.
std::string const* won_launch(Report const& report) {
    if (!report.tuning || !report.tuning->winner) return nullptr;
    auto const& settings = report.tuning->winner->settings;
    auto const words = settings.find(std::string(launch_key));
    return words == settings.end() ? nullptr : &words->second;
}

/// What tune found where it is not a variable.
std::string found_by_tune(Report const& report) {
    if (auto const* words = won_launch(report))
        return "Measured here: start the program with " + *words;
    bool const is_known = report.tuning->answer == TuningAnswer::nothing;
    return (is_known ? "Measured here: " : "rocmtune tune has no answer: ") +
           report.tuning->reason + '.';
}

/// That the defaults stand is an answer only where every rule could be judged.
std::string why_nothing_is_set(Report const& report) {
    if (report.tuning) return found_by_tune(report);
    return !report.advice || is_decided(*report.advice)
               ? "The evidence supports no variable here: the defaults stand."
               : "No variable is set: some could not be decided, as the last lines say.";
}

/// ", for 0000:03:00.0 and 0000:43:00.0"; nothing for all GPUs.
std::string for_gpus(std::vector<std::string> const& gpus) {
    constexpr std::size_t shown = 4;
    if (gpus.empty()) return {};
    if (gpus.size() > shown)
        return fmt::format(", for {} and {} more GPUs", gpus.front(), gpus.size() - 1);
    auto const first = std::span(gpus).first(gpus.size() - 1);
    return fmt::format(", for {}{}{}", fmt::join(first, ", "), first.empty() ? "" : " and ",
                       gpus.back());
}

bool is_variable(Recommendation const& advice) {
    return advice.kind == "environment" || advice.kind == "allocator";
}

}  // namespace

bool is_one_line(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

Settings const& checked_settings(Report const& report, std::string_view format, Carries carries) {
    for (auto const& setting : report.settings->items) check(setting, format, carries);
    return *report.settings;
}

std::string comment(std::string_view text, std::string_view mark, std::string_view avoid) {
    auto clean = printable(text);
    for (auto& c : clean)
        if (avoid.find(c) != avoid.npos) c = '.';
    std::string result;
    for (auto const& line : filled(clean, comment_width - mark.size())) {
        result += std::string(mark) + line;
        // csh, Tcl and systemd would take the next line as part of this one.
        result += line.ends_with('\\') ? " .\n" : "\n";
    }
    return result;
}

std::string header(Report const& report, std::string_view use, std::string_view avoid) {
    auto const& settings = *report.settings;
    auto const say = [&](std::string const& text) { return comment(text, "# ", avoid); };
    auto text = say(fmt::format("rocmtune {} env, data of {}", tool_version, data_date()));
    text += say(fmt::format("host {}: {}", settings.fingerprint,
                            report.host ? gpus_text(*report.host, settings.rows) : ""));
    if (!settings.level.empty())
        text += say(fmt::format("level {}, workload {}, framework {}", settings.level,
                                settings.workload, settings.framework));
    text += say(std::string(use));
    if (settings.elsewhere)
        text += say("What is set in the environment of rocmtune does not count here.");
    if (settings.items.empty() || won_launch(report) != nullptr)
        text += say(why_nothing_is_set(report));
    return text;
}

std::string reason(Setting const& setting, std::string_view mark, std::string_view avoid) {
    auto const say = [&](std::string const& text) { return comment(text, mark, avoid); };
    auto text = say(fmt::format("{}: {}", setting.name, setting.why));
    if (!setting.sources.empty())
        text += say(fmt::format("Source: {} ({}).", sources_text(setting.sources),
                                validity_text(setting.validity)));
    if (!setting.unless_set.empty() && setting.value)
        text += say(fmt::format("Not together with {}.", fmt::join(setting.unless_set, " or ")));
    if (!setting.current) return text;
    if (setting.keep)
        return text +
               say(fmt::format("Kept: it is '{}' in this environment; --force overwrites it.",
                               *setting.current));
    return text + say(fmt::format("It is '{}' in this environment.", *setting.current));
}

std::string remarks(Report const& report, std::string_view avoid) {
    if (!report.advice) return {};
    std::string text;
    std::vector<std::string> defaults;
    auto const say = [&](std::string const& line) { text += comment(line, "# ", avoid); };
    for (auto const& advice : report.advice->recommendations)
        if (!is_variable(advice))
            say(fmt::format("Beside variables{}: {}: {} ({})", for_gpus(advice.gpus), advice.name,
                            advice.value, advice.why));
    NamesByReason considered;
    for (auto const& one : report.advice->considered) add_name(considered, one.why, one.name);
    for (auto const& [why, names] : considered)
        say(fmt::format("Considered: {}: {}", fmt::join(names, ", "), why));
    for (auto const& open : report.advice->undecided) {
        if (open.reason == "component-default") defaults.push_back(open.name);
        else say(fmt::format("Not decided: {}: {}", open.name, open.detail));
    }
    defaults.erase(std::unique(defaults.begin(), defaults.end()), defaults.end());
    if (!defaults.empty())
        say(fmt::format("Already the default of their readers, so not set: {}",
                        fmt::join(defaults, ", ")));
    return text;
}

std::string script(Report const& report, Dialect const& dialect, std::string_view opening,
                   std::string_view ending) {
    auto const& settings = checked_settings(report, dialect.format, dialect.carries);
    std::string const gap = dialect.is_airy ? "\n" : "";
    auto text =
        fmt::format("{}{}{}", dialect.first, header(report, dialect.use, dialect.avoid), opening);
    for (auto const& setting : settings.items)
        text += gap + reason(setting, "# ", dialect.avoid) + dialect.lines(setting, settings.force);
    auto const closing = remarks(report, dialect.avoid);
    return text.append(ending) + (closing.empty() ? "" : gap + closing);
}

}  // namespace rocmtune
