#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The hosts that bench/self/gpus.py measures: probe sees each of their GPUs, and a hive more brings
# the same number of files at any size, or their figures would tell nothing about growth.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$ROCMTUNE_SOURCE/scripts"
python3 -B - "$work" <<'PYTHON'
import sys

from compose_hosts import check, many_gpus

sizes = {}
for count in (1, 4, 8, 12, 60, 64):
    tree = many_gpus.mi210_many(count)
    problems = check.problems(tree)
    if problems:
        sys.exit(f"{count} GPUs: {problems[0]}")
    sizes[count] = len(tree.entries)
    with open(f"{sys.argv[1]}/{count}.host", "w", encoding="utf-8") as file:
        file.write(tree.text())
if len({sizes[8] - sizes[4], sizes[12] - sizes[8], sizes[64] - sizes[60]}) != 1:
    sys.exit(f"a hive more does not bring the same files everywhere: {sizes}")
PYTHON
for count in 1 12 64; do
    seen=$("$ROCMTUNE" probe --json --replay "$work/$count.host" | grep -c '"kfd_node": [0-9]')
    [ "$seen" = "$count" ] || { echo "$count GPUs: probe shows $seen"; exit 1; }
done
