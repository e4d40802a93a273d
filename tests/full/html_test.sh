#!/usr/bin/env bash
# Pages in headless Chromium: no complaint on the console, nothing asked of the network, nothing
# wider than the screen, buttons and keys work; well-formed by xmllint; below 1 MiB for 64 GPUs.
# The screenshots stay in $ROCMTUNE_BUILD/pages.
set -euo pipefail

skip() { echo "$1"; exit 77; }
command -v chromium >/dev/null || skip "chromium is not installed"
command -v xmllint >/dev/null || skip "xmllint (package libxml2-utils) is not installed"

pages=$ROCMTUNE_BUILD/pages
rm -rf "$pages"
mkdir -p "$pages"
python3 -B "$ROCMTUNE_SOURCE/tests/full/html_pages.py" "$ROCMTUNE" \
    "$ROCMTUNE_SOURCE" "$pages"
