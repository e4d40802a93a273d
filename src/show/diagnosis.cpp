// SPDX-License-Identifier: MIT
// What diagnose found: the answer, what to do, and what else it could have been.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

using Lines = std::vector<Line>;

/// "line 3", "lines 3, 9 and more".
std::string place_text(std::vector<std::uint64_t> const& lines) {
    constexpr std::size_t shown = 3;
    if (lines.empty()) return {};
    auto const some = std::min(lines.size(), shown);
    return fmt::format(
        "line{} {}{}", lines.size() == 1 ? "" : "s",
        fmt::join(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(some), ", "),
        lines.size() > some ? " and more" : "");
}

std::string label_of(SymptomRole role) {
    return role == SymptomRole::consequence ? "follows" : std::string(word_of(role));
}

std::string label_of(CauseVerdict verdict) {
    switch (verdict) {
        case CauseVerdict::here: return "here";
        case CauseVerdict::cannot_tell: return "cannot tell";
        case CauseVerdict::not_here: return "not here";
    }
    return {};
}

void add_symptom(ShownSymptom const& symptom, Printer const& out, Lines& lines) {
    auto const place = place_text(symptom.lines);
    lines.push_back(
        {label_of(symptom.role), fmt::format("{} ({}, {}{}{})", symptom.says, symptom.id,
                                             symptom.component, place.empty() ? "" : ", ", place)});
    lines.push_back({"", symptom.text, Emphasis::quiet});
    if (!out.is_verbose()) return;
    for (auto const& [group, value] : symptom.said)
        lines.push_back({"", group + " = " + value, Emphasis::quiet});
}

void show_symptoms(Diagnosis const& diagnosis, Printer& out) {
    constexpr std::size_t shown = 5;
    Lines lines;
    std::size_t count = 0;
    for (auto const& symptom : diagnosis.symptoms)
        if (out.is_verbose() || ++count <= shown) add_symptom(symptom, out, lines);
    if (count > shown)
        lines.push_back({"", fmt::format("and {} (-v)", counted(count - shown, "more message"))});
    out.section("messages", "Messages");
    out.lines(lines, usual_label_width);
}

std::string about(Cause const& cause) {
    return cause.subject == "host" || cause.subject.empty() ? "" : cause.subject + ": ";
}

void add_cause(Cause const& cause, Printer const& out, Lines& lines) {
    bool const here = cause.verdict == CauseVerdict::here;
    lines.push_back({label_of(cause.verdict),
                     fmt::format("{} {}{}", cause.id, about(cause), cause.message),
                     here ? Emphasis::notable : Emphasis::none});
    if (!cause.tells.empty()) lines.push_back({"", "what would tell: " + cause.tells});
    if (here || out.is_verbose())
        for (auto const& one : cause.evidence)
            lines.push_back({"", one.source + " = " + one.value, Emphasis::quiet});
    bool const refuted = cause.verdict == CauseVerdict::not_here;
    if (!cause.next_step.empty() && !refuted)
        lines.push_back({"", (here ? "do: " : "if so: ") + cause.next_step,
                         here ? Emphasis::none : Emphasis::quiet});
    if (!out.is_verbose()) return;
    for (auto const& source : cause.sources)
        lines.push_back(
            {"", source_text(source) + (source.url ? ' ' + *source.url : ""), Emphasis::quiet});
}

/// Of causes that are not so the ids say enough, of many that cannot be told the first.
void show_causes(Diagnosis const& diagnosis, Printer& out) {
    constexpr std::size_t most_open = 5;
    Lines lines;
    std::size_t open = 0;
    std::vector<std::string> refuted;
    for (auto const& cause : diagnosis.causes) {
        bool const is_open = cause.verdict == CauseVerdict::cannot_tell && ++open > most_open;
        bool const is_refuted = cause.verdict == CauseVerdict::not_here;
        if (is_refuted && std::ranges::count(refuted, cause.id) == 0) refuted.push_back(cause.id);
        if (out.is_verbose() || (!is_open && !is_refuted)) add_cause(cause, out, lines);
    }
    if (!out.is_verbose()) {
        if (open > most_open)
            lines.push_back({"", fmt::format("and {} that cannot be told (-v)", open - most_open)});
        if (!refuted.empty())
            lines.push_back({label_of(CauseVerdict::not_here), joined(refuted) + " (-v)"});
    }
    out.section("causes", "Causes");
    out.lines(lines, usual_label_width);
}

void show_unknown(Diagnosis const& diagnosis, Printer& out) {
    bool const asked = diagnosis.answer == DiagnosisAnswer::not_known || out.is_verbose();
    if (!asked) return;
    Lines lines;
    for (auto const& [number, text] : diagnosis.unknown)
        lines.push_back({fmt::format("line {}", number), text, Emphasis::quiet});
    out.section("unknown", "Not known");
    out.lines(lines, usual_label_width);
}

std::string text_of(GpuActivity const& gpu) {
    auto const percent = [](std::optional<std::uint64_t> value) {
        return value ? fmt::format("{} %", *value) : std::string("not known");
    };
    auto const bytes = [](std::optional<std::uint64_t> value) {
        return value ? human_bytes(*value) : std::string("not known");
    };
    return fmt::format(
        "load at most {}, at the end {}; memory in use at the start {}, at most {}, "
        "at the end {}",
        percent(gpu.busy_most_percent), percent(gpu.busy_end_percent), bytes(gpu.vram_start_bytes),
        bytes(gpu.vram_most_bytes), bytes(gpu.vram_end_bytes));
}

std::string held_text(GpuActivity const& gpu) {
    return gpu.held ? "; the command held it" : "; the command was not seen to hold it";
}

/// What only a flight record has.
std::string recorded_text(GpuActivity const& gpu) {
    std::string text;
    if (gpu.power_most_watts) text += fmt::format("; at most {:.0f} W", *gpu.power_most_watts);
    if (gpu.temperature_most_celsius)
        text += fmt::format("; at most {:.0f} C", *gpu.temperature_most_celsius);
    if (!gpu.throttle_reasons.empty()) text += "; held down by " + joined(gpu.throttle_reasons);
    return text;
}

void show_activity(Diagnosis const& diagnosis, Printer& out) {
    if (diagnosis.gpu_activity.empty()) return;
    Lines lines;
    auto const& recorded = diagnosis.flight_seconds;
    for (auto const& gpu : diagnosis.gpu_activity)
        lines.push_back(
            {gpu.pci_address, text_of(gpu) + (recorded ? recorded_text(gpu) : held_text(gpu))});
    constexpr std::size_t address_width = 12;
    out.section("gpus", recorded ? fmt::format("GPUs in the {:.0f} s of the record", *recorded)
                                 : std::string("GPUs while it ran"));
    out.lines(lines, address_width);
}

/// What can still be done where no cause was found.
void show_next(Diagnosis const& diagnosis, Printer& out) {
    Lines lines;
    if (!diagnosis.ruled_out.empty())
        lines.push_back({"ruled out", joined(diagnosis.ruled_out) +
                                          ": the checks of these themes find nothing wrong here"});
    bool const open = diagnosis.answer == DiagnosisAnswer::not_known ||
                      diagnosis.answer == DiagnosisAnswer::cannot_tell ||
                      diagnosis.answer == DiagnosisAnswer::refuted;
    if (open)
        lines.push_back({"next",
                         "rocmtune probe --bug-report bug.tar.gz records this host and prints a "
                         "text for a report to its maintainers; rocmtune check judges it as a "
                         "whole"});
    out.section("next", "Next");
    out.lines(lines, usual_label_width);
}

}  // namespace

void show_diagnosis_parts(Diagnosis const& diagnosis, Printer& out) {
    show_symptoms(diagnosis, out);
    show_causes(diagnosis, out);
    show_activity(diagnosis, out);
    show_unknown(diagnosis, out);
    show_next(diagnosis, out);
}

void show_diagnosis(Report const& report, Printer& out) {
    out.title("rocmtune diagnose", report.diagnosis->summary);
    show_diagnosis_parts(*report.diagnosis, out);
    for (auto const& error : report.errors)
        out.paragraph("not known: " + error.message, Emphasis::notable);
}

}  // namespace rocmtune
