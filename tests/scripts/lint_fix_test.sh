#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files of every kind that lint --fix has changed are still valid for their own tools; nothing that it
# mended is found again; a second run changes nothing; --diff is a patch that does the same.
set -euo pipefail
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$ROCMTUNE_SOURCE/tests/lint/fixed_files.py" "$ROCMTUNE" "$work"
