// SPDX-License-Identifier: MIT
// A shell script that calls docker run with what a container on this host needs; image and command
// are its arguments. podman takes the same options.
#include <fmt/format.h>

#include "base/shell.hpp"
#include "host/environment.hpp"
#include "show/env/container_needs.hpp"
#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

std::string number(std::optional<std::uint64_t> const& limit) {
    return limit ? fmt::format("{}", *limit) : std::string("-1");
}

std::vector<std::string> options_for(ContainerNeeds const& needs) {
    std::vector<std::string> options;
    for (auto const& device : needs.devices) options.push_back("--device=" + posix_quoted(device));
    for (auto const id : needs.group_ids) options.push_back(fmt::format("--group-add={}", id));
    options.push_back(fmt::format("--shm-size={}", needs.shm_bytes));
    for (auto const& limit : needs.limits)
        options.push_back(
            fmt::format("--ulimit={}={}:{}", limit.name, number(limit.soft), number(limit.hard)));
    return options;
}

}  // namespace

std::string docker_command(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "docker", Carries::bytes);
    auto const needs = container_needs(report);
    auto text =
        "#!/bin/sh\n" + header(report, "Use: sh THIS_FILE [docker options] IMAGE [COMMAND...]");
    auto options = options_for(needs);
    for (auto const& setting : settings.items) {
        if (!setting.value) continue;  // a container starts without the variables of its host
        // The devices are the choice, and the only ones that a mask could number.
        if (!settings.rows.empty() && is_device_mask(setting.name)) continue;
        text += reason(setting);
        options.push_back("--env=" + posix_quoted(setting.name + '=' + *setting.value));
    }
    for (auto const& note : needs.notes) text += comment("Note: " + note);
    text += comment(
        "Note: an engine without root's rights cannot raise limits: there, take --ulimit out");
    text += remarks(report) + "exec docker run --rm \\\n";
    for (auto const& option : options) text += fmt::format("    {} \\\n", option);
    return text + "    \"$@\"\n";
}

}  // namespace rocmtune
