// SPDX-License-Identifier: MIT
// A report of one host read back as a whole, so that it can be shown in another form.
#include <mutex>
#include <set>

#include "codec/read_report.hpp"
#include "codec/record_json.hpp"

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

/// What of a document is shown again.
struct PartReader {
    RecordReader const& reader;
    JsonNode const& document;

    template <class T>
    void operator()(Field const& field, T& member) const {
        constexpr std::string_view parts[] = {"host",   "settings",  "findings", "summary",
                                              "tuning", "diagnosis", "errors",   "measurements",
                                              "parts",  "exit_code"};
        if (std::ranges::find(parts, field.key) != std::end(parts))
            reader.member(document, field.key, member);
    }
    template <class T>
    void operator()(Inlined inlined, std::optional<T>& record) const {
        reader.inlined(document, inlined.mark, record);
    }
};

ReportInput input_of(JsonNode const& document, RecordReader const& reader,
                     ReadReport const& known) {
    ReportInput input{.name = known.name, .command = known.command};
    if (auto const tool = document.find("tool")) {
        reader.member(*tool, "version", input.tool_version);
        reader.member(*tool, "data_date", input.data_date);
    }
    return input;
}

}  // namespace

void RecordReader::refuse(JsonNode const& at, std::string const& what) const {
    throw Error(fmt::format("{}: {} at {}", printable(file_), what, at.pointer()),
                "a report is what rocmtune writes with --json; write it once more");
}

void RecordReader::read(JsonNode const& json, ReportSummary<Report>& summary) const {
    if (!json.is_object()) return;
    auto& report = summary.report;
    member(json, "gpus_left_out", report.gpus_left_out);
    if (json.find("texts")) {
        auto& lint = report.lint.emplace();
        member(json, "texts", lint.texts);
        member(json, "settings", lint.assignments);
        member(json, "accepted", lint.accepted);
        member(json, "repaired", lint.repaired);
        member(json, "judged_gpus", lint.rows);
    }
    if (json.find("level")) {
        auto& check = report.check.emplace();
        member(json, "level", check.level);
        member(json, "gpus_to_test", check.gpus);
        member(json, "gpus_tested", check.gpus_judged);
        member(json, "gpus_exercised", check.gpus_exercised);
    }
    member(json, "verify", report.verify);
}

Report read_whole_report(std::string_view text, std::string const& name) {
    JsonDocument document(name, text.size());
    // Says what is wrong with documents that are none of ours, too deep or too new.
    auto const known = read_report(text, name, {.reasons = false, .samples = false}, document);
    JsonNode const root(document);
    RecordReader const reader(name);
    Report report;
    visit_fields(report, PartReader{reader, root});
    report.command = known.command;
    if (!report.advice) report.settings.reset();
    report.inputs = {input_of(root, reader, known)};
    return report;
}

}  // namespace rocmtune
