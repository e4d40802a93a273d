// SPDX-License-Identifier: MIT
// sh: any POSIX shell (dash, busybox, bash, zsh, ksh).
#include "show/env/posix.hpp"

#include <fmt/format.h>

#include "base/shell.hpp"
#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// A child sees exactly the exported variables; the output of `export -p` could be mistaken where a
/// value holds line ends.
constexpr std::string_view save = R"(_rocmtune_save() {
    (unset "$1") 2> /dev/null || return 1
    if eval "[ -z \"\${$1+x}\" ]"; then
        eval "_rocmtune_was_$1=unset"
        return 0
    fi
    eval "_rocmtune_old_$1=\$$1"
    if /bin/sh -c "[ -n \"\${$1+x}\" ]"; then
        eval "_rocmtune_was_$1=exported"
    else
        eval "_rocmtune_was_$1=local"
    fi
}
)";

constexpr std::string_view undo = R"(_rocmtune_undo() {
    _rocmtune_was='' _rocmtune_old='' _rocmtune_now=''
    eval "_rocmtune_was=\${_rocmtune_was_$1-} _rocmtune_old=\${_rocmtune_old_$1-}"
    eval "_rocmtune_now=\${$1+x\$$1}"
    unset "_rocmtune_was_$1" "_rocmtune_old_$1"
    [ "$_rocmtune_now" = "${2+x$2}" ] || return 0
    case $_rocmtune_was in
        unset) unset "$1" ;;
        local) unset "$1" && eval "$1=\$_rocmtune_old" ;;
        exported) eval "$1=\$_rocmtune_old" && export "${1?}" ;;
    esac
}
)";

std::string value_argument(Setting const& setting) {
    return setting.value ? ' ' + posix_quoted(*setting.value) : std::string();
}

std::string action(Setting const& setting) {
    if (setting.value)
        return fmt::format("export {}={}", setting.name, posix_quoted(*setting.value));
    return "unset " + setting.name;
}

/// When a script may touch the variable at all, tested when it is sourced.
std::string condition(Setting const& setting, bool force) {
    if (!setting.value) return fmt::format("[ -n \"${{{}+x}}\" ] && ", setting.name);
    std::string text;
    for (auto const& other : setting.unless_set)
        text += fmt::format("[ -z \"${{{}+x}}\" ] && ", other);
    return force ? text : text + fmt::format("[ -z \"${{{}+x}}\" ] && ", setting.name);
}

}  // namespace

std::string posix_script(Report const& report, std::string_view format, std::string_view use,
                         std::string_view save_function, std::string_view undo_function) {
    auto const& settings = checked_settings(report, format, Carries::bytes);
    auto text = header(report, use);
    text += "if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi\n";
    if (!settings.items.empty()) text += fmt::format("{}{}", save_function, undo_function);
    std::string deactivate;
    for (auto const& setting : settings.items) {
        text += '\n' + reason(setting);
        text += fmt::format("if {}_rocmtune_save {}; then {}; fi\n",
                            condition(setting, settings.force), setting.name, action(setting));
        deactivate +=
            fmt::format("    _rocmtune_undo {}{}\n", setting.name, value_argument(setting));
    }
    text += "\nrocmtune_deactivate() {\n" + deactivate;
    if (!settings.items.empty())
        text +=
            "    unset _rocmtune_was _rocmtune_old _rocmtune_now\n"
            "    unset -f _rocmtune_save _rocmtune_undo\n";
    text += "    unset -f rocmtune_deactivate\n}\n";
    auto const closing = remarks(report);
    return closing.empty() ? text : text + '\n' + closing;
}

std::string sh_script(Report const& report, TextStyle const&) {
    return posix_script(
        report, "sh",
        "Use: eval \"$(rocmtune env)\" - or source this file. Undo: rocmtune_deactivate", save,
        undo);
}

}  // namespace rocmtune
