// SPDX-License-Identifier: MIT
// Files that other programs read: units of systemd, dotenv libraries, GitHub Actions, Environment
// Modules and Lmod.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// systemd.syntax(7), Quoting: C escapes inside double quotes; % begins a specifier.
std::string unit_quoted(std::string_view text) {
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

/// systemd.exec(5), Environment= and UnsetEnvironment=.
std::string unit_line(Setting const& setting, bool) {
    if (!setting.value) return "UnsetEnvironment=" + setting.name + '\n';
    return fmt::format("Environment={}\n", unit_quoted(setting.name + '=' + *setting.value));
}

/// NAME=value as systemd's EnvironmentFile=, docker's --env-file and the dotenv libraries read it.
/// They differ in what quotes mean, so values go without, and those that would need them are
/// refused.
std::string dotenv_line(Setting const& setting, bool) {
    if (!setting.value)
        return fmt::format("# To be removed: {} (this format cannot clear a variable)\n",
                           setting.name);
    auto const is_plain = [](char c) {
        return is_name_character(c) ||
               std::string_view("-+=:,./%@^").find(c) != std::string_view::npos;
    };
    if (!std::ranges::all_of(*setting.value, is_plain))
        throw Error(fmt::format("the value of {} needs quotes, which every reader of dotenv files "
                                "takes differently",
                                setting.name),
                    "--format sh can carry it");
    return fmt::format("{}={}\n", setting.name, *setting.value);
}

/// A word that does not occur in the value, so that no value can end its own block.
std::string delimiter_for(std::string_view value) {
    std::string word = "END_OF_VALUE";
    while (value.find(word) != value.npos) word += '_';
    return word;
}

// ---- a modulefile in Tcl ------------------------------------------------------------------------
// Which variables it set is noted in ROCMTUNE_MODULE, so that unloading takes back those and no
// others. Values with line ends are refused: what modulecmd then tells a shell is not what was set;
// so are tildes, which it leaves unquoted.

/// Of what is set already, or that stands beside a variable that it must not meet, nothing is set.
constexpr std::string_view may = R"(proc rocmtune_may {name args} {
    global env
    if {[module-info mode unload]} {
        return [expr {[info exists env(ROCMTUNE_MODULE)] && [lsearch -exact [split $env(ROCMTUNE_MODULE) :] $name] >= 0}]
    }
    foreach other [linsert $args 0 $name] {
        if {[info exists env($other)]} { return 0 }
    }
    return 1
}
)";

/// Tcl(n): in double quotes a backslash takes every special character its meaning.
std::string tcl_quoted(std::string_view text) {
    return '"' +
           replaced(text, {{'\\', "\\\\"},
                           {'"', "\\\""},
                           {'$', "\\$"},
                           {'[', "\\["},
                           {']', "\\]"},
                           {'{', "\\{"},
                           {'}', "\\}"}}) +
           '"';
}

std::string module_lines(Setting const& setting, bool force) {
    auto const& name = setting.name;
    if (setting.value && setting.value->find('~') != std::string::npos)
        throw Error(fmt::format("the value of {} has a tilde: modulecmd does not quote it", name),
                    "--format sh can carry it");
    if (!setting.value) return fmt::format("unsetenv {}\n", name);
    // pushenv puts the old value back at unload.
    if (force) return fmt::format("pushenv {} {}\n", name, tcl_quoted(*setting.value));
    std::string others;
    for (auto const& other : setting.unless_set) others += ' ' + other;
    return fmt::format(
        "if {{[rocmtune_may {0}{2}]}} {{\n    setenv {0} {1}\n    append-path ROCMTUNE_MODULE "
        "{0}\n}}\n",
        name, tcl_quoted(*setting.value), others);
}

}  // namespace

std::string systemd_lines(Report const& report, TextStyle const&) {
    return script(report,
                  {.format = "systemd",
                   .carries = Carries::text,
                   .use = "Use: store as /etc/systemd/system/NAME.service.d/rocmtune.conf, then "
                          "systemctl daemon-reload.",
                   .is_airy = false,
                   .lines = unit_line},
                  "[Service]\n");
}

std::string dotenv_lines(Report const& report, TextStyle const&) {
    return script(report, {.format = "dotenv",
                           .carries = Carries::one_line,
                           .use = "Use: docker run --env-file FILE, EnvironmentFile=FILE in a "
                                  "systemd unit, or a dotenv library.",
                           .is_airy = false,
                           .lines = dotenv_line});
}

/// Lines for the file $GITHUB_ENV of GitHub Actions. It has no comments and cannot clear a
/// variable. https://docs.github.com/actions/reference/workflow-commands-for-github-actions
std::string github_lines(Report const& report, TextStyle const&) {
    std::string text;
    for (auto const& setting : checked_settings(report, "github", Carries::text).items) {
        if (!setting.value || setting.keep) continue;
        auto const& value = *setting.value;
        auto const end = delimiter_for(value);
        text += is_one_line(value) ? fmt::format("{}={}\n", setting.name, value)
                                   : fmt::format("{}<<{}\n{}\n{}\n", setting.name, end, value, end);
    }
    return text;
}

/// For Environment Modules 5 and Lmod.
std::string modulefile(Report const& report, TextStyle const&) {
    bool const asks = !report.settings->force && !report.settings->items.empty();
    return script(
        report,
        {.format = "modulefile",
         .carries = Carries::one_line,
         .first = "#%Module1.0\n",
         .use = "Use: store in a directory of MODULEPATH, then module load NAME.",
         .lines = module_lines},
        fmt::format("module-whatis \"settings for ROCm on this host, made by rocmtune\"\n{}",
                    asks ? may : ""));
}

}  // namespace rocmtune
