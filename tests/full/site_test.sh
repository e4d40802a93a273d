#!/usr/bin/env bash
# The site of scripts/site in headless Chromium, from files: no complaint on the console, nothing asked of the
# network, nothing wider than the screen, the search finds names, ids and messages. Screenshots stay in
# $ROCMTUNE_BUILD/site-pictures.
set -euo pipefail

command -v chromium >/dev/null || { echo "chromium is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pictures=$ROCMTUNE_BUILD/site-pictures
mkdir -p "$pictures"
"$ROCMTUNE_SOURCE/scripts/site" "$ROCMTUNE" "$work/site"
python3 -B "$ROCMTUNE_SOURCE/tests/full/site_pages.py" "$ROCMTUNE_SOURCE" "$work/site" "$pictures"
