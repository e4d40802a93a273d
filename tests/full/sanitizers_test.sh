#!/usr/bin/env bash
# The quick tests under AddressSanitizer and UndefinedBehaviorSanitizer.
set -euo pipefail
log=$ROCMTUNE_BUILD/sanitizers.log
"$ROCMTUNE_SOURCE/scripts/test.sh" --sanitize >"$log" 2>&1 || { tail -150 "$log"; exit 1; }
grep 'tests passed' "$log"
