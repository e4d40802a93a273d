#!/usr/bin/env bash
# clang-tidy over the program (.clang-tidy says what it looks for, and what not). Exits 1 with any
# finding.
# Usage: scripts/tidy.sh [--analyze] [FILE...]     all of src and bench by default
# --analyze looks along paths with clang's analyzer instead: hours for everything, minutes for some
# files.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

options=(--quiet)
if [ "${1:-}" = --analyze ]; then
    # Unbounded, one file of string handling takes a minute; this finds what lies near.
    options+=('--checks=-*,clang-analyzer-*,-clang-analyzer-optin.performance.Padding'
              --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang
              --extra-arg=mode=shallow)
    alone=1
    shift
fi
case "${1:-}" in
    -*) echo "usage: scripts/tidy.sh [--analyze] [FILE...]" >&2; exit 2 ;;
esac
install_packages "${build_packages[@]}" "${tidy_packages[@]}"

build=build/tidy
cmake -S . -B $build -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DBUILD_TESTING=OFF >/dev/null
# clang-tidy shows what it finds, the compilers of the other presets what they warn of.
flags=(-w -std=gnu++20 -DFMT_SHARED -DSPDLOG_FMT_EXTERNAL
       -I"$PWD/include" -I"$PWD/src" -I"$PWD" -I"$PWD/$build/generated")

files=("$@")
[ ${#files[@]} -eq 0 ] &&
    mapfile -t files < <(find src bench -name '*.cpp' -not -path 'bench/self/*' | sort)

# "warnings generated" are those of headers of others. What ends otherwise than with 0 or 1, which is
# a finding, has looked at nothing.
tidy() { # FILE
    local found code=0
    found=$(clang-tidy-19 "${options[@]}" "$1" -- "${flags[@]}" 2>&1) || code=$?
    grep -v ' warnings\? generated\|^Use -header-filter\|^Suppressed' <<<"$found" | sed '/^$/d' || true
    [ $code -le 1 ] || echo "$1: clang-tidy ended with $code"
}

tidy_group() { # FILE
    local found file
    found=$(options+=(--checks=-bugprone-suspicious-include); tidy "$1")
    if [[ $found == *clang-diagnostic-error* ]]; then
        found=$(sed 's/^#include "\(.*\)"$/\1/' "$1" | while read -r file; do tidy "$file"; done)
    fi
    [ -z "$found" ] || printf '%s\n' "$found" >"$1.found"
}

# Runs the rest of its arguments for each line of stdin, on all processors.
on_all_processors() {
    local item
    while read -r item; do
        while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
        "$@" "$item" &
    done
    wait
}

groups=$build/groups
rm -rf $groups
if [ ${#files[@]} -lt 3 ] || [ -n "${alone:-}" ]; then
    mkdir -p $groups
    for i in "${!files[@]}"; do
        echo "#include \"$(realpath "${files[$i]}")\"" >"$groups/$i.cpp"
    done
else
    printf '%s\n' "${files[@]}" | scripts/tidy_groups $groups
fi
find $groups -name '*.cpp' -size +0 -printf '%s %p\n' | sort -rn | cut -d' ' -f2 |
    on_all_processors tidy_group
found=$(find $groups -name '*.found' -exec cat {} +)
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
echo "clang-tidy finds nothing in ${#files[@]} files"
