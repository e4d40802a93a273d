// SPDX-License-Identifier: MIT
// A report that was read back: facts under their paths, findings and measurements, whatever minor
// version wrote it. Strangers may have written it, too: it is checked and bounded here, and nobody
// behind this point has to.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_node.hpp"
#include "rocmtune/fact.hpp"
#include "rocmtune/measurement.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// Which part of a report a fact describes.
enum class FactScope : std::uint8_t { host, gpu };

/// A field that visit_fields lists, its shape settled by its type.
struct FactWord : FactField {
    std::size_t place;  ///< position in words_of_facts(scope)
};

/// Every field that visit_fields lists for this scope, in its order.
std::span<FactWord const> words_of_facts(FactScope scope);

/// The word's row, or null if there is no such fact.
FactWord const* find_fact_word(FactScope scope, std::string_view word);

/// The fact that a path begins with ("firmware" of "firmware.mec"), or null.
FactWord const* fact_of_path(FactScope scope, std::string_view path);

/// One value under its path: "vbios_version", "firmware.mec", "frameworks[torch].version". A limit
/// that the host does not set is the text "unlimited".
struct ReadFact {
    std::string path = {};
    PlainValue value = {};
};

/// The facts of a host or of a GPU, in the order of the document.
struct ReadFacts {
    std::vector<ReadFact> facts = {};
    std::vector<bool> known = {};  ///< by FactWord::place: the document states a value
    std::map<std::string, std::string, std::less<>> reasons = {};  ///< why a fact is null

    /// The value under a path; null if there is none.
    PlainValue const& at(std::string_view path) const;
    /// The same as text; empty if there is none.
    std::string text(std::string_view path) const;
};

struct ReadFinding {
    std::string id = {};
    std::string verdict = {};
    std::string subject = {};
    std::string message = {};
};

struct ReadSetting {
    std::string name = {};
    PlainValue value = {};
};

/// What compare and fleet say of a report that is_partial.
inline constexpr std::string_view why_partial =
    ": --gpu has left GPUs out of it, which would look lost";

struct ReadReport {
    std::string name = {};  ///< of the file, for messages
    std::string schema_version = {};
    std::string tool_version = {};
    std::string command = {};
    bool has_host = false;
    bool is_partial = false;  ///< --gpu left out GPUs of the host: that they lack says nothing
    ReadFacts host = {};
    std::vector<ReadFacts> gpus = {};
    std::vector<ReadSetting> recommendations = {};
    std::vector<ReadFinding> findings = {};
    std::vector<Measurement> measurements = {};  ///< without hardware state and profile
};

/// Documents over this are no reports of one host.
inline constexpr std::size_t report_cap_bytes = std::size_t{16} << 20;

/// Which parts of a report somebody needs; what is left out costs no memory.
struct ReportParts {
    bool reasons = true;
    bool samples = true;
    bool momentary = true;          ///< facts of the kind `state`
    bool texts_of_findings = true;  ///< else their ids and verdicts alone
};

/// Reads one JSON document of rocmtune. `name` is used in messages.
/// @throws Error that says what is wrong with it and what to do: no JSON, truncated, something
///         else than a report, of a newer major version, a key twice, too deep, too much.
ReadReport read_report(std::string_view text, std::string const& name, ReportParts parts = {});
/// The same; what it read of the text is left in an empty document.
ReadReport read_report(std::string_view text, std::string const& name, ReportParts parts,
                       JsonDocument& document);

/// Host, recommendations, settings, findings, measurements and summaries of one JSON document, so
/// that they can be shown in another form. A fact that it does not have is missing as not-recorded.
/// `name` is used in messages and stands in Report::inputs; Report::command is the command that
/// wrote it.
/// @throws Error like read_report, and with a JSON pointer for a value of the wrong kind.
Report read_whole_report(std::string_view text, std::string const& name);

/// Several reports of one host as one: the first that has a host, recommendations or settings gives
/// them; of results about the same thing those of the first report that has some stand; all
/// measurements count. `parts` says what came together.
/// @throws Error if they are of different hosts, or if none has anything to show.
Report joined(std::vector<Report> reports);

/// The number as a report writes it, "yes" or "no", the text; "" for null.
std::string text_of(PlainValue const& value);

/// Whether two values of one fact are the same: 750 and 750.0 are, and numbers that differ by no
/// more than `tolerance` of the larger.
bool same_value(PlainValue const& a, PlainValue const& b, double tolerance);

/// "0000:05:00.0", with /PARTITION where the card is partitioned, else "GPU ROW".
std::string subject_of(ReadFacts const& gpu);

}  // namespace rocmtune
