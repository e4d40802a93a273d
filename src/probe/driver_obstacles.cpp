// SPDX-License-Identifier: MIT
// What keeps amdgpu from loading, and which loaded modules disturb it.
#include "probe/driver_obstacles.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

bool is_module(std::string_view name, std::string_view module) {
    return std::equal(name.begin(), name.end(), module.begin(), module.end(), [](char a, char b) {
        return a == b || (a == '-' && b == '_') || (a == '_' && b == '-');
    });
}

bool does_nothing(std::string_view command) {
    constexpr std::array<std::string_view, 7> commands{
        "/bin/true", "/bin/false", "/usr/bin/true", "/usr/bin/false", "true", "false", ":"};
    return std::find(commands.begin(), commands.end(), command) != commands.end();
}

/// Whether a comma list, perhaps in quotes, names the module.
bool lists_module(std::string_view list, std::string_view module) {
    while (list.starts_with('"')) list.remove_prefix(1);
    while (list.ends_with('"')) list.remove_suffix(1);
    auto const names = split(list, ',');
    return std::any_of(names.begin(), names.end(),
                       [&](auto name) { return is_module(name, module); });
}

/// modprobe.d(5): in this order; a file hides those of the same name in later directories.
constexpr std::array<std::string_view, 5> modprobe_directories{
    "/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d",
    "/lib/modprobe.d"};

/// Bound against trees that are no hosts.
constexpr std::size_t max_files = 512;

void read_modprobe_file(HostRoot const& root, std::string const& path, Tried& tried,
                        std::vector<std::string>& found) {
    auto const text = root.read(path);
    if (!text) {
        auto const status = root.status(path);
        // A link to /dev/null is the way to hide a file of a later directory.
        if (!status || status->kind != 'c') tried.add(text);
        return;
    }
    for (auto const& line : modprobe_lines_against(*text, "amdgpu"))
        found.push_back(path + ": " + line);
}

void read_modprobe_directories(HostRoot const& root, Tried& tried,
                               std::vector<std::string>& found) {
    std::set<std::string> seen;
    for (auto const directory : modprobe_directories) {
        auto const names = root.list(directory);
        if (!names) tried.add(names);
        for (auto const& name : names.value.value_or(std::vector<std::string>())) {
            if (!name.ends_with(".conf") || !seen.insert(name).second) continue;
            if (seen.size() > max_files)
                return tried.add(Missing::not_read, fmt::format("{}: too many files", directory));
            read_modprobe_file(root, fmt::format("{}/{}", directory, name), tried, found);
        }
    }
}

struct Conflict {
    std::string_view module;
    std::string_view why;
};

/// ast: AMD, "GPU partitioning", MI300X troubleshooting, item 4. gim: AMD MxGPU-Virtualization,
/// host driver: it takes the place of amdgpu. fglrx: AMD's driver before amdgpu.
constexpr std::array conflicts{
    Conflict{"ast", "BMC display driver: GPU partitions may stay missing while it is loaded"},
    Conflict{"gim", "SR-IOV host driver: it owns the GPUs that amdgpu would drive"},
    Conflict{"fglrx", "AMD's former driver: it excludes amdgpu"},
};

/// Whether /proc/modules ("NAME SIZE USERS ...", one a line) names a module.
bool lists_loaded(std::string_view modules, std::string_view name) {
    auto const all = lines(modules);
    return std::any_of(all.begin(), all.end(), [&](std::string_view line) {
        return line.substr(0, line.find(' ')) == name;
    });
}

}  // namespace

std::vector<std::string> modprobe_lines_against(std::string_view text, std::string_view module) {
    std::string joined(text);
    for (auto at = joined.find("\\\n"); at != joined.npos; at = joined.find("\\\n", at))
        joined.replace(at, 2, "  ");
    std::vector<std::string> found;
    for (auto const line : lines(joined)) {
        auto const word = words(line);
        if (word.size() < 2 || word[0].starts_with('#') || !is_module(word[1], module)) continue;
        if (word[0] == "blacklist") {
            found.push_back(fmt::format("blacklist {}", word[1]));
        } else if (word[0] == "install" && word.size() > 2 && does_nothing(word[2]) &&
                   (word.size() == 3 || word[3].starts_with('#'))) {
            found.push_back(fmt::format("install {} {}", word[1], word[2]));
        }
    }
    return found;
}

std::vector<std::string> arguments_against_amdgpu(std::vector<std::string> const& arguments) {
    std::vector<std::string> found;
    // What follows a bare `--` is for init. nomodeset stops amdgpu unless it is told otherwise
    // (amdgpu_drv.c, drm_firmware_drivers_only).
    auto const end = std::find(arguments.begin(), arguments.end(), "--");
    bool const forced = std::find(arguments.begin(), end, "amdgpu.modeset=1") != end;
    std::for_each(arguments.begin(), end, [&](std::string_view argument) {
        auto const equals = std::min(argument.find('='), argument.size());
        auto const name = argument.substr(0, equals);
        bool const is_list = name == "modprobe.blacklist" || is_module(name, "module_blacklist");
        bool const listed = is_list && equals < argument.size() &&
                            lists_module(argument.substr(equals + 1), "amdgpu");
        if (listed || (argument == "nomodeset" && !forced)) found.emplace_back(argument);
    });
    return found;
}

void read_blacklists(HostRoot const& root, std::string_view reader, Host& host) {
    std::vector<std::string> found;
    Tried tried;
    if (host.kernel_arguments) {
        for (auto const& argument : arguments_against_amdgpu(*host.kernel_arguments))
            found.push_back("/proc/cmdline: " + argument);
    } else {
        tried.add(host.kernel_arguments.reason(), host.kernel_arguments.detail());
    }
    if (in_container(host))
        tried.add(Missing::unsupported, "a container does not show the host's modprobe.d");
    else read_modprobe_directories(root, tried, found);
    tried.offer(host.driver_blacklists, std::move(found), {reader, "/etc/modprobe.d"});
}

void read_conflicts(HostRoot const& root, std::string_view reader, Host& host) {
    auto const modules = root.status("/sys/module");
    if (!modules) return miss(host.driver_conflicts, modules);
    std::vector<std::string> found;
    Tried tried;
    // /sys/module shows built-in drivers too; but captures hold few of its directories, so only
    // with the list of modules does a missing one mean that it is not loaded.
    auto const loaded = root.read("/proc/modules");
    if (!loaded) tried.add(loaded);
    for (auto const& conflict : conflicts) {
        auto const status = root.status(fmt::format("/sys/module/{}", conflict.module));
        if (status || lists_loaded(loaded.value.value_or(""), conflict.module))
            found.push_back(fmt::format("{}: {}", conflict.module, conflict.why));
        else tried.add(status);
    }
    tried.offer(host.driver_conflicts, std::move(found), {reader, "/sys/module"});
}

}  // namespace rocmtune
