#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The composite action for GitHub, the jobs for GitLab and the hook for pre-commit: their steps, taken
# from the files, fetch a release by version and checksum and run it, where rocmtune is not installed.
set -euo pipefail
python3 -c 'import yaml' 2>/dev/null || { echo "python3-yaml is not installed"; exit 77; }
for tool in curl git strip; do
    command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A release archive as scripts/package.sh lays it out, of the program under test.
name=rocmtune-9.9.9-linux-x86_64
mkdir -p "$work/releases/$name/bin"
strip -o "$work/releases/$name/bin/rocmtune" "$ROCMTUNE"
tar -C "$work/releases" -c "$name" | xz -0 >"$work/releases/$name.tar.xz"
rm -r "$work/releases/$name"
python3 "$ROCMTUNE_SOURCE/tests/scripts/contrib_ci.py" "$ROCMTUNE_SOURCE/contrib" "$work/releases/$name.tar.xz" "$work"
