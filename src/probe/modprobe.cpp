// SPDX-License-Identifier: MIT
// What modprobe.d(5) and the kernel's arguments ask of amdgpu and of the memory manager TTM: that
// they are not loaded, and parameters.
#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "base/host.hpp"
#include "machine/host_commands.hpp"
#include "machine/host_root.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view modprobe_reader = "driver";

/// The driver, TTM under its three names (amd_ttm, amdttm: those of DKMS), and the compute part of
/// amdgpu, which was a module of its own until Linux 4.20.
constexpr std::array<std::string_view, 5> modules_with_options{"amdgpu", "ttm", "amdttm", "amd_ttm",
                                                               "amdkfd"};

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
constexpr std::size_t most_modprobe_files = 512;

/// Hands over each file that modprobe reads, with its path.
class ModprobeFiles {
  public:
    using Take = std::function<void(std::string const& path, std::string_view text)>;

    ModprobeFiles(HostRoot const& root, Take take) : root_(root), take_(std::move(take)) {
        for (auto const directory : modprobe_directories) read(directory);
    }
    Tried const& tried() const { return tried_; }

  private:
    void read(std::string_view directory) {
        auto const names = root_.list(directory);
        if (!names) tried_.add(names);
        for (auto const& name : names.value.value_or(std::vector<std::string>())) {
            if (!name.ends_with(".conf") || !seen_.insert(name).second) continue;
            if (seen_.size() > most_modprobe_files)
                return tried_.add(Missing::not_read, fmt::format("{}: too many files", directory));
            read_file(fmt::format("{}/{}", directory, name));
        }
    }

    void read_file(std::string const& path) {
        auto const text = root_.read(path);
        if (text) return take_(path, *text);
        auto const status = root_.status(path);
        // A link to /dev/null is the way to hide a file of a later directory.
        if (!status || status->kind != 'c') tried_.add(text);
    }

    HostRoot const& root_;
    Take take_;
    std::set<std::string> seen_;
    Tried tried_;
};

/// Lines that end in a backslash go on.
std::string joined_lines(std::string_view text) {
    std::string joined(text);
    for (auto at = joined.find("\\\n"); at != joined.npos; at = joined.find("\\\n", at))
        joined.replace(at, 2, "  ");
    return joined;
}

std::string with_underscores(std::string_view name) {
    std::string text(name);
    std::ranges::replace(text, '-', '_');
    return text;
}

/// The module's name as its file has it; empty for one of no concern.
std::string_view module_with_options(std::string_view name) {
    auto const found = std::ranges::find_if(
        modules_with_options, [&](std::string_view module) { return is_module(name, module); });
    return found == modules_with_options.end() ? std::string_view() : *found;
}

/// "amdgpu.gttsize=1024" of a module and "gttsize=1024": the kernel takes - and _ of names for the
/// same (kernel/params.c, parameq).
std::string option_text(std::string_view module, std::string_view word) {
    auto const equals = std::min(word.find('='), word.size());
    return printable(fmt::format("{}.{}{}", module, with_underscores(word.substr(0, equals)),
                                 word.substr(equals)));
}

}  // namespace

std::vector<std::string> modprobe_lines_against(std::string_view text, std::string_view module) {
    auto const joined = joined_lines(text);
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

std::vector<std::string> module_options_in(std::string_view text) {
    auto const joined = joined_lines(text);
    std::vector<std::string> found;
    for (auto const line : lines(joined)) {
        auto const word = words(line);
        if (word.size() < 3 || word[0] != "options") continue;
        auto const module = module_with_options(word[1]);
        for (std::size_t i = 2; i < word.size() && !module.empty() && word[i][0] != '#'; ++i)
            found.push_back(option_text(module, word[i]));
    }
    return found;
}

std::vector<std::string> module_options_of(std::vector<std::string> const& arguments) {
    std::vector<std::string> found;
    for (auto const& argument : arguments) {
        if (argument == "--") break;  // what follows is for init
        auto const parts = split_once(argument, '.');
        auto const module = parts ? module_with_options(parts->first) : std::string_view();
        if (!module.empty()) found.push_back(option_text(module, parts->second));
    }
    return found;
}

namespace {

/// What the kernel's arguments and modprobe.d say, each with its place before it.
struct Asked {
    std::vector<std::string> blacklists;
    std::vector<std::string> options;
    Tried tried;

    void add(std::vector<std::string>& list, std::string_view place,
             std::vector<std::string> const& texts) {
        for (auto const& text : texts) list.push_back(fmt::format("{}: {}", place, text));
    }
};

Asked what_is_asked(HostRoot const& root, Host const& host) {
    Asked asked;
    constexpr std::string_view arguments = "/proc/cmdline";
    if (host.kernel_arguments) {
        asked.add(asked.blacklists, arguments, arguments_against_amdgpu(*host.kernel_arguments));
        asked.add(asked.options, arguments, module_options_of(*host.kernel_arguments));
    } else {
        asked.tried.add(host.kernel_arguments.reason(), host.kernel_arguments.detail());
    }
    if (in_container(host)) {
        asked.tried.add(Missing::unsupported, "a container does not show the host's modprobe.d");
        return asked;
    }
    ModprobeFiles const files(root, [&](std::string const& path, std::string_view text) {
        asked.add(asked.blacklists, path, modprobe_lines_against(text, "amdgpu"));
        asked.add(asked.options, path, module_options_in(text));
    });
    if (auto const reason = files.tried().reason())
        asked.tried.add(*reason, files.tried().detail());
    return asked;
}

/// "amdgpu", "gttsize" of "PLACE: amdgpu.gttsize=1024".
std::pair<std::string, std::string> module_and_name(std::string_view option) {
    auto const at = option.rfind(": ");
    auto const rest = at == option.npos ? option : option.substr(at + 2);
    auto const parts = split_once(rest.substr(0, rest.find('=')), '.');
    return parts ? std::pair(std::string(parts->first), std::string(parts->second))
                 : std::pair<std::string, std::string>();
}

/// What the loaded module shows; where that lacks one that is asked for, what its file has, too:
/// parameters that nobody may read have no file in sysfs.
void add_parameters(HostRoot const& root, std::string const& module,
                    std::set<std::string> const& asked, std::set<std::string>& all, Tried& tried) {
    auto const shown = root.list(fmt::format("/sys/module/{}/parameters", module));
    std::set<std::string> names;
    if (shown) names.insert(shown->begin(), shown->end());
    if (!std::ranges::includes(names, asked)) {
        auto const file = root.call(std::string(module_info_key) + module);
        if (!file) tried.add(file);
        auto const text = file.value.value_or("");
        for (auto const line : lines(text))
            if (auto const word = words(line); word.size() == 2 && word[0] == "parm")
                names.insert(std::string(word[1]));
    }
    for (auto const& name : names) all.insert(printable(fmt::format("{}.{}", module, name)));
}

void read_module_parameters(HostRoot const& root, Host& host) {
    auto& fact = host.module_parameters;
    auto const& options = host.module_options;
    if (!options) return fact.miss(options.reason(), options.detail());
    if (options->empty()) return fact.miss(Missing::not_read, "no parameter is asked for");
    if (in_container(host))
        return fact.miss(Missing::unsupported, "a container does not show the host's modules");
    std::map<std::string, std::set<std::string>> asked;
    for (auto const& option : *options) {
        auto [module, name] = module_and_name(option);
        asked[std::move(module)].insert(std::move(name));
    }
    std::set<std::string> all;
    Tried tried;
    for (auto const& [module, names] : asked) add_parameters(root, module, names, all, tried);
    tried.offer(fact, std::vector<std::string>(all.begin(), all.end()),
                {modprobe_reader, "/sys/module"});
}

}  // namespace

void read_modprobe(HostRoot const& root, Host& host) {
    auto asked = what_is_asked(root, host);
    Source const where{modprobe_reader, "/etc/modprobe.d"};
    asked.tried.offer(host.driver_blacklists, std::move(asked.blacklists), where);
    asked.tried.offer(host.module_options, std::move(asked.options), where);
    read_module_parameters(root, host);
}

}  // namespace rocmtune
