// SPDX-License-Identifier: MIT
// csh and tcsh. There are no functions, so the undo is an alias that evaluates a line for each
// variable (an alias for each would meet tcsh's limit of 50 expansions).
// Comparisons are made by a child: csh's own take a value such as -d for a question about a file.
#include <fmt/format.h>

#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// History is expanded in quotes and comments, too.
constexpr std::string_view avoid = "!";

/// $0 is the name and $1 a value. The first: the environment holds exactly that value; the second:
/// the environment does not have the name.
constexpr std::string_view tests =
    "set _rocmtune_is = 'eval \"test -n \\\"\\${$0+x}\\\" && test \\\"\\$$0\\\" = \\\"\\$1\\\"\"'\n"
    "set _rocmtune_lacks = 'eval \"test -z \\\"\\${$0+x}\\\"\"'\n";

bool is_plain(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=:,./%@").find(c) != std::string_view::npos;
}

/// Quotes, backslashes and history marks stand outside of the quotes, each behind a backslash:
/// that means the same with and without tcsh's backslash_quote.
std::string quoted(std::string_view text) {
    std::string result = "''";
    for (auto const c : text) {
        if (c == '\'' || c == '\\' || c == '!') result += std::string("\\") + c;
        else if (is_plain(c)) result += c;
        else result += std::string("'") + c + '\'';
    }
    return result.size() > 2 ? result.substr(2) : result;
}

std::string save_lines(std::string const& name) {
    return fmt::format(
        "    if ( $?{0} ) then\n"
        "        /bin/sh -c $_rocmtune_is:q {0} ${0}:q\n"
        "        if ( $status == 0 ) set _rocmtune_was_{0} = set\n"
        "        set _rocmtune_old_{0} = ${0}:q\n"
        "    else\n"
        "        set _rocmtune_was_{0} = unset\n"
        "    endif\n",
        name);
}

/// Sets the variable. A shell variable that hides an environment variable of the same name counts
/// as set, and stays.
std::string set_lines(Setting const& setting, bool force) {
    auto const& name = setting.name;
    auto absent = setting.unless_set;
    if (!force) absent.push_back(name);
    auto const may =
        absent.empty() ? std::string("1") : fmt::format("! $?{}", fmt::join(absent, " && ! $?"));
    auto const value = quoted(*setting.value);
    auto text = fmt::format(
        "set _rocmtune_new_{0} = {1}\nset _rocmtune_was_{0} = kept\nset _rocmtune_old_{0} = ''\n",
        name, value);
    if (!force)
        return text + fmt::format(
                          "if ( {2} ) then\n    set _rocmtune_was_{0} = unset\n    setenv {0} "
                          "{1}\nendif\n",
                          name, value, may);
    text += fmt::format("if ( {} ) then\n{}endif\n", may, save_lines(name));
    return text + fmt::format("if ( $_rocmtune_was_{0} != kept ) setenv {0} {1}\n", name, value);
}

std::string clear_lines(std::string const& name) {
    return fmt::format(
               "set _rocmtune_was_{0} = kept\nset _rocmtune_old_{0} = ''\nif ( $?{0} ) then\n",
               name) +
           save_lines(name) +
           fmt::format("endif\nif ( $_rocmtune_was_{0} == set ) unsetenv {0}\n", name);
}

/// `mine` is 0 if the variable still stands as this script left it.
std::string undo_line(Setting const& setting) {
    auto const& name = setting.name;
    auto const test = setting.value ? fmt::format("$_rocmtune_is:q {0} $_rocmtune_new_{0}:q", name)
                                    : fmt::format("$_rocmtune_lacks:q {0}", name);
    return fmt::format(
        "set _rocmtune_undo_{0} = '/bin/sh -c {1}; set _rocmtune_mine = $status; "
        "if ( $_rocmtune_mine == 0 && $_rocmtune_was_{0} == unset ) unsetenv {0}; "
        "if ( $_rocmtune_mine == 0 && $_rocmtune_was_{0} == set ) setenv {0} "
        "$_rocmtune_old_{0}:q'\n",
        name, test);
}

}  // namespace

std::string csh_script(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "csh", Carries::one_line);
    auto text = header(
        report, "Use: rocmtune env --format csh -o FILE; source FILE. Undo: rocmtune_deactivate",
        "# ", avoid);
    text += "if ( $?_rocmtune_active ) then\n    rocmtune_deactivate\nendif\n";
    text += fmt::format("{}set _rocmtune_active\n", tests);
    std::string undo;
    for (auto const& setting : settings.items) {
        text += '\n' + reason(setting, "# ", avoid);
        text += (setting.value ? set_lines(setting, settings.force) : clear_lines(setting.name)) +
                undo_line(setting);
        undo += fmt::format("eval $_rocmtune_undo_{}:q; ", setting.name);
    }
    text += fmt::format(
        "\nalias rocmtune_deactivate '{}unset _rocmtune_*; unalias rocmtune_deactivate'\n", undo);
    auto const closing = remarks(report, "# ", avoid);
    return closing.empty() ? text : text + '\n' + closing;
}

}  // namespace rocmtune
