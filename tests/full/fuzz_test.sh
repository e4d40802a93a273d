#!/usr/bin/env bash
# Every fuzz target for a short time: longer runs are scripts/fuzz.sh SECONDS.
set -euo pipefail

command -v clang++-19 >/dev/null || { echo "clang-19 is not installed"; exit 77; }
"$ROCMTUNE_SOURCE/scripts/fuzz.sh" 12
