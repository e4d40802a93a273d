// SPDX-License-Identifier: MIT
#include "reports/whole_report.hpp"

#include <mutex>
#include <set>

#include "host/subject.hpp"
#include "reports/json_reader.hpp"
#include "reports/report.hpp"

namespace rocmtune {

Source source_of(std::string const& text) {
    // Far more than there are readers: a stranger's report must not grow this for ever.
    constexpr std::size_t most_words = 256;
    static std::mutex mutex;
    static std::set<std::string, std::less<>> readers;
    auto const parts = text.find(": ");
    if (parts == text.npos) return {"", text};
    std::lock_guard const lock(mutex);
    auto const word = std::string_view(text).substr(0, parts);
    auto found = readers.find(word);
    if (found == readers.end() && readers.size() < most_words) found = readers.emplace(word).first;
    if (found == readers.end()) return {"report", text};
    return {*found, text.substr(parts + 2)};
}

std::pair<Missing, std::string> missing_of(std::string const& text) {
    auto const colon = text.find(": ");
    auto const word = std::string_view(text).substr(0, colon);
    for (auto reason = Missing::not_read; reason <= Missing::denied;
         reason = static_cast<Missing>(static_cast<int>(reason) + 1))
        if (missing_name(reason) == word)
            return {reason, colon == text.npos ? std::string() : text.substr(colon + 2)};
    return {Missing::not_recorded, text};
}

namespace {

using Json = JsonReader::Json;

std::optional<Host> host_of(Json const& document, JsonReader& reader) {
    auto const found = document.find("host");
    if (found == document.end()) return std::nullopt;
    Host host;
    reader.member(document, "host", host);
    reader.within("host", [&] {
        reader.member(*found, "gpus", host.gpus);
        reader.member(*found, "links", host.links);
    });
    return host;
}

/// A finding with what lint or verify adds beside it.
Finding finding_of(Json const& json, JsonReader& reader) {
    Finding finding;
    reader.read(json, finding);
    if (json.contains("class")) reader.fields(json, finding.setting.emplace());
    if (json.contains("verdict_setting")) reader.fields(json, finding.verified.emplace());
    return finding;
}

std::vector<Finding> findings_of(Json const& document, JsonReader& reader) {
    std::vector<Finding> findings;
    auto const found = document.find("findings");
    if (found == document.end()) return findings;
    if (!found->is_array()) reader.refuse("the findings are no list");
    for (std::size_t i = 0; i < found->size(); ++i)
        reader.within(fmt::format("findings/{}", i),
                      [&] { findings.push_back(finding_of((*found)[i], reader)); });
    return findings;
}

void read_advice(Json const& document, JsonReader& reader, Report& report) {
    if (!document.contains("recommendations")) return;
    reader.member(document, "recommendations", report.advice.emplace().recommendations);
    reader.member(document, "undecided", report.advice->undecided);
    if (document.contains("settings"))
        reader.member(document, "settings", report.settings.emplace());
}

void read_summaries(Json const& document, JsonReader& reader, Report& report) {
    auto const found = document.find("summary");
    if (found == document.end() || !found->is_object()) return;
    reader.member(*found, "gpus_left_out", report.gpus_left_out);
    if (found->contains("texts")) {
        auto& lint = report.lint.emplace();
        reader.member(*found, "texts", lint.texts);
        reader.member(*found, "settings", lint.assignments);
        reader.member(*found, "accepted", lint.accepted);
        reader.member(*found, "judged_gpus", lint.rows);
    }
    if (found->contains("level")) {
        auto& check = report.check.emplace();
        reader.member(*found, "level", check.level);
        reader.member(*found, "gpus_to_test", check.gpus);
        reader.member(*found, "gpus_tested", check.gpus_judged);
        if (found->contains("gpus_exercised"))
            reader.member(*found, "gpus_exercised", check.gpus_exercised.emplace());
    }
    if (found->contains("verify")) reader.member(*found, "verify", report.verify.emplace());
}

struct ErrorText {
    std::string message = {};
    std::string hint = {};
    std::int64_t exit_code = 2;
};

template <SameEntity<ErrorText> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"message", ""}, it.message);
    v(Field{"hint", ""}, it.hint);
    v(Field{"exit_code", ""}, it.exit_code);
}

/// Codes are those of a process.
Exit exit_of(std::int64_t code) {
    return static_cast<Exit>(std::clamp<std::int64_t>(code, 0, 255));
}

void read_ending(Json const& document, JsonReader& reader, Report& report) {
    std::vector<ErrorText> errors;
    reader.member(document, "errors", errors);
    for (auto& error : errors)
        report.errors.push_back(
            {std::move(error.message), std::move(error.hint), exit_of(error.exit_code)});
    std::int64_t code = 0;
    reader.member(document, "exit_code", code);
    report.exit_code = exit_of(code);
}

std::vector<ReportInput> inputs_of(Json const& document, JsonReader& reader,
                                   std::string const& name, std::string const& command) {
    ReportInput input{.name = name, .command = command};
    if (auto const tool = document.find("tool"); tool != document.end()) {
        reader.member(*tool, "version", input.tool_version);
        reader.member(*tool, "data_date", input.data_date);
    }
    return {std::move(input)};
}

}  // namespace

Report read_whole_report(std::string_view text, std::string const& name) {
    // Says what is wrong with documents that are none of ours, too deep or too new.
    auto const known = read_report(text, name, {.reasons = false, .samples = false});
    auto const document = Json::parse(text);
    JsonReader reader(name);
    Report report;
    report.command = known.command;
    report.host = host_of(document, reader);
    read_advice(document, reader, report);
    report.findings = findings_of(document, reader);
    reader.member(document, "measurements", report.measurements);
    read_summaries(document, reader, report);
    read_ending(document, reader, report);
    reader.member(document, "parts", report.parts);
    report.inputs = inputs_of(document, reader, name, known.command);
    return report;
}

}  // namespace rocmtune
