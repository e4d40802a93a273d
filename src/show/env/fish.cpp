// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// Only global variables are changed. A universal one is shadowed by them and comes back when they
/// are erased.
constexpr std::string_view functions = R"(function _rocmtune_save --argument-names name
    if set -qg $name
        set -g _rocmtune_old_$name $$name
        set -g _rocmtune_was_$name local
        set -qgx $name; and set -g _rocmtune_was_$name exported
    else
        set -g _rocmtune_was_$name unset
    end
end
function _rocmtune_undo --argument-names name value
    set -l was _rocmtune_was_$name
    set -l old _rocmtune_old_$name
    set -l how $$was
    set -l before $$old
    set -e -g $was
    set -e -g $old
    # Changed since: not ours any more.
    if set -q argv[2]
        test "$$name" = "$value"; or return 0
    else
        set -qx $name; and return 0
    end
    switch "$how"
        case unset
            set -e -g $name
        case local
            set -gu $name $before
        case exported
            set -gx $name $before
    end
    return 0
end
)";

/// In single quotes fish gives a meaning to the quote and the backslash only.
std::string quoted(std::string_view text) {
    std::string result = "'";
    for (auto const c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + '\'';
}

std::string lines_of(Setting const& setting, bool force) {
    auto const& name = setting.name;
    if (!setting.value)  // an erased global may uncover a universal variable, which is then hidden
        return fmt::format(
            "if set -q {0}\n    _rocmtune_save {0}\n    set -e -g {0}\n    set -q {0}; and set -gu "
            "{0}\nend\n",
            name);
    auto absent = setting.unless_set;
    if (!force) absent.push_back(name);
    if (absent.empty())
        return fmt::format("_rocmtune_save {0}\nset -gx {0} {1}\n", name, quoted(*setting.value));
    return fmt::format("if not set -q {2}\n    _rocmtune_save {0}\n    set -gx {0} {1}\nend\n",
                       name, quoted(*setting.value), fmt::join(absent, "; and not set -q "));
}

}  // namespace

std::string fish_script(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "fish", Carries::text);
    auto text =
        header(report, "Use: rocmtune env --format fish | source. Undo: rocmtune_deactivate");
    text += "functions -q rocmtune_deactivate; and rocmtune_deactivate\n";
    if (!settings.items.empty()) text += functions;
    std::string deactivate;
    for (auto const& setting : settings.items) {
        text += '\n' + reason(setting) + lines_of(setting, settings.force);
        deactivate += fmt::format("    _rocmtune_undo {}{}\n", setting.name,
                                  setting.value ? ' ' + quoted(*setting.value) : "");
    }
    text += "\nfunction rocmtune_deactivate\n" + deactivate + "    functions -e ";
    text += settings.items.empty() ? "rocmtune_deactivate\nend\n"
                                   : "_rocmtune_save _rocmtune_undo rocmtune_deactivate\nend\n";
    auto const closing = remarks(report);
    return closing.empty() ? text : text + '\n' + closing;
}

}  // namespace rocmtune
