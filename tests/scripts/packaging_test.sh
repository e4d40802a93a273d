#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the packages say of the project is what the project says: version, build packages, cache
# values, pages of the manual; the spec file and the recipe can be read.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
source scripts/packages.sh
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }
same() { # WHAT GOT EXPECTED
    [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

version=$(sed -nE 's/^project\(rocmtune VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "CMakeLists.txt has no version: '$version'"
same "debian/changelog" "$(sed -nE '1s/^rocmtune \(([^)]*)-[^-)]*\).*/\1/p' debian/changelog)" "$version"
same "spec" "$(sed -nE 's/^Version: +//p' contrib/rpm/rocmtune.spec)" "$version"
same "spec's log" "$(sed -nE 's/^\* .* - ([0-9.]+)-[0-9]+$/\1/p' contrib/rpm/rocmtune.spec | head -1)" "$version"
same "Spack recipe" "$(sed -nE 's/^    version\("([^"]*)".*/\1/p' contrib/spack/package.py | head -1)" "$version"
case $("$ROCMTUNE" --version) in "rocmtune $version "*) ;; *) fail "--version is not $version" ;; esac
stale=$(grep -oE 'rocmtune[-_][0-9]+\.[0-9]+\.[0-9]+' INSTALL.md | grep -vE "[-_]${version//./\\.}$" || true)
[ -z "$stale" ] || fail "INSTALL.md names another version: $stale"

# The compiler is build-essential, its cache a convenience of ours.
needed=$(printf '%s\n' "${build_packages[@]}" | grep -vxE 'g\+\+|ccache' | sort)
stated=$(sed -n '/^Build-Depends:/,/^[^ ]*: /{s/^ \([^ ,]*\).*/\1/p}' debian/control | grep -v '^debhelper-compat' | sort)
same "Build-Depends" "$stated" "$needed"
same "compiled in" "$(sed -n 's/^built_in = //p' debian/rules | tr ' ' '\n' | grep -vxFf <(printf '%s\n' "${build_packages[@]}") || true)" ""

# A folder of quickstart.sh is packaged as it is only if nothing in its cache differs.
preset=$(sed -n '/"name": "release"/,/cacheVariables/p' CMakePresets.json | grep -oE '"(CMAKE|ROCMTUNE)_[A-Z_]*": "[^"]*"' |
    sed -E 's/"([^"]*)": "([^"]*)"/-D\1=\2/' | sort | tr '\n' ' ')
same "cache values of debian/rules" "$(sed -n '0,/^configure = /{s/^configure = //p}' debian/rules | tr ' ' '\n' | sort | tr '\n' ' ')" "$preset"

pages=$(cd man && printf '%s\n' ./*.[157] | sed -E 's,^\./(.*)\.[157]$,\1,' | sort)
same "pages that debian/tests/manual looks for" \
    "$(grep -oE '\brocmtune[a-z-]*' <(grep -v '^#' debian/tests/manual) | sort)" "$pages"
for page in $pages; do
    grep -qF "man/$page." CMakeLists.txt || fail "$page is not installed"
done

floor=$(sed -n 's/^glibc_floor=//p' scripts/package.sh)
grep -qF "needs glibc $floor or newer" <(tr '\n' ' ' <INSTALL.md) || fail "INSTALL.md states another glibc than $floor"
grep -q 'option(ROCMTUNE_PORTABLE' CMakeLists.txt || fail "no option ROCMTUNE_PORTABLE"
grep -q 'cmake --preset release .*-DROCMTUNE_PORTABLE=ON' Containerfile || fail "the image is not of the portable program"

python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' contrib/spack/package.py || fail "Spack recipe"
if command -v rpmspec >/dev/null; then
    spec=$(rpmspec -P contrib/rpm/rocmtune.spec) || fail "spec file"
    # A macro that nobody defined stands there unexpanded.
    ! grep -E '%\{?[a-z_]+' <<<"$(grep -vE '^(%(description|prep|build|install|check|files|license|doc|changelog)\b|#)' <<<"$spec")" ||
        fail "the spec has macros that rpm does not know"
else
    echo "rpmspec is not installed"
    [ $failures -eq 0 ] && exit 77
fi
[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
