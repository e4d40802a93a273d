#!/usr/bin/env bash
# The quick tests under AddressSanitizer and UndefinedBehaviorSanitizer. By hand, until it has been
# measured on two cores: ROCMTUNE_BUILD=build/ci ROCMTUNE_SOURCE=. tests/full/sanitizers.sh
set -euo pipefail
log=$ROCMTUNE_BUILD/sanitizers.log
"$ROCMTUNE_SOURCE/scripts/test.sh" --sanitize >"$log" 2>&1 || { tail -150 "$log"; exit 1; }
grep 'tests passed' "$log"
