#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The whole way through Debian's unmodified HIP runtime and hipRTC on emulated GPUs: kernels are
# compiled and loaded, memory is allocated, launches, copies and events complete - but nothing is
# executed (tests/support/fake_kfd). So no result can be right: every benchmark must say
# wrong-result and give no figure, and the exit code is 1.
set -euo pipefail

fake=$ROCMTUNE_SOURCE/tests/support/fake_kfd
library=$ROCMTUNE_BUILD/tests/fakes/fake_kfd/libfake_kfd.so
skip() { echo "$1"; exit 77; }
[ -f "$library" ] || skip "built without ROCMTUNE_FULL_TESTS"
grep -q libamdhip64.so.5 <<<"$(ldconfig -p)" || skip "libamdhip64-5 is not installed"
unshare -m true 2>/dev/null || skip "no mount namespace (needs root)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAIL: $1"; failures=$((failures + 1)); }

# HSA_ENABLE_SDMA=0: copies are kernels, too, which the emulation completes without running them.
bench() { # TARGET GPUS ARGUMENTS...
    local target=$1 gpus=$2 code=0
    shift 2
    rm -rf "$work/tree" "$work/report.json"
    "$fake/compose_tree" "$target" "$gpus" "$work/tree"
    "$fake/run_on_tree" "$work/tree" "$library" env FAKE_KFD_QUEUES="${queues-complete}" HSA_ENABLE_SDMA=0 \
        ROCMTUNE_CACHE="$work/cache" timeout 300 "$ROCMTUNE" bench "$@" --backend hip --quick --time 0.001 \
        --timeout "${limit-60}" --json -o "$work/report.json" 2>"$work/err" || code=$?
    [ $code -eq 1 ] || fail "$target $*: exit code $code: $(cat "$work/err")"
}

# All measurements of the report have this status, but those that no library is here for; none has
# anything that could be taken for a figure. METRIC...: which there must be.
expect() { # WHAT STATUS METRIC...
    python3 - "$work/report.json" "${@:2}" <<'PYTHON' || fail "$1"
import json, sys

measurements = json.load(open(sys.argv[1]))["measurements"]
status, metrics = sys.argv[2], sys.argv[3:]
bad = [m for m in measurements if m["value"] is not None or m["samples"] or m["verified"]]
bad += [m for m in measurements if m["status"] != status
        and not (m["status"] == "unsupported" and ("not installed" in m["detail"] or "no pair" in m["detail"]))]
for m in bad:
    print(m["metric"], m["status"], m["detail"])
missing = set(metrics) - {m["metric"] for m in measurements if m["status"] == status}
if missing:
    print("missing:", *sorted(missing))
sys.exit(bool(bad or missing))
PYTHON
}

operations=(copy mul add triad dot read write device-copy device-fill)
vpoc=(1000-bins-uniform 1000-bins-normal 1000-bins-one-bin 1000-bins-walk 65536-bins-uniform 65536-bins-walk)
for target in gfx906 gfx908 gfx90a; do
    bench $target 1 bandwidth --size 1048576
    expect "$target bandwidth" wrong-result "${operations[@]}" host-to-device device-to-host
    bench $target 1 gemm --size 256 --dtype fp32
    expect "$target gemm" wrong-result fp32-own
    bench $target 1 vpoc --size 30000
    expect "$target vpoc" wrong-result "${vpoc[@]}"
done
bench gfx906 1 bandwidth --size 1048576 --dtype fp64
expect "fp64" wrong-result "${operations[@]}"
bench gfx90a 2 bandwidth --size 1048576
expect "two GPUs" wrong-result "${operations[@]}" peer-copy peer-both-ways
[ -n "$(ls -A "$work/cache")" ] || fail "hipRTC's code was not kept"

# A queue that completes nothing is a hang: the worker is ended, and every step says why.
queues='' limit=5 bench gfx90a 1 bandwidth --size 65536
python3 - "$work/report.json" <<'PYTHON' || fail "a hang is no timeout"
import json, sys

measurements = json.load(open(sys.argv[1]))["measurements"]
# Where opening the device hangs already, that is the only one.
sys.exit(not (measurements[0]["status"] == "timeout" and all("timeout" in m["detail"] for m in measurements)))
PYTHON

[ $failures -eq 0 ]
