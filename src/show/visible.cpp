// SPDX-License-Identifier: MIT
#include "show/visible.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

using Devices = std::optional<std::vector<VisibleDevice>>;
using Lines = std::vector<std::pair<std::string, std::string>>;

std::string place(VisibleDevice const& device) {
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
                                    place(device)));
    if (parts.empty()) return {};
    auto const more = parts.size() > shown ? fmt::format(" and {} more", parts.size() - shown) : "";
    parts.resize(std::min(parts.size(), shown));
    return fmt::format(": {}{}", fmt::join(parts, ", "), more);
}

std::string seen_text(std::size_t gpus, Visibility const& visibility) {
    if (!visibility.hip.devices) return "what HIP sees cannot be known";
    return fmt::format("HIP sees {} of {} GPU{}{}", visibility.hip.devices->size(), gpus,
                       gpus == 1 ? "" : "s", hip_text(visibility));
}

std::string settings_text(Visibility const& visibility) {
    std::vector<std::string> parts;
    for (auto const& [name, value] : visibility.variables) {
        auto const& given = visibility.given;
        bool const environment = std::find(given.begin(), given.end(), name) == given.end();
        parts.push_back(
            fmt::format("{}={}{}", name, shorten(value, 60), environment ? " (environment)" : ""));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
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

std::string notes_text(std::vector<std::string> const& notes) {
    return fmt::format("{}", fmt::join(notes, "; "));
}

}  // namespace

std::string visibility_table(Host const& host, Visibility const& visibility, std::uint64_t left_out,
                             TextStyle const& style) {
    auto const is_shown = [&](VisibleDevice const& device) {
        return left_out == 0 || std::ranges::any_of(host.gpus, [&](Gpu const& gpu) {
                   return gpu.row && gpu.row.value() == device.row;
               });
    };
    std::vector<std::vector<std::string>> rows;
    for (auto const& device : in_order(visibility)) {
        if (!is_shown(device)) continue;
        rows.push_back({number_in(visibility.hip.devices, "hip", device),
                        number_in(visibility.pytorch.devices, "cuda", device),
                        number_in(visibility.rocr.devices, "rocr", device),
                        device.row ? fmt::format("{}", *device.row) : "?", place(device),
                        name_of(host, device)});
    }
    if (rows.empty()) return {};
    std::vector<Column> columns{{"HIP"},       {"PyTorch"},     {"ROCr"},
                                {"GPU", true}, {"PCI address"}, {"name", false, false, true}};
    return table_text(std::move(columns), std::move(rows), style) + '\n';
}

std::vector<std::pair<std::string, std::string>> visibility_lines(Host const& host,
                                                                  Visibility const& visibility,
                                                                  std::uint64_t left_out) {
    auto const seen = seen_text(host.gpus.size() + left_out, visibility);
    if (visibility.given.empty()) {
        auto text = seen;
        for (auto const* notes : {&visibility.rocr.notes, &visibility.hip.notes})
            for (auto const& note : *notes) text += "; " + note;
        return {{"visible", text}};
    }
    Lines lines{{"visible", seen}, {"with", settings_text(visibility)}};
    lines.emplace_back("ROCr", notes_text(visibility.rocr.notes));
    lines.emplace_back("HIP", notes_text(visibility.hip.notes));
    lines.emplace_back("PyTorch", torch_text(visibility.pytorch));
    return lines;
}

}  // namespace rocmtune
