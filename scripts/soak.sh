#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs probe and check many times under random faults and judges each run (scripts/soak.py).
# Usage: scripts/soak.sh [RUNS [SEED]]     1,000 runs by default; the seed is printed
# ROCMTUNE and ROCMTUNE_BUILD name a program and its build folder that are there already.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=${1:-1000}
seed=${2:-$RANDOM}
[[ $runs =~ ^[1-9][0-9]*$ && $seed =~ ^[0-9]+$ ]] || {
    echo "usage: scripts/soak.sh [RUNS [SEED]]" >&2
    exit 2
}

if [ -z "${ROCMTUNE_BUILD:-}" ]; then
    source scripts/packages.sh
    install_packages "${build_packages[@]}" "${test_packages[@]}"
    cmake --preset release -DBUILD_TESTING=ON >/dev/null
    cmake --build --preset release --target rocmtune fakes unpack_host
    ROCMTUNE_BUILD=build/release
fi
exec python3 scripts/soak.py --program "${ROCMTUNE:-$ROCMTUNE_BUILD/rocmtune}" \
    --build "$ROCMTUNE_BUILD" --runs "$runs" --seed "$seed"
