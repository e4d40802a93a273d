#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A short soak: probe and check under random faults, each run judged. scripts/soak.sh does 1,000.
set -euo pipefail
[ -x "$ROCMTUNE_BUILD/tests/unpack_host" ] || { echo "built without ROCMTUNE_FULL_TESTS"; exit 77; }
exec "$ROCMTUNE_SOURCE/scripts/soak.sh" 60 10
