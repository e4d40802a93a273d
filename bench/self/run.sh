#!/usr/bin/env bash
# rocmtune beside rocm-smi on the same trees, in one run: CPU time, wall time and peak memory, as
# medians of 15 runs each. ONLY=libraries measures workers and recording alone, ONLY=gpus how the
# time of a probe grows with the GPUs. Needs the packages in bench_packages of scripts/packages.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/packages.sh
install_packages "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}"

cmake --preset release -DBUILD_TESTING=ON >/dev/null
cmake --build --preset release --target rocmtune unpack_host fakes
[ "${ONLY:-}" = libraries ] || python3 bench/self/gpus.py build/release/rocmtune build/release/tests/unpack_host
[ "${ONLY:-}" != gpus ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for host in mi210-x8 mi300x-x8; do
    build/release/tests/unpack_host "tests/hosts/$host/host" "$work/$host" >/dev/null
done
captures=${ROCMTUNE_SHARED:-../shared}/captures
if [ -f "$captures/k8s-mi308x-cpx.tar.gz" ]; then
    mkdir "$work/mi308x-cpx"
    tar -xzf "$captures/k8s-mi308x-cpx.tar.gz" -C "$work/mi308x-cpx"
fi
python3 bench/self/measure.py build/release/rocmtune "$work" build/release/tests/fakes
