// SPDX-License-Identifier: MIT
// Scripts that a shell sources: each variable is set or cleared if it may be, and
// rocmtune_deactivate undoes what was done unless the variable was changed since.
#include <fmt/format.h>

#include "base/text.hpp"
#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// What undoes each setting, one after another.
template <class LineOf>
std::string undo_lines(Report const& report, LineOf line_of) {
    std::string text;
    for (auto const& setting : report.settings->items) text += line_of(setting);
    return text;
}

// ---- any POSIX shell (dash, busybox, bash, zsh, ksh) --------------------------------------------
// `save` defines _rocmtune_save NAME, which notes how a variable stands and fails if it cannot be
// changed; `undo` defines _rocmtune_undo NAME [VALUE], which restores that, unless the variable was
// changed since.

/// A child sees exactly the exported variables; the output of `export -p` could be mistaken where a
/// value holds line ends.
constexpr std::string_view sh_save = R"(_rocmtune_save() {
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

constexpr std::string_view sh_undo = R"(_rocmtune_undo() {
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

// ---- bash itself says how a variable is declared ------------------------------------------------

/// Arrays, integers, references and read-only variables are left alone: a plain assignment would
/// not be undone exactly.
constexpr std::string_view bash_save = R"(_rocmtune_save() {
    local _rocmtune_flags
    _rocmtune_flags=$(declare -p "$1" 2> /dev/null) || _rocmtune_flags='declare -- '
    _rocmtune_flags=${_rocmtune_flags#declare }
    case ${_rocmtune_flags%%[ =]*} in --) _rocmtune_flags='' ;; -x) _rocmtune_flags=x ;; *) return 1 ;; esac
    if [ -z "${!1+x}" ]; then
        printf -v "_rocmtune_was_$1" %s "unset$_rocmtune_flags"
    else
        printf -v "_rocmtune_old_$1" %s "${!1}"
        printf -v "_rocmtune_was_$1" %s "set$_rocmtune_flags"
    fi
}
)";

constexpr std::string_view bash_undo = R"(_rocmtune_undo() {
    local _rocmtune_was="_rocmtune_was_$1" _rocmtune_old="_rocmtune_old_$1"
    _rocmtune_was=${!_rocmtune_was-} _rocmtune_old=${!_rocmtune_old-}
    unset "_rocmtune_was_$1" "_rocmtune_old_$1"
    if [ -z "$_rocmtune_was" ] || [ "${!1+x${!1}}" != "${2+x$2}" ]; then return 0; fi
    unset "$1"
    case $_rocmtune_was in set*) printf -v "$1" %s "$_rocmtune_old" ;; esac
    case $_rocmtune_was in *x) export "${1?}" ;; esac
}
)";

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

std::string posix_lines(Setting const& setting, bool force) {
    return fmt::format("if {}_rocmtune_save {}; then {}; fi\n", condition(setting, force),
                       setting.name, action(setting));
}

std::string posix_script(Report const& report, std::string_view format, std::string_view use,
                         std::string_view save, std::string_view undo) {
    bool const some = !report.settings->items.empty();
    auto const deactivate = undo_lines(report, [](Setting const& setting) {
        return fmt::format("    _rocmtune_undo {}{}\n", setting.name,
                           setting.value ? ' ' + posix_quoted(*setting.value) : "");
    });
    return script(
        report, {.format = format, .use = use, .lines = posix_lines},
        fmt::format("if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; "
                    "fi\n{}{}",
                    some ? save : "", some ? undo : ""),
        fmt::format("\nrocmtune_deactivate() {{\n{}{}    unset -f rocmtune_deactivate\n}}\n",
                    deactivate,
                    some ? "    unset _rocmtune_was _rocmtune_old _rocmtune_now\n"
                           "    unset -f _rocmtune_save _rocmtune_undo\n"
                         : ""));
}

// ---- fish ---------------------------------------------------------------------------------------

/// Only global variables are changed. A universal one is shadowed by them and comes back when they
/// are erased.
constexpr std::string_view fish_functions = R"(function _rocmtune_save --argument-names name
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
std::string fish_quoted(std::string_view text) {
    return '\'' + replaced(text, {{'\'', "\\'"}, {'\\', "\\\\"}}) + '\'';
}

std::string fish_lines(Setting const& setting, bool force) {
    auto const& name = setting.name;
    if (!setting.value)  // an erased global may uncover a universal variable, which is then hidden
        return fmt::format(
            "if set -q {0}\n    _rocmtune_save {0}\n    set -e -g {0}\n    set -q {0}; and set -gu "
            "{0}\nend\n",
            name);
    auto absent = setting.unless_set;
    if (!force) absent.push_back(name);
    if (absent.empty())
        return fmt::format("_rocmtune_save {0}\nset -gx {0} {1}\n", name,
                           fish_quoted(*setting.value));
    return fmt::format("if not set -q {2}\n    _rocmtune_save {0}\n    set -gx {0} {1}\nend\n",
                       name, fish_quoted(*setting.value), fmt::join(absent, "; and not set -q "));
}

// ---- csh and tcsh -------------------------------------------------------------------------------
// There are no functions, so the undo is an alias that evaluates a line for each variable (an alias
// for each would meet tcsh's limit of 50 expansions). Comparisons are made by a child: csh's own
// take a value such as -d for a question about a file.

/// History is expanded in quotes and comments, too.
constexpr std::string_view csh_avoid = "!";

/// $0 is the name and $1 a value. The first: the environment holds exactly that value; the second:
/// the environment does not have the name.
constexpr std::string_view csh_tests =
    "set _rocmtune_is = 'eval \"test -n \\\"\\${$0+x}\\\" && test \\\"\\$$0\\\" = \\\"\\$1\\\"\"'\n"
    "set _rocmtune_lacks = 'eval \"test -z \\\"\\${$0+x}\\\"\"'\n";

/// Quotes, backslashes and history marks stand outside of the quotes, each behind a backslash:
/// that means the same with and without tcsh's backslash_quote.
std::string csh_quoted(std::string_view text) {
    std::string result = "''";
    for (auto const c : text) {
        if (c == '\'' || c == '\\' || c == '!') result += std::string("\\") + c;
        else if (is_name_character(c) || std::string_view("-+=:,./%@").find(c) != text.npos)
            result += c;
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
    auto const value = csh_quoted(*setting.value);
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

std::string csh_lines(Setting const& setting, bool force) {
    return (setting.value ? set_lines(setting, force) : clear_lines(setting.name)) +
           undo_line(setting);
}

}  // namespace

std::string sh_script(Report const& report, TextStyle const&) {
    return posix_script(
        report, "sh",
        "Use: eval \"$(rocmtune env)\" - or source this file. Undo: rocmtune_deactivate", sh_save,
        sh_undo);
}

std::string bash_script(Report const& report, TextStyle const&) {
    return posix_script(report, "bash",
                        "Use: eval \"$(rocmtune env --format bash)\" - or source this file. Undo: "
                        "rocmtune_deactivate",
                        bash_save, bash_undo);
}

std::string fish_script(Report const& report, TextStyle const&) {
    bool const some = !report.settings->items.empty();
    auto const deactivate = undo_lines(report, [](Setting const& setting) {
        return fmt::format("    _rocmtune_undo {}{}\n", setting.name,
                           setting.value ? ' ' + fish_quoted(*setting.value) : "");
    });
    return script(
        report,
        {.format = "fish",
         .carries = Carries::text,
         .use = "Use: rocmtune env --format fish | source. Undo: rocmtune_deactivate",
         .lines = fish_lines},
        fmt::format("functions -q rocmtune_deactivate; and rocmtune_deactivate\n{}",
                    some ? fish_functions : ""),
        fmt::format(
            "\nfunction rocmtune_deactivate\n{}    functions -e {}rocmtune_deactivate\nend\n",
            deactivate, some ? "_rocmtune_save _rocmtune_undo " : ""));
}

std::string csh_script(Report const& report, TextStyle const&) {
    auto const undo = undo_lines(report, [](Setting const& setting) {
        return fmt::format("eval $_rocmtune_undo_{}:q; ", setting.name);
    });
    return script(
        report,
        {.format = "csh",
         .carries = Carries::one_line,
         .use = "Use: rocmtune env --format csh -o FILE; source FILE. Undo: rocmtune_deactivate",
         .avoid = csh_avoid,
         .lines = csh_lines},
        fmt::format("if ( $?_rocmtune_active ) then\n    rocmtune_deactivate\nendif\n{}set "
                    "_rocmtune_active\n",
                    csh_tests),
        fmt::format(
            "\nalias rocmtune_deactivate '{}unset _rocmtune_*; unalias rocmtune_deactivate'\n",
            undo));
}

}  // namespace rocmtune
