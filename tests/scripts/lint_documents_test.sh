#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tuning guides that this project set out from, judged line by line. They lie beside the project
# and are not part of it; what is expected of each stands in tests/lint/documents and was compared
# by hand with what the readers of the variables do.
set -euo pipefail
documents=${ROCMTUNE_SHARED:-}/seeds
[ -d "$documents" ] || { echo "no tuning guides in $documents"; exit 77; }

for expected in "$ROCMTUNE_SOURCE"/tests/lint/documents/*.expected; do
    number=$(basename "$expected" .expected)
    found=$("$ROCMTUNE" lint --fail-on never --kind markdown --json "$documents/$number"_*.txt |
        jq -r '.findings[] | "\(.line) \(.name) \(.class) \(.verdict)"')
    diff <(echo "$found") "$expected" || { echo "guide $number: < found, > expected"; exit 1; }
done
