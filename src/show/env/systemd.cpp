// SPDX-License-Identifier: MIT
// A drop-in for a unit: systemd.exec(5), Environment= and UnsetEnvironment=.
#include <fmt/format.h>

#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// systemd.syntax(7), Quoting: C escapes inside double quotes; % begins a specifier.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (auto const c : text) {
        auto const byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') result += std::string("\\") + c;
        else if (c == '%') result += "%%";
        else if (byte < 0x20 || byte == 0x7F) result += fmt::format("\\x{:02x}", byte);
        else result += c;
    }
    return result + '"';
}

std::string line(Setting const& setting) {
    if (!setting.value) return "UnsetEnvironment=" + setting.name + '\n';
    return fmt::format("Environment={}\n", quoted(setting.name + '=' + *setting.value));
}

}  // namespace

std::string systemd_lines(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "systemd", Carries::text);
    auto text = header(report,
                       "Use: store as /etc/systemd/system/NAME.service.d/rocmtune.conf, then "
                       "systemctl daemon-reload.");
    text += "[Service]\n";
    for (auto const& setting : settings.items) text += reason(setting) + line(setting);
    return text + remarks(report);
}

}  // namespace rocmtune
