// SPDX-License-Identifier: MIT
#include "cli/device_selector.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Kind = DeviceSelector::Kind;

constexpr std::pair<std::string_view, Kind> prefixes[] = {
    {"hip:", Kind::hip}, {"cuda:", Kind::cuda}, {"kfd:", Kind::kfd}};

/// "03:00.0" or "0000:03:00.0".
std::optional<std::string> full_address(std::string_view text) {
    constexpr std::string_view shape = "0000:00:00.0";
    auto const address = text.size() == 7 ? "0000:" + lower(text) : lower(text);
    if (address.size() != shape.size()) return std::nullopt;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        bool const digit =
            std::string_view("0123456789abcdef").find(address[i]) != std::string_view::npos;
        if (shape[i] == '0' ? !digit : address[i] != shape[i]) return std::nullopt;
    }
    return address;
}

std::optional<DeviceSelector> parse(std::string_view text) {
    for (auto const& [prefix, kind] : prefixes) {
        if (!text.starts_with(prefix)) continue;
        auto const number = to_unsigned(text.substr(prefix.size()), 10);
        if (!number) return std::nullopt;
        return DeviceSelector{kind, *number, false, {}};
    }
    if (auto const row = to_unsigned(text, 10)) return DeviceSelector{Kind::row, *row, false, {}};
    auto const slash = text.find('/');
    if (auto const address = full_address(text.substr(0, slash))) {
        DeviceSelector selector{Kind::address, 0, slash != text.npos, *address};
        auto const partition = slash != text.npos ? to_unsigned(text.substr(slash + 1), 10) : 0;
        if (!partition) return std::nullopt;
        selector.number = *partition;
        return selector;
    }
    if (lower(text).starts_with("gpu-")) return DeviceSelector{Kind::uuid, 0, false, lower(text)};
    return std::nullopt;
}

/// Addresses of partitions differ in their function; the card's is meant.
bool same_card(std::string_view a, std::string_view b) {
    return a.substr(0, a.rfind('.')) == b.substr(0, b.rfind('.'));
}

}  // namespace

bool DeviceSelector::matches(DeviceNames const& names) const {
    switch (kind) {
        case Kind::row: return names.gpu != nullptr && names.gpu->row.value() == number;
        case Kind::hip: return names.backend == "hip" && names.index == number;
        case Kind::cuda: return names.backend == "cuda" && names.index == number;
        case Kind::kfd: return names.gpu != nullptr && names.gpu->kfd_node.value() == number;
        case Kind::uuid:
            return lower(names.uuid) == text ||
                   (names.gpu != nullptr && lower(names.gpu->uuid.value_or("")) == text);
        case Kind::address: break;
    }
    if (names.gpu == nullptr) return names.pci_address == text && !partition;
    bool const here = names.gpu->pci_address && same_card(*names.gpu->pci_address, text);
    return here && (!partition || names.gpu->partition_index.value_or(0) == number);
}

DeviceSelector parse_device_selector(std::string_view text) {
    if (auto const selector = parse(text)) return *selector;
    throw Error(
        fmt::format("--gpu does not understand '{}'", printable(text)),
        "hip:N, cuda:N, kfd:N, a PCI address, a UUID, or the row that rocmtune probe prints");
}

}  // namespace rocmtune
