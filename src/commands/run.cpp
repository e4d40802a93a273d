// SPDX-License-Identifier: MIT
// rocmtune run: the settings of env, and then the command in our place.
#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>

#include <unistd.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "knowledge/scrub.hpp"
#include "machine/environment_change.hpp"
#include "machine/posix_file.hpp"
#include "measure/output.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// As env(1) and POSIX have them.
constexpr auto not_found = static_cast<Exit>(127);
constexpr auto not_runnable = static_cast<Exit>(126);

/// What is set now counts, not what a recorded host had.
bool is_wanted(Setting const& setting, bool force) {
    auto const is_set = [](std::string const& name) {
        return std::getenv(name.c_str()) != nullptr;
    };
    if (!setting.value) return is_set(setting.name);
    if (std::ranges::any_of(setting.unless_set, is_set)) return false;
    return force || !is_set(setting.name);
}

/// A line for a shell that does the same as this run would, but for secrets in the command.
std::string dry_run_line(Settings const& settings, std::vector<std::string> command) {
    std::string cleared;
    std::string set;
    for (auto const& setting : settings.items) {
        if (!is_wanted(setting, settings.force)) continue;
        if (setting.value) set += ' ' + setting.name + '=' + shell_word(*setting.value);
        else cleared += " -u " + setting.name;
    }
    auto line = "env" + cleared + set;
    scrub_words(command);
    for (auto const& word : command) line += ' ' + shell_word(word);
    return line + '\n';
}

/// A recording may be of any host, and its settings of another GPU are taken all the same.
void warn_of_other_host(RunCommand const& options, Settings const& settings) {
    if (options.is_quiet || options.host.is_this_host()) return;
    auto const here =
        fingerprint(read_host({.data = options.host.data, .sysfs_only = options.host.sysfs_only}));
    if (here == settings.fingerprint) return;
    auto const text = fmt::format(
        "rocmtune: warning: these settings are made for another host ({}, this one is {})\n",
        settings.fingerprint, here);
    print_error(text);
}

/// What -v says before the command takes over, on the stream that is not the command's output.
void say_what_is_applied(Settings const& settings) {
    std::string text;
    for (auto const& setting : settings.items) {
        auto const name = printable(setting.name);
        if (!is_wanted(setting, settings.force))
            text += fmt::format("rocmtune: {}: left as it is\n", name);
        else if (setting.value)
            text += fmt::format("rocmtune: {}={}: {}\n", name, printable(*setting.value),
                                printable(setting.why));
        else text += fmt::format("rocmtune: {} is cleared: {}\n", name, printable(setting.why));
    }
    print_error(text.empty() ? "rocmtune: nothing is set or cleared\n" : text);
}

void apply(Settings const& settings) {
    for (auto const& setting : settings.items) {
        if (!is_wanted(setting, settings.force)) continue;
        int const result = setting.value ? ::setenv(setting.name.c_str(), setting.value->c_str(), 1)
                                         : ::unsetenv(setting.name.c_str());
        if (result != 0)
            throw Error(fmt::format("cannot set {}: {}", setting.name, errno_text(errno)));
    }
}

/// Comes back only if the command cannot be started.
Exit replace_by(std::vector<std::string> command) {
    ::execvp(command[0].c_str(), pointers_to(command).data());
    return not_started(command[0], errno);
}

}  // namespace

Exit not_started(std::string const& program, int error) {
    print_error(
        fmt::format("rocmtune: cannot run '{}': {}\n", printable(program), errno_text(error)));
    return error == ENOENT ? not_found : not_runnable;
}

Exit run_run(RunCommand const& options) {
    auto const catalogue = catalogue_for(options.host.data);
    auto report = advised_report(options.host, options.advice, catalogue);
    report.command = "run";
    auto const& settings = checked_settings(report, "an environment", Carries::bytes);
    warn_of_other_host(options, settings);
    if (options.is_verbose) say_what_is_applied(settings);
    if (options.is_dry) return print(dry_run_line(settings, options.command)), Exit::ok;
    apply(settings);
    // What failed has failed here, whatever host the settings are for.
    if (options.diagnoses)
        return run_diagnose(
            {.host = {.data = options.host.data, .sysfs_only = options.host.sysfs_only},
             .output = options.output,
             .command = options.command,
             .hang = options.hang});
    return replace_by(options.command);
}

}  // namespace rocmtune
