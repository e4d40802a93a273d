// SPDX-License-Identifier: MIT
#include "codec/json.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/data_date.hpp"
#include "build_info.hpp"
#include "codec/record_json.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

/// JSON as nlohmann::json writes it, at a third of its time for what reports are made of: keys and
/// plain ASCII text. Everything else is left to the library.
class Writer {
  public:
    explicit Writer(bool indented) : indented_(indented) {}

    /// Growing by doubling would touch three times the memory: most reports fit at once.
    void expect_document() { text_.reserve(std::size_t{1} << 20); }

    void value(Json const& json, std::size_t depth) {
        if (json.is_object() && !json.empty()) return members(json, depth);
        if (json.is_array() && !json.empty()) return elements(json, depth);
        if (json.is_string()) return text(json.get_ref<std::string const&>());
        text_ += json.dump();
    }

    std::string take() { return std::move(text_); }

    /// One member of an object, behind '{' or ','.
    void member(std::string const& key, Json const& json, char before, std::size_t depth) {
        name(key, before, depth);
        value(json, depth + 1);
    }

    /// The name of a member, whose value is written next.
    void name(std::string const& key, char before, std::size_t depth) {
        text_ += before;
        line(depth + 1);
        text(key);
        text_ += indented_ ? ": " : ":";
    }

    /// One element of a list, behind '[' or ','.
    void element(Json const& json, char before, std::size_t depth) {
        text_ += before;
        line(depth + 1);
        value(json, depth + 1);
    }

    /// The end of an object or of a list that is not empty.
    void close(char bracket, std::size_t depth) {
        line(depth);
        text_ += bracket;
    }

  private:
    void members(Json const& json, std::size_t depth) {
        char before = '{';
        for (auto const& [key, json_member] : json.get_ref<Json::object_t const&>())
            member(key, json_member, std::exchange(before, ','), depth);
        close('}', depth);
    }

    void elements(Json const& json, std::size_t depth) {
        char before = '[';
        for (auto const& each : json) element(each, std::exchange(before, ','), depth);
        close(']', depth);
    }

    void line(std::size_t depth) {
        if (indented_) text_.append(1, '\n').append(2 * depth, ' ');
    }

    void text(std::string const& string) {
        auto const plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
        if (std::all_of(string.begin(), string.end(), plain))
            text_.append(1, '"').append(string).append(1, '"');
        else text_ += Json(string).dump(-1, ' ', true, Json::error_handler_t::replace);
    }

    bool indented_;
    std::string text_;
};

/// Counts that a dashboard wants without walking the document.
struct Counter {
    std::map<std::string, int> missing;
    int facts = 0;
    int disputes = 0;

    template <class T>
    void operator()(Field const& field, Fact<T> const& fact) {
        if (field.key == "recorded") return;  // tells of the report and not of the host
        ++facts;
        if (!fact) ++missing[std::string(missing_name(fact.reason()))];
        if (!fact.others().empty()) ++disputes;
    }
    template <class T>
    void operator()(Field const&, T const&) {}
};

Json summary_json(Host const& host) {
    Counter counter;
    visit_fields(host, counter);
    for (auto const& gpu : host.gpus) visit_fields(gpu, counter);
    return {{"gpus", host.gpus.size()},
            {"facts", counter.facts},
            {"missing", counter.missing},
            {"disputes", counter.disputes}};
}

/// Of a report with several parts: all of its findings, whichever part they come from.
Json verdicts_json(std::vector<Finding> const& findings) {
    auto verdicts = Json::object();
    for (std::size_t i = 0; i < verdict_words.size(); ++i)
        verdicts[std::string(verdict_words[i])] =
            std::ranges::count(findings, static_cast<Verdict>(i), &Finding::verdict);
    return verdicts;
}

Json lint_json(LintSummary const& lint, std::vector<Finding> const& findings) {
    auto verdicts = Json::object();
    for (auto const verdict : {Verdict::fail, Verdict::warn, Verdict::info})
        verdicts[std::string(word_of(verdict))] = count_of(verdict, lint, findings);
    Json json{{"texts", lint.texts},
              {"settings", lint.assignments},
              {"accepted", lint.accepted},
              {"verdicts", std::move(verdicts)}};
    if (lint.repaired > 0) json["repaired"] = lint.repaired;
    if (!lint.rows.empty()) json["judged_gpus"] = lint.rows;
    return json;
}

Json check_json(CheckSummary const& check) {
    auto verdicts = Json::object();
    for (std::size_t i = 0; i < check.counts.size(); ++i)
        verdicts[std::string(verdict_words[i])] = check.counts[i];
    Json json{{"level", check.level},
              {"gpus_to_test", check.gpus},
              {"gpus_tested", check.gpus_judged},  // the name of gpus_judged in schema 1.0
              {"gpus_judged", check.gpus_judged},
              {"verdicts", std::move(verdicts)}};
    if (check.gpus_exercised) json["gpus_exercised"] = *check.gpus_exercised;
    return json;
}

}  // namespace

Json json_of(PlainValue const& value) {
    auto const convert = []<class T>(T const& plain) {
        if constexpr (std::is_same_v<T, std::monostate>) return Json(nullptr);
        else return Json(plain);
    };
    return std::visit(convert, value);
}

Json json_of(ReportSummary<Report const> const& summary) {
    auto const& report = summary.report;
    auto json = report.host ? summary_json(*report.host) : Json::object();
    if (report.gpus_left_out > 0) json["gpus_left_out"] = report.gpus_left_out;
    if (report.lint) json.update(lint_json(*report.lint, report.findings));
    if (report.check) json.update(check_json(*report.check));
    if (!report.parts.empty()) json["verdicts"] = verdicts_json(report.findings);
    if (report.verify) json["verify"] = json_of(*report.verify);
    return json;
}

Json ObjectBuilder::take() {
    if (!reasons_.empty()) add("_reasons", object_of(reasons_));
    if (!sources_.empty()) add("_sources", object_of(sources_));
    if (!disputes_.empty()) add("_disputes", object_of(disputes_));
    return object_of(object_);
}

/// Keys are unique by construction; the underlying vector is filled without its linear search for
/// duplicates, which would cost a third of a large report's time.
Json ObjectBuilder::object_of(Members& from) {
    Json result = Json::object();
    auto& members = result.get_ref<Json::object_t&>();
    members.reserve(from.size());
    for (auto& [key, value] : from)
        members.std::vector<Json::object_t::value_type>::emplace_back(std::move(key),
                                                                      std::move(value));
    return result;
}

bool is_about_others(std::string_view key) {
    return key == "_reasons" || key == "_sources" || key == "_disputes";
}

Json to_json(Host const& host) {
    return json_of(host);
}

Json to_json(Report const& report) {
    ObjectBuilder builder;
    builder.add("schema", "rocmtune-report");
    builder.add("schema_version", schema_version);
    builder.add("tool",
                {{"name", "rocmtune"}, {"version", tool_version}, {"data_date", data_date()}});
    visit_fields(report, builder);
    return builder.take();
}

std::string json_head(Report const& report, bool indented) {
    auto const document = to_json(report);
    Writer writer(indented);
    char before = '{';
    for (auto const& [key, value] : document.get_ref<Json::object_t const&>()) {
        if (key == "findings") break;
        writer.member(key, value, std::exchange(before, ','), 0);
    }
    writer.name("findings", before, 0);
    return writer.take();
}

std::string json_finding(Finding const& finding, bool is_first, bool indented) {
    return json_element(json_of(finding), is_first, 1, indented);
}

std::string json_tail(Report const& report, bool indented) {
    auto const document = to_json(report);
    auto const& members = document.get_ref<Json::object_t const&>();
    bool const is_empty = report.findings.empty() && report.lint->written_kinds.empty();
    Writer writer(indented);
    auto member = std::ranges::find(members, "findings", [](auto const& it) { return it.first; });
    while (++member != members.end()) writer.member(member->first, member->second, ',', 0);
    writer.close('}', 0);
    return json_list_end(is_empty, 1, indented) + writer.take() + '\n';
}

std::string json_element(Json const& element, bool is_first, std::size_t depth, bool indented) {
    Writer writer(indented);
    writer.element(element, is_first ? '[' : ',', depth);
    return writer.take();
}

std::string json_list_end(bool is_empty, std::size_t depth, bool indented) {
    if (is_empty) return "[]";
    Writer writer(indented);
    writer.close(']', depth);
    return writer.take();
}

std::string json_text(Json const& document, bool indented) {
    Writer writer(indented);
    writer.expect_document();
    writer.value(document, 0);
    return writer.take() + '\n';
}

}  // namespace rocmtune
