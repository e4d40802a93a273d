#!/usr/bin/env bash
# rocmtune beside rocm-smi on the same trees, in one run: CPU time, wall time and peak memory, as
# medians of 15 runs each. Needs the packages in bench_packages of scripts/packages.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/packages.sh
install_packages "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}"

cmake --preset release -DBUILD_TESTING=ON >/dev/null
cmake --build --preset release --target rocmtune unpack_host
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/release/tests/unpack_host tests/hosts/mi210-x8/host "$work/mi210-x8" >/dev/null
captures=${ROCMTUNE_SHARED:-../shared}/captures
if [ -f "$captures/k8s-mi308x-cpx.tar.gz" ]; then
    mkdir "$work/mi308x-cpx"
    tar -xzf "$captures/k8s-mi308x-cpx.tar.gz" -C "$work/mi308x-cpx"
fi
python3 bench/self/measure.py build/release/rocmtune "$work"
