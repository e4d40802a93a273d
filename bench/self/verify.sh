#!/usr/bin/env bash
# Are the verdicts of rocmtune verify right? First the simulation: false verdicts, power, coverage.
# Then settings whose effect is known beforehand, 20 times each: 5 seconds a time on the processors;
# GPU=cuda:0 adds those of an NVIDIA GPU, 60 seconds a time. The figures are in README.md. REPEATS=N repeats less,
# SIMULATIONS=0 leaves the simulation out; with a program in $BUILD it needs nothing to build then.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build/release}
repeats=${REPEATS:-20}
budget=${BUDGET:-5}
gpu_budget=${GPU_BUDGET:-60}
if [ ! -x "$build/rocmtune" ]; then
    cmake --preset release -DBUILD_TESTING=ON >/dev/null
    cmake --build --preset release --target rocmtune
fi
if [ "${SIMULATIONS:-20000}" -gt 0 ]; then
    cmake --build "$build" --target verify_simulation >/dev/null
    "$build/tests/verify_simulation" "${SIMULATIONS:-20000}"
fi

wrong=0
# expect VERDICT BUDGET ARGUMENT...: so many of the repeats must give the verdict.
expect() {
    local expected=$1 seconds=$2 right=0 others='' verdict
    shift 2
    for ((i = 0; i < repeats; ++i)); do
        verdict=$({ "$build/rocmtune" verify --budget "$seconds" --json "$@" || true; } |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["findings"][0]["verdict_setting"])')
        if [ "$verdict" = "$expected" ]; then right=$((right + 1)); else others+=" $verdict"; fi
    done
    echo "| $* | $seconds s | $expected | $right of $repeats |$others"
    [ "$right" -eq "$repeats" ] || wrong=$((wrong + 1))
}

echo
echo "| settings | budget | expected | right |"
echo "|---|---|---|---|"
cpu=(--backend cpu --benchmark gemm)
expect harmful "$budget" "${cpu[@]}" --size 512 --setting OPENBLAS_NUM_THREADS=1
expect no-effect "$budget" "${cpu[@]}" --size 256 --setting "OPENBLAS_NUM_THREADS=$(nproc)"
expect not-measurable "$budget" "${cpu[@]}" --setting HSA_ENABLE_SDMA=0
if [ -n "${GPU:-}" ]; then
    gpu=(--gpu "$GPU" --benchmark bandwidth --size 65536)
    expect harmful "$gpu_budget" "${gpu[@]}" --assume-read CUDA_LAUNCH_BLOCKING --setting CUDA_LAUNCH_BLOCKING=1
    # Launches of 64 KiB differ by more than the margin from process to process; 64 MiB do not.
    gpu=(--gpu "$GPU" --benchmark bandwidth --size 67108864)
    expect no-effect "$gpu_budget" "${gpu[@]}" --assume-read CUDA_CACHE_MAXSIZE --setting CUDA_CACHE_MAXSIZE=1073741824
fi
echo
echo "$wrong of the rows are not right every time"
[ "$wrong" -eq 0 ]
