// SPDX-License-Identifier: MIT
// A modulefile in Tcl, for Environment Modules 5 and Lmod. Which variables it set is noted in
// ROCMTUNE_MODULE, so that unloading takes back those and no others. Values with line ends are
// refused: what modulecmd then tells a shell is not what was set; so are tildes, which it leaves
// unquoted.
#include <fmt/format.h>

#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

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
std::string quoted(std::string_view text) {
    constexpr std::string_view special = "\\\"$[]{}";
    std::string result = "\"";
    for (auto const c : text) {
        if (special.find(c) != special.npos) result += '\\';
        result += c;
    }
    return result + '"';
}

std::string lines_of(Setting const& setting, bool force) {
    auto const& name = setting.name;
    if (setting.value && setting.value->find('~') != std::string::npos)
        throw Error(fmt::format("the value of {} has a tilde: modulecmd does not quote it", name),
                    "--format sh can carry it");
    if (!setting.value) return fmt::format("unsetenv {}\n", name);
    // pushenv puts the old value back at unload.
    if (force) return fmt::format("pushenv {} {}\n", name, quoted(*setting.value));
    std::string others;
    for (auto const& other : setting.unless_set) others += ' ' + other;
    return fmt::format(
        "if {{[rocmtune_may {0}{2}]}} {{\n    setenv {0} {1}\n    append-path ROCMTUNE_MODULE "
        "{0}\n}}\n",
        name, quoted(*setting.value), others);
}

}  // namespace

std::string modulefile(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "modulefile", Carries::one_line);
    auto text = "#%Module1.0\n" +
                header(report, "Use: store in a directory of MODULEPATH, then module load NAME.");
    text += "module-whatis \"settings for ROCm on this host, made by rocmtune\"\n";
    if (!settings.force && !settings.items.empty()) text += may;
    for (auto const& setting : settings.items)
        text += '\n' + reason(setting) + lines_of(setting, settings.force);
    auto const closing = remarks(report);
    return closing.empty() ? text : text + '\n' + closing;
}

}  // namespace rocmtune
