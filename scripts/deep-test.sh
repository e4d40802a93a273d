#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# All that takes too long for every change, one after the other, and a table of what came out. Hours on
# two processors; build/deep-test/STEP.log has what each step said. Exits 1 if one failed.
# Usage: scripts/deep-test.sh [STEP...]     sanitize thread valgrind tidy coverage soak fuzz roots by default
set -uo pipefail
cd "$(dirname "$0")/.." || exit

command_of() { # STEP
    case $1 in
        sanitize | thread) echo "scripts/test.sh --$1" ;;
        valgrind | tidy | coverage) echo "scripts/$1.sh" ;;
        soak) echo "scripts/soak.sh 1000" ;;
        fuzz) echo "scripts/fuzz.sh 600" ;;
        roots) echo "scripts/package-roots.sh" ;;
        *) return 1 ;;
    esac
}

steps=("$@")
[ $# -gt 0 ] || steps=(sanitize thread valgrind tidy coverage soak fuzz roots)
for step in "${steps[@]}"; do
    command_of "$step" >/dev/null || {
        echo "usage: scripts/deep-test.sh [sanitize|thread|valgrind|tidy|coverage|soak|fuzz|roots]..." >&2
        exit 2
    }
done
mkdir -p build/deep-test
failed=0
for step in "${steps[@]}"; do
    read -ra words <<<"$(command_of "$step")"
    start=$SECONDS
    if "${words[@]}" >"build/deep-test/$step.log" 2>&1; then word=passed; else word=FAILED failed=1; fi
    printf '%-9s %s %5d s   %s\n' "$step" "$word" $((SECONDS - start)) "${words[*]}"
done
exit $failed
