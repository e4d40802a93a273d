// SPDX-License-Identifier: MIT
#include "show/report_tables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "build_info.hpp"
#include "show/host_cells.hpp"
#include "show/measurements.hpp"
#include "show/news.hpp"

namespace rocmtune {
namespace {

/// What to write instead says more than what to do in general.
std::string step_of(Finding const& finding) {
    if (finding.setting && !finding.setting->fix.empty()) return finding.setting->fix;
    return finding.next_step;
}

std::string subject_of(Finding const& finding) {
    if (!finding.setting) return finding.subject;
    auto const& place = *finding.setting;
    if (place.file.empty()) return place.name;
    return fmt::format("{}:{} {}", place.file, place.line, place.name);
}

std::string sources_text(std::vector<Reference> const& sources) {
    std::vector<std::string> texts;
    for (auto const& source : sources) texts.push_back(source_text(source));
    return joined(texts, "; ");
}

std::string because_text(std::vector<Because> const& because) {
    std::vector<std::string> texts;
    for (auto const& one : because)
        texts.push_back(
            fmt::format("{} {}: {}", one.subject, one.field, one.value.value_or("not known")));
    return joined(texts, "; ");
}

}  // namespace

std::string source_text(Reference const& reference) {
    return reference.version ? fmt::format("{}, {}", reference.title, *reference.version)
                             : reference.title;
}

std::string selection_text(Settings const& settings) {
    auto text = fmt::format("{}, workload {}, framework {}", settings.level, settings.workload,
                            settings.framework);
    if (!settings.rows.empty()) text += fmt::format(", GPUs {}", fmt::join(settings.rows, ", "));
    return text;
}

std::string origin_text(Report const& report) {
    auto text = fmt::format("rocmtune {}, data of {}", tool_version, data_date);
    for (auto const& input : report.inputs)
        text += fmt::format("; {} by {} of rocmtune {}, data of {}", input.name, input.command,
                            input.tool_version, input.data_date);
    return text;
}

std::vector<Finding> findings_of(Report const& report, bool settings) {
    std::vector<Finding> findings;
    for (auto const& finding : report.findings)
        if (finding.setting.has_value() == settings) findings.push_back(finding);
    return findings;
}

std::string verdict_counts(std::vector<Finding> const& findings) {
    std::vector<std::string> parts;
    for (auto const verdict : verdict_order)
        if (auto const count = std::ranges::count(findings, verdict, &Finding::verdict); count > 0)
            parts.push_back(fmt::format("{} {}", count, word_of(verdict)));
    return parts.empty() ? "nothing was judged" : joined(parts);
}

TextTable gpu_table(Host const& host) {
    TextTable table{.headings = {"GPU", "PCI address", "name", "target", "CUs", "memory", "link",
                                 "NUMA", "driver", "HIP", "render node"}};
    bool const with_use = some_unusable(host);
    if (with_use) table.headings.emplace_back("usable");
    for (auto const& gpu : host.gpus) {
        table.rows.push_back({number_or_dash(gpu.row), address_text(gpu), name_text(gpu),
                              text_or_dash(gpu.gfx_target), number_or_dash(gpu.compute_units),
                              memory_text(gpu), link_text(gpu), number_or_dash(gpu.numa_node),
                              text_or_dash(gpu.driver), number_or_dash(gpu.hip_index),
                              text_or_dash(gpu.render_node)});
        if (with_use) table.rows.back().push_back(usable_text(host, gpu));
    }
    return table;
}

TextTable advice_table(Advice const& advice) {
    TextTable table{.headings = {"name", "value", "kind", "why", "because", "sources"}};
    for (auto const& one : advice.recommendations)
        table.rows.push_back({one.name, one.value, one.kind, one.why, because_text(one.because),
                              sources_text(one.sources)});
    return table;
}

TextTable undecided_table(Advice const& advice) {
    TextTable table{.headings = {"name", "reason", "detail"}};
    for (auto const& one : advice.undecided)
        table.rows.push_back({one.name, one.reason, one.detail});
    return table;
}

TextTable findings_table(std::vector<Finding> const& findings, bool settings) {
    TextTable table{
        .headings = {"verdict", "id", settings ? "setting" : "subject", "finding", "next step"}};
    for (auto const* finding : worst_first(findings))
        if (is_news(*finding) && finding->setting.has_value() == settings)
            table.rows.push_back({std::string(word_of(finding->verdict)), finding->id,
                                  subject_of(*finding), finding->message, step_of(*finding)});
    return table;
}

TextTable measurements_table(std::vector<Measurement> const& measurements) {
    TextTable table{.headings = measurement_headings()};
    table.headings.insert(table.headings.begin(), "device");
    for (auto const& one : measurements) {
        auto cells = measurement_cells(one);
        cells.insert(cells.begin(), device_text(one));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

bool has_part(Report const& report, std::string_view part) {
    return std::ranges::find(report.parts, part) != report.parts.end();
}

std::string why_not_linted(Report const& report) {
    if (!has_part(report, "lint") || report.lint || !report.host || report.host->environment)
        return {};
    return fmt::format("the environment was not judged: {}",
                       missing_name(report.host->environment.reason()));
}

}  // namespace rocmtune
