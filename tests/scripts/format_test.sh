#!/usr/bin/env bash
# Every source file is as clang-format 14 (Debian 12's) writes it, so that no change carries noise.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
formatter=$(command -v clang-format-14 || command -v clang-format) || { echo "clang-format is not installed"; exit 77; }
[[ $("$formatter" --version) == *" 14."* ]] || { echo "this clang-format is not version 14"; exit 77; }
find include src bench tests -name '*.[ch]pp' -print0 | xargs -0 "$formatter" --dry-run --Werror
