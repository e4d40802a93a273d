#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shell scripts of the project are clean: shellcheck finds nothing in any of them.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
command -v shellcheck > /dev/null || { echo "shellcheck is not installed"; exit 77; }

mapfile -t scripts < <(
    find scripts tests bench contrib debian .ci -type f 2> /dev/null |
        while read -r file; do
            if [[ $file == *.sh ]] || grep -qaE '^#!.*\b(ba)?sh\b' <(head -n 1 "$file"); then echo "$file"; fi
        done)
[ ${#scripts[@]} -ge 5 ] || { echo "found only: ${scripts[*]}"; exit 1; }
shellcheck -x "${scripts[@]}"
