// SPDX-License-Identifier: MIT
#include "render/formats.hpp"

#include <nlohmann/json.hpp>

#include "render/explain.hpp"
#include "render/json.hpp"

namespace rocmtune {
namespace {

std::string text(Report const& report, TextStyle const& style) {
    if (!report.explanations.empty()) return explain_text(report, style);
    return style.verbosity > 0 ? details_text(report, style) : summary_text(report, style);
}

constexpr Format formats[] = {
    {"text", "for people", text},
    {"json", "one indented document",
     [](Report const& report, TextStyle const&) { return json_text(to_json(report), true); }},
    {"ndjson", "one document on one line",
     [](Report const& report, TextStyle const&) { return json_text(to_json(report), false); }},
};

}  // namespace

std::span<Format const> all_formats() {
    return formats;
}

Format const* find_format(std::string_view name) {
    for (auto const& format : formats)
        if (format.name == name) return &format;
    return nullptr;
}

}  // namespace rocmtune
