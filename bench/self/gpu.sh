#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# rocmtune bench beside its peers on one NVIDIA GPU, in one run; with several, the figures between
# them too. Prints text and leaves JSON in OUT (default: a new directory). Peers take part where
# they are: BABELSTREAM and NVBANDWIDTH name their programs, PYTHON an interpreter with PyTorch,
# HARNESS_BENCH the target of that name.
#     bench/self/gpu.sh build/release/rocmtune
set -euo pipefail
rocmtune=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
out=${OUT:-$(mktemp -d)}

ours() { # NAME ARGUMENT...
    echo "== rocmtune bench ${*:2}"
    "$rocmtune" bench "${@:2}" --backend cuda --also "json:$out/$1.json" || echo "exit code $?"
}

nvidia-smi --query-gpu=name,uuid,driver_version,clocks.mem --format=csv,noheader
ours bandwidth-1 bandwidth
[ -z "${BABELSTREAM:-}" ] || "$BABELSTREAM" --arraysize 268435456 --numtimes 50
if [ -n "${NVBANDWIDTH:-}" ]; then
    "$NVBANDWIDTH" -b 4096 -t device_local_copy
    "$NVBANDWIDTH" -b 256 -t host_to_device_memcpy_ce device_to_host_memcpy_ce \
        device_to_device_memcpy_write_ce device_to_device_bidirectional_memcpy_write_ce
fi
ours vpoc-1 vpoc
ours vpoc-1e9 vpoc --size 1000000000 --bins 1000
ours gemm-1 gemm
if "${PYTHON:-python3}" -c 'import torch' 2>/dev/null; then "${PYTHON:-python3}" "$here/gpu_peers.py"; fi
[ -z "${HARNESS_BENCH:-}" ] || "$HARNESS_BENCH" cuda 0
# Once more: how far two runs are apart.
ours bandwidth-2 bandwidth
ours vpoc-2 vpoc
ours gemm-quick-1 gemm --quick
ours gemm-quick-2 gemm --quick
echo "JSON in $out"
