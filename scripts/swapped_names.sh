#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Root writes where another user exchanges files and links meanwhile (scripts/swapped_names.py), on
# ext4, tmpfs and overlayfs as far as they can be mounted in a mount namespace of its own.
# Usage: scripts/swapped_names.sh [RUNS [SEED]]     2,000 runs by default; the seed is printed
# ROCMTUNE names a program that is there already, ROCMTUNE_BUILD the folder where it was built with
# the tests. Exit code 77: cannot run here.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=${1:-2000}
seed=${2:-$RANDOM}
[[ $runs =~ ^[1-9][0-9]*$ && $seed =~ ^[0-9]+$ ]] || {
    echo "usage: scripts/swapped_names.sh [RUNS [SEED]]" >&2
    exit 2
}
[ "$(id -u)" -eq 0 ] || { echo "needs root to be two users"; exit 77; }

if [ -z "${ROCMTUNE:-}" ]; then
    source scripts/packages.sh
    install_packages "${build_packages[@]}" "${test_packages[@]}"
    cmake --preset release -DBUILD_TESTING=ON >/dev/null
    cmake --build --preset release --target rocmtune fake_rocm_7_libamdhip64_so_7 \
        fake_rocm_7_libhiprtc_so_7
    ROCMTUNE=build/release/rocmtune
    ROCMTUNE_BUILD=build/release
fi
own_mounts=(unshare --mount)
"${own_mounts[@]}" true 2>/dev/null || own_mounts=()
exec "${own_mounts[@]}" python3 scripts/swapped_names.py --program "$(realpath "$ROCMTUNE")" \
    --runs "$runs" --seed "$seed" ${ROCMTUNE_BUILD:+--fakes "$ROCMTUNE_BUILD/tests/fakes"}
