// SPDX-License-Identifier: MIT
#include "show/html/facts.hpp"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "show/host_cells.hpp"
#include "show/html/page.hpp"
#include "show/json.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

/// A list or a record in a cell; the JSON document has what is cut.
constexpr std::size_t longest_value = 400;

std::string value_text(Json const& value) {
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return "-";
    if (!value.is_structured()) return value.dump();
    if (value.empty()) return "none";
    std::vector<std::string> parts;
    for (auto const& [key, member] : value.items()) {
        if (is_about_others(key) || member.is_null()) continue;
        auto const text = value_text(member);
        parts.push_back(value.is_array() ? text : key + '=' + text);
    }
    return joined(parts, value.is_array() ? "; " : ", ");
}

std::string cell(std::string_view key, Json const& value) {
    if (key.ends_with("_bytes") && value.is_number_unsigned())
        return fmt::format("{} ({})", human_bytes(value.get<std::uint64_t>()), value.dump());
    return shorten(value_text(value), longest_value);
}

/// Value, and beside it why there is none or who says so.
std::pair<std::string, std::string> fact_of(Json const& object, std::string const& key) {
    auto const note = [&](char const* notes) {
        return object.contains(notes) && object[notes].contains(key)
                   ? object[notes][key].get<std::string>()
                   : std::string();
    };
    auto const& value = object[key];
    if (value.is_null()) return {"-", note("_reasons")};
    return {cell(key, value), note("_sources")};
}

TextTable host_table(Json const& host) {
    TextTable table{.headings = {"fact", "value", "source or reason"}};
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
TextTable gpus_table(Json const& gpus) {
    TextTable table{.headings = {"fact", "value", "GPUs", "source or reason"}};
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

Html facts_html(Report const& report) {
    Html html;
    if (!report.host) return html;
    using enum CellKind;
    auto const host = to_json(*report.host);
    html.open("details").element("summary", "Every fact of the host");
    html.part(table_html("Facts of the host", host_table(host), {code, wide, wide})).close();
    if (report.host->gpus.empty()) return html;
    html.open("details").element("summary", "Every fact of the GPUs");
    html.part(table_html("Facts of the GPUs", gpus_table(host["gpus"]), {code, wide, text, wide}));
    html.close();
    return html;
}

}  // namespace rocmtune
