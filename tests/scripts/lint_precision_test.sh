#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Certain findings of lint over tests/lint/corpus: precision 0.99 and recall 0.95 at least.
set -euo pipefail
judge=("$ROCMTUNE_SOURCE/tests/lint/precision.py" "$ROCMTUNE" --check)
python3 "${judge[@]}" "$ROCMTUNE_SOURCE/tests/lint/corpus"

# Five findings too much, or five too few, are beyond the goals.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for case in 'export PYTORCH_ROCM_DEVICE=0' '@ RT5006 1\nexport OMP_NUM_THREADS=8'; do
    cp "$ROCMTUNE_SOURCE"/tests/lint/corpus/*.cases "$work"
    for copy in 1 2 3 4 5; do printf "@@ %s.sh\n%b\n" "$copy" "$case" >> "$work/shells.cases"; done
    if python3 "${judge[@]}" "$work" > /dev/null 2>&1; then
        echo "within the goals in spite of: $case"; exit 1
    fi
done
