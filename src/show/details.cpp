// SPDX-License-Identifier: MIT
// Every fact, walked from the JSON document: what people see and JSON cannot differ.
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json.hpp"
#include "show/documents.hpp"
#include "show/html/parts.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

/// Widest key of Gpu and Host plus a gap.
constexpr int key_width = 30;

std::string number_text(std::string_view key, Json const& value) {
    auto exact = value.dump();
    if (key.ends_with("_bytes") && value.is_number_unsigned())
        return fmt::format("{} ({})", exact, human_bytes(value.get<std::uint64_t>()));
    return exact;
}

std::string value_text(std::string_view key, Json const& value);

std::string structure_text(Json const& values) {
    std::vector<std::string> parts;
    for (auto const& [key, value] : values.items())
        if (values.is_array()) parts.push_back(value_text("", value));
        else if (!is_about_others(key)) parts.push_back(key + '=' + value_text(key, value));
    return parts.empty() ? "none" : joined(parts, values.is_array() ? ", " : " ");
}

std::string value_text(std::string_view key, Json const& value) {
    if (value.is_null()) return "-";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_structured()) return structure_text(value);
    return number_text(key, value);
}

/// What `about` (_reasons, _sources, _disputes) says of one fact; empty if nothing.
std::string said(Json const& object, char const* about, std::string const& key) {
    auto const found = object.find(about);
    if (found == object.end() || !found->contains(key)) return {};
    return (*found)[key].is_string()
               ? (*found)[key].get<std::string>()
               : (*found)[key].dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Objects of the document as lines.
class FactLines {
  public:
    explicit FactLines(TextStyle const& style) : style_(style) {}

    void object(Json const& object, int indent) {
        for (auto const& [key, value] : object.items())
            if (!is_about_others(key) && key != "gpus" && key != "links")
                member(object, key, value, indent);
    }

    void heading(std::string const& text) {
        out_ += (out_.empty() ? "" : "\n") +
                emphasised(for_screen(text, style_), Emphasis::heading, style_) + '\n';
    }

    void line(std::string const& key, std::string const& value, int indent) {
        out_ += std::string(static_cast<std::size_t>(indent), ' ') +
                fmt::format("{:<{}} ", key, key_width - indent) + for_screen(value, style_) + '\n';
    }

    std::string take() { return std::move(out_); }

  private:
    void member(Json const& object, std::string const& key, Json const& value, int indent) {
        auto const reason = without_directory(object, said(object, "_reasons", key));
        if (is_list_of_objects(value)) {
            list(key, value, indent);
            if (!reason.empty()) line("  incomplete", reason, indent);
        } else {
            line(key, value_text(key, value) + (reason.empty() ? "" : "  (" + reason + ')'),
                 indent);
        }
        auto const dispute = said(object, "_disputes", key);
        if (!dispute.empty()) line("  disputed by", dispute, indent);
        auto const source = said(object, "_sources", key);
        if (style_.verbosity > 1 && !source.empty()) line("  from", source, indent);
    }

    /// A GPU's own directory is printed once, as sysfs_path, and left out of its reasons.
    static std::string without_directory(Json const& object, std::string text) {
        auto const path = object.find("sysfs_path");
        if (path == object.end() || !path->is_string()) return text;
        auto const directory = path->get<std::string>() + '/';
        if (auto const at = text.find(directory); at != text.npos) text.erase(at, directory.size());
        return text;
    }

    static bool is_list_of_objects(Json const& value) {
        return value.is_array() && !value.empty() && value.front().is_object();
    }

    void list(std::string const& key, Json const& values, int indent) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            auto const name = fmt::format("{}[{}]", key, i);
            if (!values[i].contains("_reasons") && !values[i].contains("_sources")) {
                line(name, structure_text(values[i]), indent);
                continue;
            }
            line(name, "", indent);
            object(values[i], indent + 2);
        }
    }

    TextStyle const& style_;
    std::string out_;
};

/// The variables, and what each runtime makes of them.
void print_visibility(FactLines& lines, Json const& visibility) {
    lines.heading("visibility");
    for (auto const& [key, value] : visibility.items()) {
        bool const runtime = value.is_object() && value.contains("devices");
        lines.line(key, runtime ? "" : value_text(key, value), 1);
        if (runtime) lines.object(value, 3);
    }
}

/// Every figure with all that is known of it.
void print_measurements(FactLines& lines, Json const& measurements) {
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        lines.heading(fmt::format("measurement {}", i));
        for (auto const& [key, value] : measurements[i].items()) {
            lines.line(key, value.is_object() ? "" : value_text(key, value), 1);
            if (value.is_object()) lines.object(value, 3);
        }
    }
}

// ---- on pages -----------------------------------------------------------------------------------

using enum CellKind;

/// A list or a record in a cell; the JSON document has what is cut.
constexpr std::size_t longest_value = 400;

/// Value, and beside it why there is none or who says so.
std::pair<std::string, std::string> fact_of(Json const& object, std::string const& key) {
    auto const& value = object[key];
    if (value.is_null()) return {"-", said(object, "_reasons", key)};
    return {shorten(value_text(key, value), longest_value), said(object, "_sources", key)};
}

Table host_table(Json const& host) {
    Table table{.columns = {{.heading = "fact", .kind = code},
                            {.heading = "value", .kind = wide},
                            {.heading = "source or reason", .kind = wide}},
                .caption = "Facts of the host"};
    for (auto const& [key, value] : host.items()) {
        if (is_about_others(key) || key == "gpus" || key == "links") continue;
        auto [text, note] = fact_of(host, key);
        table.rows.push_back({key, std::move(text), std::move(note)});
    }
    return table;
}

std::string rows_text(std::vector<std::string> const& rows, std::size_t all) {
    if (rows.size() == all) return all == 1 ? "GPU " + rows.front() : fmt::format("all {}", all);
    return joined(rows);
}

/// One line for each value of a fact, in the order of the facts. The source is that of the first
/// GPU: it differs by the number of a card only.
Table gpus_table(Json const& gpus) {
    Table table{.columns = {{.heading = "fact", .kind = code},
                            {.heading = "value", .kind = wide},
                            {"GPUs"},
                            {.heading = "source or reason", .kind = wide}},
                .caption = "Facts of the GPUs"};
    if (gpus.empty()) return table;
    for (auto const& [key, ignored] : gpus[0].items()) {
        if (is_about_others(key)) continue;
        std::vector<std::pair<std::string, std::vector<std::string>>> values;
        std::map<std::string, std::size_t> places;
        std::vector<std::string> notes;
        for (auto const& gpu : gpus) {
            auto const [text, note] = fact_of(gpu, key);
            auto const [place, is_new] = places.emplace(text, values.size());
            if (is_new) {
                values.push_back({text, {}});
                notes.push_back(note);
            }
            values[place->second].second.push_back(gpu["row"].dump());
        }
        for (std::size_t i = 0; i < values.size(); ++i)
            table.rows.push_back(
                {key, values[i].first, rows_text(values[i].second, gpus.size()), notes[i]});
    }
    return table;
}

}  // namespace

void show_details(Report const& report, Printer& out) {
    if (!report.host) return;
    FactLines lines(out.style());
    auto const document = to_json(report);
    auto const& host = document.at("host");
    lines.heading("host");
    lines.object(host, 1);
    for (auto const& gpu : host["gpus"]) {
        lines.heading("gpu " + gpu["row"].dump());
        lines.object(gpu, 1);
    }
    if (!host["links"].empty()) lines.heading("links");
    for (std::size_t i = 0; i < host["links"].size(); ++i)
        lines.line(fmt::format("links[{}]", i), structure_text(host["links"][i]), 1);
    for (auto const& finding : document.at("findings")) {
        lines.heading("finding " + finding["id"].get<std::string>());
        lines.object(finding, 1);
    }
    if (document.contains("visibility")) print_visibility(lines, document["visibility"]);
    if (document.contains("measurements")) print_measurements(lines, document["measurements"]);
    out.verbatim(lines.take());
}

void show_facts(Report const& report, Printer& out) {
    if (!report.host) return;
    auto const host = to_json(*report.host);
    out.fold("Every fact of the host");
    out.table(host_table(host));
    out.end_fold();
    if (report.host->gpus.empty()) return;
    out.fold("Every fact of the GPUs");
    out.table(gpus_table(host["gpus"]));
    out.end_fold();
}

}  // namespace rocmtune
