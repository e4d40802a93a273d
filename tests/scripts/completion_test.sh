#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The completion scripts offer the right words in the shells that they are for.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
touch report.json
mkdir hosts functions
for shell in bash zsh fish; do "$ROCMTUNE" completion $shell > script.$shell; done
cp script.zsh functions/_rocmtune

failures=0
missing=()

# expect SHELL COMMAND_LINE WORDS: exactly these words are offered, in any order.
expect() {
    local offered expected
    offered=$("offers_of_$1" "$2" | sort -u | tr '\n' ' ')
    expected=$(tr ' ' '\n' <<< "$3" | sed '/^$/d' | sort -u | tr '\n' ' ')
    if [ "$offered" != "$expected" ]; then
        printf '%s: %s\n  offers:   %s\n  expected: %s\n' "$1" "$2" "$offered" "$expected"
        failures=$((failures + 1))
    fi
}

# Splits the line as readline does, at blanks, colons and equals signs.
offers_of_bash() {
    bash -c '
        source script.bash
        mapfile -t COMP_WORDS < <(sed -E "s/([:=])/\n\1\n/g; s/ +/\n/g" <<< "$1" | sed "/^\$/d")
        [[ $1 == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
        _rocmtune
        for word in "${COMPREPLY[@]}"; do echo "$word"; done' bash "$1"
}

offers_of_zsh() { zsh -f "$here/complete.zsh" functions offers "$1"; }

# shellcheck disable=SC2016  # fish expands it
offers_of_fish() { fish --no-config -c 'source script.fish; complete -C"$argv[1]"' "$1" | cut -f 1; }

examples=$(for file in "$ROCMTUNE_SOURCE"/profiles/examples/*.host; do basename "$file" .host; done)
as_examples() { for name in $examples; do echo "example:$name"; done; }
mi_examples() { for name in $examples; do [[ $name == mi* ]] && echo "$1$name"; done; true; }
top=$(as_examples | tr '\n' ' ')

check_common() {
    expect "$1" "rocmtune pro" probe
    expect "$1" "rocmtune probe --ro" --root
    expect "$1" "rocmtune probe --re" "--record --redact --replay"
    expect "$1" "rocmtune probe --format " "text json ndjson"
    expect "$1" "rocmtune probe --format nd" ndjson
    expect "$1" "rocmtune probe --replay example" "$top"
    expect "$1" "rocmtune probe --root ho" "$2"
    expect "$1" "rocmtune probe -o rep" report.json
    expect "$1" "rocmtune probe --timeout " ""
    expect "$1" "rocmtune completion z" zsh
    expect "$1" "rocmtune env --format d" "docker dotenv"
    expect "$1" "rocmtune explain --format " "text json ndjson"
    expect "$1" "rocmtune env --level b" balanced
    expect "$1" "rocmtune run --dr" --dry-run
}

bash -n script.bash
shellcheck -s bash script.bash
check_common bash hosts
expect bash "rocmtune schema " "--help --profiles --output report profile variables names environment findings messages plan builds"
expect bash "rocmtune probe --format=nd" ndjson
# After a colon bash replaces only what follows it.
expect bash "rocmtune probe --replay example:mi" "$(mi_examples "" | tr '\n' ' ')"
expect bash "rocmtune probe --replay=example:mi" "$(mi_examples "" | tr '\n' ' ')"
expect bash "rocmtune --ver" "--verbose --version"
expect bash "rocmtune --replay example:no" no-gpu

# Why zsh's line editor gets no terminal here; nothing where it gets one.
missing_terminal() {
    ! zsh -f -c 'zmodload zsh/zpty && zpty probe true' 2> zpty.errors || return 0
    if [ "$(stat -f -c %T /dev/pts 2> /dev/null)" = devpts ]; then cat zpty.errors
    else echo "no pseudo terminal: /dev/pts is not mounted"; fi
}

ask_zsh() {
    check_common zsh hosts
    expect zsh "rocmtune " "probe env run explain bench check diagnose lint verify tune report compare fleet plan builds cache schema mcp completion"
    expect zsh "rocmtune schema " "report profile variables names environment findings messages plan builds"
    expect zsh "rocmtune probe --format=nd" ndjson
    expect zsh "rocmtune probe --replay example:mi" "$(mi_examples example: | tr '\n' ' ')"
    expect zsh "rocmtune --ver" "--verbose --version"
}

if command -v zsh > /dev/null; then
    zsh -n script.zsh
    reason=$(missing_terminal)
    if [ -z "$reason" ]; then ask_zsh; else missing+=("zsh gets $reason"); fi
else
    missing+=("zsh is not installed")
fi

if command -v fish > /dev/null; then
    fish --no-execute script.fish
    check_common fish hosts/
    expect fish "rocmtune schema " "report profile variables names environment findings messages plan builds"
    expect fish "rocmtune probe --replay example:mi" "$(mi_examples example: | tr '\n' ' ')"
    expect fish "rocmtune --ver" "--verbose --version"
else
    missing+=("fish is not installed")
fi

[ $failures -eq 0 ] || exit 1
[ ${#missing[@]} -eq 0 ] || { printf '%s; ' "${missing[@]}" | sed 's/; $/\n/'; exit 77; }
