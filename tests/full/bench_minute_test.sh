#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The minute of a device: bench without a name on the processors, and report that measures a GPU
# whose runtime hangs in its first launch. Both end in time, and what had none is unfinished.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAIL: $1"; failures=$((failures + 1)); }
export ROCMTUNE_CACHE=$work/cache

# Beside the minute a report reads and judges the host.
within() { # SECONDS ALLOWED_CODES COMMAND...
    local limit=$1 codes=$2 start=$SECONDS code=0
    shift 2
    "$ROCMTUNE" "$@" --json -o "$work/report.json" 2>"$work/err" || code=$?
    local took=$((SECONDS - start))
    [ "$took" -le "$limit" ] || fail "$*: took $took s"
    [[ " $codes " == *" $code "* ]] || fail "$*: exit code $code: $(cat "$work/err")"
    echo "$*: $took s, exit code $code"
}

# How many measurements have this status.
count() { python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
print(sum(one["status"] == sys.argv[2] for one in report["measurements"]))' "$work/report.json" "$1"; }

# 3: slow processors do not end in time, which is said and makes no figure.
within 62 "0 3" bench --backend cpu
[ "$(count ok)" -ge 10 ] || fail "the processors have $(count ok) figures"
[ "$(count timeout)" -eq 0 ] || fail "what was ended for its time is unfinished, no timeout"

export ROCM_PATH=$ROCMTUNE_BUILD/tests/fakes/rocm-7
export FAKE_GPUS="0000:83:00.0 gfx90a 104 8589934592 0 Instinct MI210"
FAKE_FAULT=hang@hipModuleLaunchKernel within 72 "1 3" report --parts bench
[ "$(count unfinished)" -ge 1 ] || fail "report: nothing is unfinished"
[ "$(count ok)" -eq 0 ] || fail "report: a GPU that hangs has figures"

[ "$failures" -eq 0 ] || exit 1
