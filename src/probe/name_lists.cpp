// SPDX-License-Identifier: MIT
#include "probe/name_lists.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Takes the next line off the front of `list`.
std::string_view next_line(std::string_view& list) {
    auto const end = std::min(list.find('\n'), list.size());
    auto const line = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    return line;
}

/// "Navi 31 [Radeon RX 7900 XT]" is known to buyers by the part in brackets.
std::string_view in_brackets(std::string_view name) {
    auto const open = name.rfind('[');
    auto const close = name.rfind(']');
    if (open == name.npos || close == name.npos || close < open + 2) return name;
    return name.substr(open + 1, close - open - 1);
}

}  // namespace

std::optional<std::string_view> find_amdgpu_name(std::string_view list, std::uint16_t device,
                                                 std::uint8_t revision) {
    while (!list.empty()) {
        auto const line = next_line(list);
        auto const first = line.find(',');
        auto const second = first == line.npos ? first : line.find(',', first + 1);
        if (second == line.npos || line.starts_with('#')) continue;
        auto const id = to_unsigned(trim(line.substr(0, first)), 16);
        auto const entry = to_unsigned(trim(line.substr(first + 1, second - first - 1)), 16);
        auto const name = trim(line.substr(second + 1));
        if (id == device && entry == revision && !name.empty() && is_utf8(name)) return name;
    }
    return std::nullopt;
}

std::optional<std::string_view> find_pci_name(std::string_view list, std::uint16_t vendor,
                                              std::uint16_t device) {
    bool in_vendor = false;
    while (!list.empty()) {
        auto const line = next_line(list);
        if (line.empty() || line[0] == '#' || line.starts_with("\t\t")) continue;
        bool const is_device = line[0] == '\t';
        auto const body = is_device ? line.substr(1) : line;
        auto const id = body.size() > 5 ? to_unsigned(body.substr(0, 4), 16) : std::nullopt;
        if (!is_device) {
            if (in_vendor) return std::nullopt;  // vendors follow one another
            in_vendor = id == vendor;
        } else if (in_vendor && id == device) {
            auto const name = trim(in_brackets(trim(body.substr(4))));
            if (!name.empty() && is_utf8(name)) return name;
        }
    }
    return std::nullopt;
}

}  // namespace rocmtune
