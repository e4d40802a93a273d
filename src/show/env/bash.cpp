// SPDX-License-Identifier: MIT
// bash: as sh, but bash itself says how a variable is declared.
#include "show/env/env_formats.hpp"
#include "show/env/posix.hpp"

namespace rocmtune {
namespace {

/// Arrays, integers, references and read-only variables are left alone: a plain assignment would
/// not be undone exactly.
constexpr std::string_view save = R"(_rocmtune_save() {
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

constexpr std::string_view undo = R"(_rocmtune_undo() {
    local _rocmtune_was="_rocmtune_was_$1" _rocmtune_old="_rocmtune_old_$1"
    _rocmtune_was=${!_rocmtune_was-} _rocmtune_old=${!_rocmtune_old-}
    unset "_rocmtune_was_$1" "_rocmtune_old_$1"
    if [ -z "$_rocmtune_was" ] || [ "${!1+x${!1}}" != "${2+x$2}" ]; then return 0; fi
    unset "$1"
    case $_rocmtune_was in set*) printf -v "$1" %s "$_rocmtune_old" ;; esac
    case $_rocmtune_was in *x) export "${1?}" ;; esac
}
)";

}  // namespace

std::string bash_script(Report const& report, TextStyle const&) {
    return posix_script(report, "bash",
                        "Use: eval \"$(rocmtune env --format bash)\" - or source this file. Undo: "
                        "rocmtune_deactivate",
                        save, undo);
}

}  // namespace rocmtune
