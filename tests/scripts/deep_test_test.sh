#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/deep-test.sh runs every step, also after one that failed, and its exit code says so.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/scripts"
cp "$ROCMTUNE_SOURCE/scripts/deep-test.sh" "$work/scripts"
for name in test valgrind tidy coverage soak fuzz package-roots; do
    printf '#!/bin/sh\necho "%s $*"\n' $name >"$work/scripts/$name.sh"
    chmod +x "$work/scripts/$name.sh"
    [ -x "$ROCMTUNE_SOURCE/scripts/$name.sh" ] || { echo "there is no scripts/$name.sh"; exit 1; }
done
"$work/scripts/deep-test.sh" >"$work/all"
[ "$(awk '{ print $1, $2 }' "$work/all" | tr '\n' ' ')" = "sanitize passed thread passed valgrind passed \
tidy passed coverage passed soak passed fuzz passed roots passed " ] || { cat "$work/all"; exit 1; }
[ "$(cat "$work/build/deep-test/fuzz.log")" = "fuzz 600" ]
printf '#!/bin/sh\nexit 1\n' >"$work/scripts/tidy.sh"
code=0
"$work/scripts/deep-test.sh" tidy soak >"$work/some" || code=$?
[ $code = 1 ] && grep -q '^tidy *FAILED' "$work/some" && grep -q '^soak *passed' "$work/some"
code=0
"$work/scripts/deep-test.sh" nothing 2>"$work/usage" || code=$?
[ $code = 2 ] && grep -q '^usage: ' "$work/usage"
