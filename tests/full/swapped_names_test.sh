#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Root writes where another user exchanges files and links: a short run. scripts/swapped_names.sh
# does 2,000.
set -euo pipefail
exec "$ROCMTUNE_SOURCE/scripts/swapped_names.sh" 100 10
