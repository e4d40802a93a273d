#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The test hosts are what their composer writes, and contradict themselves nowhere.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
scripts/compose-hosts --check
