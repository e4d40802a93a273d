// SPDX-License-Identifier: MIT
// A report as rows for databases: every value is a text, a number, true, false or null.
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "codec/json.hpp"
#include "show/machine_formats.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

/// Lists of records of a host, and what a row of each is called.
constexpr std::pair<std::string_view, std::string_view> record_types[] = {
    {"rocm_installations", "rocm_installation"},
    {"frameworks", "framework"},
    {"python_needs", "python_needs"},
    {"runtimes", "runtime"},
    {"caches", "cache"},
    {"gpu_processes", "gpu_process"},
    {"kernel_messages", "kernel_message"},
    {"kfd_nodes", "kfd_node"},
    {"numa_nodes", "numa_node"},
};

std::string joined_texts(Json const& list) {
    std::string text;
    for (auto const& one : list) {
        if (!text.empty()) text += ", ";
        text += one.is_string() ? one.get<std::string>() : one.dump();
    }
    return text;
}

/// Puts a value under its key: members of objects and named records as KEY.MEMBER, texts of a list
/// as one text, of other lists the length.
void flatten(Json& row, std::string const& key, Json const& value) {
    if (value.is_object()) {
        for (auto const& [name, member] : value.items())
            if (!is_about_others(name)) flatten(row, key + '.' + name, member);
    } else if (!value.is_array()) {
        row[key] = value;
    } else if (!value.empty() && value[0].is_object() && value[0].contains("name")) {
        for (auto const& record : value) {
            auto const prefix = key + '.' + record["name"].get<std::string>();
            for (auto const& [name, member] : record.items())
                if (name != "name") flatten(row, prefix + '.' + name, member);
        }
    } else if (value.empty() || value[0].is_string()) {
        row[key] = joined_texts(value);
    } else {
        row[key + ".count"] = value.size();
    }
}

class RowWriter {
  public:
    explicit RowWriter(Json host) : host_(std::move(host)) {}

    /// A row of this type with the members of an object, but for those that `skip` names.
    void add(std::string_view type, Json const& object, std::string const& skip = {}) {
        Json row{{"type", type}, {"host", host_}};
        for (auto const& [key, value] : object.items()) {
            bool const is_list_of_rows = skip.find(' ' + key + ' ') != skip.npos;
            if (!is_about_others(key) && !is_list_of_rows) flatten(row, key, value);
        }
        text_ += json_text(row, false);
    }

    /// A row for each fact that is missing.
    void missing(std::string const& subject, Json const& object) {
        auto const reasons = object.find("_reasons");
        if (reasons == object.end()) return;
        for (auto const& [fact, reason] : reasons->items())
            add("missing", {{"subject", subject}, {"fact", fact}, {"reason", reason}});
    }

    void list(std::string_view type, Json const& document, char const* key) {
        auto const found = document.find(key);
        if (found == document.end()) return;
        for (auto const& one : *found) add(type, one);
    }

    std::string take() { return std::move(text_); }

  private:
    Json host_;
    std::string text_;
};

/// A finding without the lists of what it rests on: their length says that there is something.
Json without_lists(Json finding) {
    for (auto const* key : {"evidence", "sources"})
        if (auto const found = finding.find(key); found != finding.end())
            *found = Json(found->size());
    return finding;
}

void add_host(Json const& host, RowWriter& rows) {
    std::string skip = " gpus links ";
    for (auto const& [key, type] : record_types) skip += std::string(key) + ' ';
    rows.add("host", host, skip);
    rows.missing("host", host);
    for (auto const& [key, type] : record_types)
        if (host.contains(key) && host[std::string(key)].is_array())
            for (auto const& record : host[std::string(key)]) rows.add(type, record);
    for (auto const& gpu : host["gpus"]) {
        rows.add("gpu", gpu);
        rows.missing("gpu " + gpu["row"].dump(), gpu);
    }
    for (auto const& link : host["links"]) rows.add("link", link);
}

void add_diagnosis(Json const& diagnosis, RowWriter& rows) {
    rows.add("diagnosis", diagnosis, " symptoms causes unknown gpu_activity ");
    rows.list("symptom", diagnosis, "symptoms");
    for (auto const& cause : diagnosis["causes"]) rows.add("cause", without_lists(cause));
    rows.list("gpu_activity", diagnosis, "gpu_activity");
}

}  // namespace

std::string report_ndjson(Report const& report, TextStyle const&) {
    auto const document = to_json(report);
    RowWriter rows(report.host ? document["host"]["hostname"] : Json(nullptr));
    rows.add("report", document,
             " host recommendations undecided settings findings measurements inputs errors "
             "diagnosis builds ");
    rows.list("input", document, "inputs");
    if (report.host) add_host(document["host"], rows);
    rows.list("recommendation", document, "recommendations");
    rows.list("undecided", document, "undecided");
    if (report.settings) rows.list("setting", document["settings"], "items");
    for (auto const& finding : document["findings"]) rows.add("finding", without_lists(finding));
    if (report.diagnosis) add_diagnosis(document["diagnosis"], rows);
    if (report.builds)
        for (auto const& build : document["builds"]) rows.add("build", without_lists(build));
    rows.list("measurement", document, "measurements");
    rows.list("error", document, "errors");
    return rows.take();
}

}  // namespace rocmtune
