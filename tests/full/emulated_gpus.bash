# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the hip_*_test.sh: Debian's unmodified HIP runtime and hipRTC on emulated GPUs that
# execute kernels (tests/support/fake_kfd, tests/support/amdgpu_emulator).
set -euo pipefail

fake=$ROCMTUNE_SOURCE/tests/support/fake_kfd
library=$ROCMTUNE_BUILD/tests/fakes/fake_kfd/libfake_kfd.so
executor=$ROCMTUNE_BUILD/tests/fakes/amdgpu_emulator/libamdgpu_executor.so
skip() { echo "$1"; exit 77; }
[[ -f $library && -f $executor ]] || skip "built without ROCMTUNE_FULL_TESTS"
grep -q libamdhip64.so.5 <<<"$(ldconfig -p)" || skip "libamdhip64-5 is not installed"
grep -q libLLVM.so.19.1 <<<"$(ldconfig -p)" || skip "libllvm19 is not installed"
unshare -m true 2>/dev/null || skip "no mount namespace (needs root)"
unset "${!FAKE_KFD_@}" "${!AMDGPU_EMULATOR_@}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAIL: $1"; failures=$((failures + 1)); }

# on TARGET GPUS CODE COMMAND...: rocmtune on a host with these GPUs must end with this exit code;
# its report is $work/report.json. Settings stand before the call: memory=MIB, settings='NAME=VALUE ...'.
on() {
    local target=$1 gpus=$2 expected=$3 code=0
    shift 3
    rm -rf "$work/tree" "$work/report.json"
    "$fake/compose_tree" "$target" "$gpus" "$work/tree" ${memory:+"$memory"}
    # shellcheck disable=SC2086
    "$fake/run_on_tree" "$work/tree" "$library" env FAKE_KFD_QUEUES=execute FAKE_KFD_EXECUTOR="$executor" \
        HSA_ENABLE_SDMA=0 ${settings-} ROCMTUNE_CACHE="$work/cache" timeout 300 "$ROCMTUNE" "$@" --json \
        -o "$work/report.json" 2>"$work/err" || code=$?
    [ $code -eq "$expected" ] ||
        fail "$target $* (${settings-}): exit code $code, not $expected: $(cat "$work/err")"
}

# bench TARGET GPUS CODE BENCHMARK...: sizes that an emulated GPU masters in seconds.
bench() {
    on "$1" "$2" "$3" bench "${@:4}" --backend hip --quick --time 0.001 --timeout "${limit-60}"
}

# measured STATUS METRIC...: the report has these metrics, and every measurement of it has the status.
# `ok` means a verified figure with samples, everything else no figure at all.
# only=yes: what is not named may be as it likes.
measured() {
    python3 - "$work/report.json" "${only-no}" "$@" <<'PYTHON' || fail "$* (${settings-})"
import json, sys

path, only, status, *metrics = sys.argv[1:]
all_of_it = json.load(open(path))["measurements"]
there = [m for m in all_of_it if not (m["status"] == "unsupported" and "not installed" in m["detail"])]
if only == "yes":
    there = [m for m in there if m["metric"] in metrics]
figure = status == "ok"
wrong = [m for m in there if m["status"] != status or m["verified"] is not figure
         or (m["value"] is not None) is not figure or bool(m["samples"]) is not figure]
missing = sorted(set(metrics) - {m["metric"] for m in there})
for m in wrong:
    print(m["metric"], m["status"], m["value"], m["detail"])
if missing:
    print("missing:", *missing)
sys.exit(bool(wrong or missing))
PYTHON
}

finish() { [ $failures -eq 0 ]; }
