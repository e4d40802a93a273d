#!/usr/bin/env bash
# The output that the README shows is the output of the program.
# With --update the README is rewritten instead.
set -euo pipefail

readme=$ROCMTUNE_SOURCE/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Copies the README; below a line "$ rocmtune ..." inside a block stands what that command prints.
render() {
    local line in_block=no skipping=no
    while IFS= read -r line; do
        if [[ $line == '```'* ]]; then
            [ $in_block = no ] && in_block=yes || in_block=no
            skipping=no
        elif [[ $in_block = yes && $line == '$ rocmtune '* ]]; then
            printf '%s\n' "$line"
            read -ra words <<< "${line#\$ rocmtune }"
            COLUMNS=100 LC_ALL=C.UTF-8 "$ROCMTUNE" "${words[@]}" | sed 's/[[:space:]]*$//'
            skipping=yes
            continue
        fi
        [ $skipping = yes ] || printf '%s\n' "$line"
    done < "$readme"
}

render > "$work/README.md"
if [ "${1:-}" = --update ]; then
    cp "$work/README.md" "$readme"
else
    diff -u "$readme" "$work/README.md"
fi
