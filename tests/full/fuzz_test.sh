#!/usr/bin/env bash
# Every parser's fuzz target for a few seconds, with clang's sanitizers and, since it compiles the
# whole program, its warnings as errors. scripts/fuzz.sh runs them longer.
set -euo pipefail
log=$ROCMTUNE_BUILD/fuzz.log
seconds=5
"$ROCMTUNE_SOURCE/scripts/fuzz.sh" $seconds >"$log" 2>&1 || { tail -150 "$log"; exit 1; }
grep ' runs, ' "$log"
