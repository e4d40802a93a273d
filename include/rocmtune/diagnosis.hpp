// SPDX-License-Identifier: MIT
// Diagnosis: which errors a text shows, what each can come from, and which of that is so here.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/finding.hpp"

namespace rocmtune {

/// What a message is in the story of a log.
enum class SymptomRole : std::uint8_t {
    error,        ///< something went wrong
    consequence,  ///< follows from another error; leads only where there is none
    note,         ///< harmless or context
};

/// Whether a cause is so on this host.
enum class CauseVerdict : std::uint8_t { here, cannot_tell, not_here };

/// What a diagnosis came to.
enum class DiagnosisAnswer : std::uint8_t {
    cause_here,   ///< a cause was found on this host
    cannot_tell,  ///< the error is known; which of its causes it is cannot be told here
    refuted,      ///< the error is known, and none of its known causes is so here
    not_known,    ///< the text shows an error that is not known
    no_error,     ///< nothing in the text is an error
};

inline constexpr std::array<std::string_view, 3> symptom_role_words{"error", "consequence", "note"};
inline constexpr std::array<std::string_view, 3> cause_verdict_words{"here", "cannot-tell",
                                                                     "not-here"};
inline constexpr std::array<std::string_view, 5> diagnosis_answer_words{
    "cause-here", "cannot-tell", "refuted", "not-known", "no-error"};

constexpr std::span<std::string_view const> words_of(SymptomRole) {
    return symptom_role_words;
}
constexpr std::span<std::string_view const> words_of(CauseVerdict) {
    return cause_verdict_words;
}
constexpr std::span<std::string_view const> words_of(DiagnosisAnswer) {
    return diagnosis_answer_words;
}

/// A message that was recognised.
struct ShownSymptom {
    std::string id = {};         ///< "RT8201"
    std::string component = {};  ///< who prints it
    SymptomRole role = SymptomRole::error;
    std::string says = {};                         ///< one sentence
    std::vector<std::uint64_t> lines = {};         ///< its first lines, from 1
    std::string text = {};                         ///< the first of them, cleaned and shortened
    std::map<std::string, std::string> said = {};  ///< what it names: gfx, library, path, ...
};

template <SameEntity<ShownSymptom> Self, class Visitor>
void visit_fields(Self& symptom, Visitor&& v) {
    v(Field{"id", "class of the message (RT8201)"}, symptom.id);
    v(Field{"component", "who prints it"}, symptom.component);
    v(Field{"role", "error, consequence of another error, or note"}, symptom.role);
    v(Field{"says", "what it means, in one sentence"}, symptom.says);
    v(Field{"lines", "the first lines that have it, from 1"}, symptom.lines);
    v(Field{"text", "the first of these lines, shortened"}, symptom.text);
    v(Field{"said", "what the message names: gfx, library, path, version, ..."}, symptom.said);
}

/// What an error can come from.
struct Cause {
    std::string id = {};  ///< of a finding or an advisory
    CauseVerdict verdict = CauseVerdict::cannot_tell;
    std::uint64_t rank = 0;    ///< from 1, the most probable first
    std::string subject = {};  ///< a PCI address, with /PARTITION where there are some, or "host"
    std::string message = {};
    std::vector<Evidence> evidence = {};
    std::string tells = {};  ///< what would tell; empty where it is told
    std::string next_step = {};
    std::vector<std::string> symptoms = {};  ///< that it can explain
    std::vector<Reference> sources = {};
};

template <SameEntity<Cause> Self, class Visitor>
void visit_fields(Self& cause, Visitor&& v) {
    v(Field{"id", "finding or advisory that it is"}, cause.id);
    v(Field{"verdict", "whether it is so here"}, cause.verdict);
    v(Field{"rank", "place among the causes, from 1"}, cause.rank);
    v(Field{"subject", "PCI address, with /PARTITION where there are some, or host"},
      cause.subject);
    v(Field{"message", "what is wrong, in one sentence"}, cause.message);
    v(Field{"evidence", "what the verdict rests on: who said what"}, cause.evidence);
    v(Field{"tells", "what would tell, where it cannot be told here"}, cause.tells);
    v(Field{"next_step", "what to do about it"}, cause.next_step);
    v(Field{"symptoms", "messages of the text that it explains"}, cause.symptoms);
    v(Field{"sources", "texts that say what it means"}, cause.sources);
}

/// A line that speaks of an error and is not known.
struct UnknownLine {
    std::uint64_t line = 0;  ///< from 1
    std::string text = {};
};

template <SameEntity<UnknownLine> Self, class Visitor>
void visit_fields(Self& unknown, Visitor&& v) {
    v(Field{"line", "line of the text, from 1"}, unknown.line);
    v(Field{"text", "what stands there, shortened"}, unknown.text);
}

/// What one GPU did while a command ran, by looks twice a second, or in the time of a flight
/// record; what happens in between is not seen.
struct GpuActivity {
    std::string pci_address = {};
    std::optional<std::uint64_t> busy_most_percent = {};
    std::optional<std::uint64_t> busy_end_percent = {};  ///< at the last look
    std::optional<std::uint64_t> vram_start_bytes = {};  ///< in use, by whomever
    std::optional<std::uint64_t> vram_most_bytes = {};
    std::optional<std::uint64_t> vram_end_bytes = {};
    std::optional<double> power_most_watts = {};          ///< of a flight record, as what follows
    std::optional<double> temperature_most_celsius = {};  ///< of the sensor nearest to its limit
    std::vector<std::string> throttle_reasons = {};
    bool held = false;  ///< a process of the command had it open or held memory there
};

template <SameEntity<GpuActivity> Self, class Visitor>
void visit_fields(Self& gpu, Visitor&& v) {
    v(Field{"pci_address", "PCI address of the GPU"}, gpu.pci_address);
    v(Field{"busy_most_percent", "highest load that was seen"}, gpu.busy_most_percent);
    v(Field{"busy_end_percent", "load at the last look"}, gpu.busy_end_percent);
    v(Field{"vram_start_bytes", "device memory in use at the start"}, gpu.vram_start_bytes);
    v(Field{"vram_most_bytes", "most of it that was seen in use"}, gpu.vram_most_bytes);
    v(Field{"vram_end_bytes", "device memory in use at the last look"}, gpu.vram_end_bytes);
    v(Field{"power_most_watts", "highest power that a flight record has"}, gpu.power_most_watts);
    v(Field{"temperature_most_celsius", "likewise, of the sensor nearest to its limit"},
      gpu.temperature_most_celsius);
    v(Field{"throttle_reasons", "limits that held its clock down, of a flight record"},
      gpu.throttle_reasons);
    v(Field{"held", "whether a process of the command held the GPU"}, gpu.held);
}

struct Diagnosis {
    DiagnosisAnswer answer = DiagnosisAnswer::no_error;
    std::string summary = {};                    ///< the answer in one sentence
    std::uint64_t lines = 0;                     ///< of the text
    std::vector<ShownSymptom> symptoms = {};     ///< the first cause's first
    std::vector<Cause> causes = {};              ///< by rank
    std::vector<UnknownLine> unknown = {};       ///< the first of them
    std::vector<std::string> ruled_out = {};     ///< themes of checks that found nothing wrong
    std::vector<GpuActivity> gpu_activity = {};  ///< while a command ran; empty without one
    /// The time that the looks of a flight record cover; absent: the text is none.
    std::optional<double> flight_seconds = {};
};

template <SameEntity<Diagnosis> Self, class Visitor>
void visit_fields(Self& diagnosis, Visitor&& v) {
    v(Field{"answer", "what it came to"}, diagnosis.answer);
    v(Field{"summary", "the answer in one sentence"}, diagnosis.summary);
    v(Field{"lines", "lines of the text"}, diagnosis.lines);
    v(Field{"symptoms", "messages that were recognised, in the order in which they lead"},
      diagnosis.symptoms);
    v(Field{"causes", "what they can come from, by rank"}, diagnosis.causes);
    v(Field{"unknown", "lines that speak of an error and are not known"}, diagnosis.unknown);
    v(Field{"ruled_out", "themes of checks that found nothing wrong on this host"},
      diagnosis.ruled_out);
    v(Field{"gpu_activity",
            "what each GPU did while a command ran, by looks twice a second, or in "
            "the time of a flight record"},
      diagnosis.gpu_activity);
    v(Field{"flight_seconds",
            "time that the looks of a flight record cover; null: the text is none"},
      diagnosis.flight_seconds);
}

}  // namespace rocmtune
