// SPDX-License-Identifier: MIT
#include "commands/needed_readers.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "judge/checks/checks.hpp"
#include "knowledge/messages.hpp"

namespace rocmtune {
namespace {

/// Readers that cost most of the time. The others are quick, and nearly every check needs some.
constexpr std::string_view costly_readers =
    "telemetry processes kernel-log rocm python caches runtimes";

struct Need {
    std::string_view theme;
    std::string_view readers;  ///< of the costly ones
};

/// Checks of other themes get everything.
constexpr Need needs[] = {
    {"driver", ""},
    {"access", ""},
    {"host", ""},
    {"container", ""},
    {"pcie", "telemetry"},
    {"xgmi", "telemetry"},
    {"power", "telemetry"},
    {"occupancy", "telemetry processes"},
    {"alike", "telemetry"},
    {"ras", "telemetry"},
    {"kernel-log", "kernel-log"},
};

/// Nothing: all of them.
std::optional<std::string_view> needed_by(std::string_view id) {
    auto const* check = find_check(id);
    if (check == nullptr)
        return find_message_class(id) ? std::optional<std::string_view>("kernel-log")
                                      : std::nullopt;
    auto const found = std::ranges::find(needs, check->theme, &Need::theme);
    return found == std::end(needs) ? std::nullopt : std::optional(found->readers);
}

}  // namespace

std::vector<std::string_view> needless_readers(std::string_view id) {
    auto const needed = needed_by(id);
    if (!needed) return {};
    auto readers = words(costly_readers);
    std::erase_if(readers, [&](std::string_view reader) {
        return std::ranges::count(words(*needed), reader) > 0;
    });
    return readers;
}

}  // namespace rocmtune
