#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The static site: every RT id, variable, term and chip has its page, no link is dead, nothing is asked
# of the network, and a second run writes the same bytes over an older site.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$ROCMTUNE_SOURCE/scripts/site" "$ROCMTUNE" "$work/site"
python3 -B "$ROCMTUNE_SOURCE/tests/scripts/site.py" "$work/site" "$ROCMTUNE_SOURCE"

cp -r "$work/site" "$work/again"
touch "$work/again/variables/GONE.html"
"$ROCMTUNE_SOURCE/scripts/site" "$ROCMTUNE" "$work/again" > /dev/null
diff -r "$work/site" "$work/again" || { echo "a second run writes another site"; exit 1; }
