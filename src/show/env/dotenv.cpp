// SPDX-License-Identifier: MIT
// NAME=value lines as systemd's EnvironmentFile=, docker's --env-file and the dotenv libraries read
// them. They differ in what quotes mean, so values go without, and those that would need them are
// refused.
#include <algorithm>

#include <fmt/format.h>

#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

bool is_plain(std::string_view value) {
    return std::all_of(value.begin(), value.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view("_-+=:,./%@^").find(c) != std::string_view::npos;
    });
}

std::string line(Setting const& setting) {
    if (!setting.value)
        return fmt::format("# To be removed: {} (this format cannot clear a variable)\n",
                           setting.name);
    if (!is_plain(*setting.value))
        throw Error(fmt::format("the value of {} needs quotes, which every reader of dotenv files "
                                "takes differently",
                                setting.name),
                    "--format sh can carry it");
    return fmt::format("{}={}\n", setting.name, *setting.value);
}

}  // namespace

std::string dotenv_lines(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "dotenv", Carries::one_line);
    auto text = header(report,
                       "Use: docker run --env-file FILE, EnvironmentFile=FILE in a systemd unit, "
                       "or a dotenv library.");
    for (auto const& setting : settings.items) text += reason(setting) + line(setting);
    return text + remarks(report);
}

}  // namespace rocmtune
