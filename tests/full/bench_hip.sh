#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The whole way through Debian's unmodified HIP runtime and hipRTC on emulated GPUs: kernels are
# compiled and loaded, memory is allocated, launches, copies and events complete - but nothing is
# executed (tests/support/fake_kfd). So no result can be right: there must be no figure and exit
# code 1, and what completes must be called wrong-result. To be run by hand (variables as ctest sets
# them): the emulated queues lose too many signals for a test that everybody must pass.
set -euo pipefail

fake=$ROCMTUNE_SOURCE/tests/support/fake_kfd
library=$ROCMTUNE_BUILD/tests/fakes/fake_kfd/libfake_kfd.so
skip() { echo "$1"; exit 77; }
ldconfig -p | grep -q libamdhip64.so.5 || skip "libamdhip64-5 is not installed"
unshare -m true 2>/dev/null || skip "no mount namespace (needs root)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAIL: $1"; failures=$((failures + 1)); }

# The emulated queues now and then lose a signal, and the runtime then waits for ever: such an attempt
# (status timeout) is repeated. What must never happen is a figure, in any attempt.
# HSA_ENABLE_SDMA=0: copies are kernels, too, which the emulation completes without running them.
bench() { # TARGET ARGUMENTS...
    local target=$1 code=0
    shift
    "$fake/compose_tree" "$target" 1 "$work/$target"
    "$fake/run_on_tree" "$work/$target" "$library" env FAKE_KFD_QUEUES=complete HSA_ENABLE_SDMA=0 \
        ROCMTUNE_CACHE="$work/cache" timeout 300 "$ROCMTUNE" bench "$@" --backend hip --quick --time 0.001 \
        --timeout 12 --json -o "$work/$target.json" 2>"$work/err" || code=$?
    [ $code -eq 1 ] || { fail "$target $1: exit code $code: $(cat "$work/err")"; return 0; }
    rm -rf "${work:?}/$target"
}

# Statuses of some metrics, and that nothing has a figure.
# shellcheck disable=SC2086 # metrics are words
expect() { # TARGET STATUS METRIC...
    python3 - "$work/$1.json" "${@:2}" <<'PYTHON'
import json, sys

measurements = json.load(open(sys.argv[1]))["measurements"]
status, metrics = sys.argv[2], sys.argv[3:]
wrong = [m["metric"] for m in measurements if m["value"] is not None or m["samples"] or m["verified"] or m["status"] == "ok"]
if wrong:
    print(f"FAIL: a figure where nothing ran: {wrong}")
    sys.exit(2)
found = {m["metric"]: (m["status"], m["detail"]) for m in measurements}
for metric in metrics:
    if found.get(metric, ("",))[0] != status:
        sys.exit(f"{metric} is {found.get(metric)}, not {status}")
PYTHON
}

# TARGET METRICS ARGUMENTS...: these metrics are wrong-result in one of four attempts.
wrong_result() {
    local target=$1 metrics=$2 attempt
    shift 2
    for attempt in 1 2 3 4; do
        bench "$target" "$@"
        expect "$target" "" || { fail "$target $1: a figure"; return 0; }
        # shellcheck disable=SC2086 # metrics are words
        expect "$target" wrong-result $metrics >/dev/null && return 0
    done
    fail "$target $1: $attempt attempts"
}

wrong_result gfx906 "copy mul add triad dot read write device-copy" bandwidth --size 1048576
wrong_result gfx906 "copy triad dot read write" bandwidth --size 1048576 --dtype fp64
wrong_result gfx906 fp32-own gemm --size 256 --dtype fp32
[ -n "$(ls -A "$work/cache")" ] || fail "hipRTC's code was not kept"

# A queue that completes nothing is a hang: the worker is ended, and every step says why.
"$fake/compose_tree" gfx90a 1 "$work/hang"
code=0
"$fake/run_on_tree" "$work/hang" "$library" timeout 120 "$ROCMTUNE" bench bandwidth --backend hip --quick --size 65536 \
    --timeout 5 --json -o "$work/hang.json" || code=$?
[ $code -eq 1 ] || fail "a hang: exit code $code"
grep -q '"status": "timeout"' "$work/hang.json" || fail "a hang is no timeout"

[ $failures -eq 0 ]
