#!/usr/bin/env bash
# The main commands under valgrind's memcheck, over recorded and composed hosts: an error or memory
# that is lost fails. Usage: scripts/valgrind.sh [PROGRAM]     builds the preset ci by default
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

install_packages "${build_packages[@]}" "${valgrind_packages[@]}"
program=${1:-}
if [ -z "$program" ]; then
    cmake --preset ci -DBUILD_TESTING=OFF >/dev/null
    cmake --build --preset ci --target rocmtune
    program=build/ci/rocmtune
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
errors=99
export ROCMTUNE_SANDBOX=off  # valgrind lives in the same process, and needs more than reading does
failed=0
runs=0

# Runs one command. Findings (1), undetermined (3) and no GPU (4) are answers; what is bad input
# here (2), a fault of ours (5), a signal and valgrind's own code are not.
check() { # ARGUMENT...
    local code=0
    runs=$((runs + 1))
    # Workers are other processes: those that load GPU libraries would show faults of those.
    valgrind --quiet --error-exitcode=$errors --leak-check=full --show-leak-kinds=definite \
        --errors-for-leak-kinds=definite --track-fds=no --trace-children=no \
        "$program" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
    case $code in
        0 | 1 | 3 | 4) return ;;
    esac
    failed=1
    printf 'rocmtune %s: exit code %s\n' "$*" "$code"
    tail -40 "$work/err"
}

for host in rx7900xt-x2 override-and-dispute no-gpu; do
    replay=(--replay "tests/hosts/$host/host")
    check probe "${replay[@]}" -v
    check probe "${replay[@]}" --json -o "$work/$host.json"
    check check "${replay[@]}" --json
    check env "${replay[@]}" --workload llm-training
    check lint "${replay[@]}"
    check plan "${replay[@]}" --params 7e9
    check report "${replay[@]}" --format html -o "$work/$host.html"
done
check compare "$work/rx7900xt-x2.json" "$work/override-and-dispute.json"
check fleet "$work"/*.json
check fleet "$work"/*.json --format slurm
check lint scripts/test.sh contrib --format sarif
check explain HSA_OVERRIDE_GFX_VERSION
check probe --record "$work/snapshot" --redact
check probe --replay "$work/snapshot"
check schema report
check completion bash
[ $failed = 0 ] || exit 1
echo "valgrind finds nothing in $runs commands"
