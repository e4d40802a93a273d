#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What releases before promised is still there: options and their words, exit codes, ids of findings, keys
# of documents and their types (COMPATIBILITY.md). More may be there.
set -euo pipefail
python3 -c '' 2>/dev/null || { echo "python3 is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$ROCMTUNE_SOURCE/tests/frozen/interface.py" "$ROCMTUNE" "$ROCMTUNE_SOURCE" >"$work/now"
failed=0
for frozen in "$ROCMTUNE_SOURCE"/tests/frozen/*.txt; do
    gone=$(LC_ALL=C comm -23 <(LC_ALL=C sort "$frozen") <(LC_ALL=C sort "$work/now"))
    [ -z "$gone" ] && continue
    failed=1
    printf '%s promised what is gone:\n%s\n' "$(basename "$frozen" .txt)" "$gone"
done
[ $failed = 0 ] || exit 1
for kind in option word exit id key; do
    printf '%s: %d\n' "$kind" "$(grep -c "^$kind " "$work/now")"
    grep -q "^$kind " "$ROCMTUNE_SOURCE/tests/frozen/1.0.txt" || { echo "1.0 has no $kind"; exit 1; }
done
