// SPDX-License-Identifier: MIT
// The one screen that answers: what is here, and may I use it?
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"
#include "show/findings.hpp"
#include "show/host_cells.hpp"

namespace rocmtune {
namespace {

// ---- what a process sees ------------------------------------------------------------------------

using Devices = std::optional<std::vector<VisibleDevice>>;

std::string place_of(VisibleDevice const& device) {
    auto const address = device.pci_address.value_or("-");
    return device.partition_index ? fmt::format("{}/{}", address, *device.partition_index)
                                  : address;
}

/// "hip:1", or "-" for a device that the runtime does not show, "?" where that is not known.
std::string number_in(Devices const& devices, std::string_view prefix,
                      VisibleDevice const& device) {
    if (!devices) return "?";
    for (auto const& other : *devices)
        if (other.kfd_node == device.kfd_node) return fmt::format("{}:{}", prefix, other.index);
    return "-";
}

std::string name_of(Host const& host, VisibleDevice const& device) {
    for (auto const& gpu : host.gpus)
        if (gpu.row && gpu.row.value() == device.row) return gpu.marketing_name.value_or("-");
    return "-";
}

/// HIP's devices in its order, then what ROCr shows beside them.
std::vector<VisibleDevice> in_order(Visibility const& visibility) {
    auto devices = visibility.hip.devices.value_or(std::vector<VisibleDevice>{});
    for (auto const& device : visibility.rocr.devices.value_or(std::vector<VisibleDevice>{}))
        if (number_in(visibility.hip.devices, "hip", device) == "-" || !visibility.hip.devices)
            devices.push_back(device);
    return devices;
}

std::string hip_text(Visibility const& visibility) {
    constexpr std::size_t shown = 8;
    std::vector<std::string> parts;
    for (auto const& device : *visibility.hip.devices)
        parts.push_back(fmt::format("hip:{} = GPU {} ({})", device.index,
                                    device.row ? fmt::format("{}", *device.row) : "?",
                                    place_of(device)));
    if (parts.empty()) return {};
    auto const more = parts.size() > shown ? fmt::format(" and {} more", parts.size() - shown) : "";
    parts.resize(std::min(parts.size(), shown));
    return fmt::format(": {}{}", joined(parts), more);
}

std::string seen_text(std::size_t gpus, Visibility const& visibility) {
    if (!visibility.hip.devices) return "what HIP sees cannot be known";
    return fmt::format("HIP sees {} of {}{}", visibility.hip.devices->size(), counted(gpus, "GPU"),
                       hip_text(visibility));
}

std::string settings_text(Visibility const& visibility) {
    std::vector<std::string> parts;
    for (auto const& [name, value] : visibility.variables) {
        auto const& given = visibility.given;
        bool const environment = std::find(given.begin(), given.end(), name) == given.end();
        parts.push_back(
            fmt::format("{}={}{}", name, shorten(value, 60), environment ? " (environment)" : ""));
    }
    return joined(parts);
}

std::string torch_text(VisibleTorch const& torch) {
    if (torch.error) return "raises " + *torch.error;
    std::string count = "torch.cuda.device_count() is ";
    count += torch.count ? fmt::format("{}", *torch.count) : "not known";
    if (torch.count_without_amdsmi && torch.count != torch.count_without_amdsmi)
        count += fmt::format(" with the package amdsmi, {} without", *torch.count_without_amdsmi);
    for (auto const& note : torch.notes) count += "; " + note;
    return count;
}

/// A line for each GPU that ROCr shows, with its number in every runtime. Where the host has more
/// GPUs, which are left out, only those that it has here.
Table visibility_table(Host const& host, Visibility const& visibility, std::uint64_t left_out) {
    auto const is_shown = [&](VisibleDevice const& device) {
        return left_out == 0 || std::ranges::any_of(host.gpus, [&](Gpu const& gpu) {
                   return gpu.row && gpu.row.value() == device.row;
               });
    };
    Table table{.columns = {{"HIP"},
                            {"PyTorch"},
                            {"ROCr"},
                            {"GPU", true},
                            {"PCI address"},
                            {"name", false, false, true}}};
    for (auto const& device : in_order(visibility))
        if (is_shown(device))
            table.rows.push_back({number_in(visibility.hip.devices, "hip", device),
                                  number_in(visibility.pytorch.devices, "cuda", device),
                                  number_in(visibility.rocr.devices, "rocr", device),
                                  device.row ? fmt::format("{}", *device.row) : "?",
                                  place_of(device), name_of(host, device)});
    return table;
}

/// About all GPUs. With --visible, all notes; otherwise one line.
void add_visibility(Report const& report, std::vector<Line>& lines) {
    auto const& it = *report.visibility;
    auto const seen = seen_text(report.host->gpus.size() + report.gpus_left_out, it);
    if (!it.given.empty()) {
        lines.insert(lines.end(), {{"visible", seen},
                                   {"with", settings_text(it)},
                                   {"ROCr", joined(it.rocr.notes, "; ")},
                                   {"HIP", joined(it.hip.notes, "; ")},
                                   {"PyTorch", torch_text(it.pytorch)}});
        return;
    }
    std::vector<std::string> texts{seen};
    for (auto const* notes : {&it.rocr.notes, &it.hip.notes})
        texts.insert(texts.end(), notes->begin(), notes->end());
    lines.push_back({"visible", joined(texts, "; ")});
}

// ---- what is missing ----------------------------------------------------------------------------

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

/// A line for each kind and message, the worst first, equal ones of several GPUs as one; the first
/// is followed by its step. At most four, and how many more there are.
void add_findings(std::string const& label, std::vector<Finding> const& findings,
                  std::vector<Line>& lines) {
    constexpr std::size_t shown = 4;
    auto news = worst_first(findings);
    std::erase_if(news, [](Finding const* finding) { return !is_news(*finding); });
    auto const groups = groups_of(news);
    std::vector<std::string> texts;
    for (auto const& group : groups) {
        if (&group == groups.data() + shown) {
            texts.push_back(fmt::format("and {} more", groups.size() - shown));
            break;
        }
        auto const& finding = *group.first;
        auto subject = finding.subject == "host" ? std::string() : finding.subject + ": ";
        if (group.subjects.size() > 1) subject = fmt::format("on {} GPUs: ", group.subjects.size());
        texts.push_back(fmt::format("{} {} {}{}", finding.id, word_of(finding.verdict), subject,
                                    finding.message));
        // A setting has a line of its own with what clears it.
        if (&group == groups.data() && !finding.setting && is_bad(finding) && !group.step().empty())
            texts.push_back("do: " + group.step());
    }
    for (auto const& text : texts)
        lines.push_back({&text == &texts.front() ? label : "", text, Emphasis::notable});
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

void show_summary(Report const& report, Printer& out) {
    if (!report.host) return;
    auto const& host = *report.host;
    out.title("", host_title(host, report.gpus_left_out));
    out.table(gpu_table(host, out));
    auto const* const visibility = report.visibility ? &*report.visibility : nullptr;
    if (visibility != nullptr && !visibility->given.empty())
        out.table(visibility_table(host, *visibility, report.gpus_left_out));
    auto const complaints = complaints_of(host);
    std::vector<Line> lines{{"no GPU", no_gpu_line(host), Emphasis::notable}};
    // The first line below the GPUs says what is wrong, and the next one what to do.
    add_findings("findings", findings_about(false, report.findings), lines);
    add_findings("settings", findings_about(true, report.findings), lines);
    for (auto const& [label, line] : host_lines(host, report.gpus_left_out))
        lines.push_back({std::string(label), line});
    if (visibility != nullptr) add_visibility(report, lines);
    // Every dispute is a finding once somebody has judged the host.
    if (report.findings.empty())
        lines.push_back({"disputed", joined(complaints.disputes), Emphasis::notable});
    lines.push_back({"missing", missing_line(complaints), Emphasis::notable});
    lines.push_back({"recorded", host.recorded.value_or(""), Emphasis::quiet});
    lines.push_back({"next", next_line(report), Emphasis::quiet});
    out.lines(lines, usual_label_width);
}

}  // namespace rocmtune
