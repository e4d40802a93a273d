// SPDX-License-Identifier: MIT
// The one screen that answers: what is here, and may I use it?
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/findings.hpp"
#include "show/host_cells.hpp"
#include "show/layout.hpp"
#include "show/measurements.hpp"
#include "show/news.hpp"
#include "show/visible.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t label_width = 11;

std::string gpu_table(Host const& host, TextStyle const& style) {
    std::vector<Column> columns{{"GPU", true}, {"PCI address"}, {"name", false, false, true},
                                {"target"},    {"CUs", true},   {"memory", true}};
    bool const with_use = some_unusable(host);
    if (with_use) columns.push_back({"usable"});
    columns.insert(columns.end(),
                   {{"link", false, true}, {"NUMA", true, true}, {"driver", false, true}});
    std::vector<std::vector<std::string>> rows;
    for (auto const& gpu : host.gpus) {
        rows.push_back({number_or_dash(gpu.row), address_text(gpu), name_text(gpu),
                        text_or_dash(gpu.gfx_target), number_or_dash(gpu.compute_units),
                        memory_text(gpu)});
        if (with_use) rows.back().push_back(usable_text(host, gpu));
        rows.back().insert(rows.back().end(), {link_text(gpu), number_or_dash(gpu.numa_node),
                                               text_or_dash(gpu.driver)});
    }
    return table_text(std::move(columns), std::move(rows), style);
}

/// Why facts are missing, for the reasons a user can do something about.
struct Complaints {
    std::map<Missing, std::vector<std::string>> keys;
    std::vector<std::string> disputes;
    std::string prefix;

    template <class T>
    void operator()(Field const& field, Fact<T> const& fact) {
        // Users may not read the kernel log by default: no news.
        if (field.key == "kernel_messages" || field.key == "kernel_log_start_seconds") return;
        if (!fact && fact.reason() >= Missing::invalid)
            keys[fact.reason()].push_back(prefix + std::string(field.key));
        if (!fact.others().empty()) disputes.push_back(prefix + std::string(field.key));
    }
    template <class T>
    void operator()(Field const&, T const&) {}
};

Complaints complaints_of(Host const& host) {
    Complaints complaints;
    visit_fields(host, complaints);
    for (auto const& gpu : host.gpus) {
        complaints.prefix = fmt::format("gpu {}: ", gpu.row.value_or(0));
        visit_fields(gpu, complaints);
    }
    return complaints;
}

std::string missing_line(Complaints const& complaints) {
    std::vector<std::string> parts;
    for (auto const& [reason, keys] : complaints.keys)
        parts.push_back(keys.size() <= 3
                            ? fmt::format("{} ({})", joined(keys), missing_name(reason))
                            : fmt::format("{} facts {} (such as {})", keys.size(),
                                          missing_name(reason), keys.front()));
    return joined(parts, "; ");
}

/// What a host without GPUs can do about it: the nearest thing that was found wrong.
std::string no_gpu_line(Host const& host) {
    if (!host.gpus.empty()) return {};
    if (host.is_wsl.value_or(false))
        return "WSL shows GPUs to programs through /dev/dxg only; the kernel lists none here";
    if (host.amdgpu_state.value() == "absent" && host.pci_functions)
        return "the kernel driver amdgpu is not loaded and no PCI device of AMD's graphics vendor "
               "id (1002) was found";
    if (!host.pci_functions)
        return fmt::format("the PCI bus could not be read ({})",
                           missing_name(host.pci_functions.reason()));
    return "no PCI device of AMD's graphics vendor id (1002) was found";
}

// ---- what rocmtune alone adds -------------------------------------------------------------------

/// Those about settings, or those about the rest.
std::vector<Finding> findings_about(bool settings, std::vector<Finding> const& all) {
    std::vector<Finding> chosen;
    std::ranges::copy_if(all, std::back_inserter(chosen), [&](Finding const& finding) {
        return finding.setting.has_value() == settings;
    });
    return chosen;
}

/// The id of the worst finding that asks for something to be done; null if none does.
std::string const* worst_id(std::vector<Finding> const& findings) {
    auto const sorted = worst_first(findings);
    return sorted.empty() || !is_bad(*sorted.front()) ? nullptr : &sorted.front()->id;
}

/// What env --unset does about the settings that were found: lists of GPUs and places of code stay.
std::string unset_text(std::vector<Setting> const& cleared, std::vector<Finding> const& found) {
    bool const all = std::ranges::all_of(found, [&](Finding const& finding) {
        return std::ranges::find(cleared, finding.setting->name, &Setting::name) != cleared.end();
    });
    if (cleared.empty()) return {};
    return all ? "rocmtune env --unset clears the settings"
               : fmt::format("rocmtune env --unset clears {} of the settings", cleared.size());
}

/// What to do about what was found.
std::string next_of_findings(Report const& report, std::string const& worst) {
    std::vector<std::string> parts;
    auto const of_settings = findings_about(true, report.findings);
    if (worst_id(findings_about(false, report.findings)) != nullptr)
        parts.emplace_back("rocmtune check says what to do about each finding");
    if (!of_settings.empty())
        parts.emplace_back("rocmtune lint says what to do about each setting");
    parts.push_back(fmt::format("rocmtune explain {} says what the worst means", worst));
    if (auto text = unset_text(report.settings->items, of_settings); !text.empty())
        parts.push_back(std::move(text));
    return joined(parts, "; ");
}

/// Only rocmtune alone judges the host and its settings.
std::string next_line(Report const& report) {
    constexpr auto facts = "rocmtune probe -v shows every fact, -vv its source";
    if (!report.parts.empty())
        return "rocmtune report --format html -o report.html is all of this as a page";
    bool const some = !report.host->gpus.empty();
    if (!report.settings)
        return fmt::format("{}{}; --json is for machines",
                           some ? "rocmtune env says what to set here; " : "", facts);
    if (auto const* id = worst_id(report.findings)) return next_of_findings(report, *id);
    return fmt::format("{}{}",
                       some ? "rocmtune check lets each GPU work; rocmtune env says what to set "
                              "here; "
                            : "",
                       facts);
}

}  // namespace

std::string summary_text(Report const& report, TextStyle const& style) {
    if (report.command == "bench") return measurements_text(report, style);
    if (report.cache) return cache_text(report, style);
    if (!report.host) return {};
    auto const& host = *report.host;
    std::string text;
    for (auto const& line :
         wrapped(for_screen(host_title(host, report.gpus_left_out), style), style.width))
        text += emphasised(line, Emphasis::heading, style) + '\n';
    text += '\n';
    if (!host.gpus.empty()) text += gpu_table(host, style) + '\n';
    auto const* const visibility = report.visibility ? &*report.visibility : nullptr;
    if (visibility != nullptr && !visibility->given.empty())
        text += visibility_table(host, *visibility, report.gpus_left_out, style);
    auto const complaints = complaints_of(host);
    LabelledText lines(style, label_width);
    lines.add("no GPU", no_gpu_line(host), Emphasis::notable);
    for (auto const& [label, line] : host_lines(host, report.gpus_left_out)) lines.add(label, line);
    if (visibility != nullptr)
        for (auto const& [label, line] : visibility_lines(host, *visibility, report.gpus_left_out))
            lines.add(label, line);
    // Every dispute is a finding once somebody has judged the host.
    if (report.findings.empty())
        lines.add("disputed", joined(complaints.disputes), Emphasis::notable);
    std::string_view label = "findings";
    for (auto const& line : finding_lines(findings_about(false, report.findings)))
        lines.add(std::exchange(label, ""), line, Emphasis::notable);
    label = "settings";
    for (auto const& line : finding_lines(findings_about(true, report.findings)))
        lines.add(std::exchange(label, ""), line, Emphasis::notable);
    lines.add("missing", missing_line(complaints), Emphasis::notable);
    if (host.recorded) lines.add("recorded", *host.recorded, Emphasis::quiet);
    lines.add("next", next_line(report), Emphasis::quiet);
    return text + lines.take();
}

}  // namespace rocmtune
