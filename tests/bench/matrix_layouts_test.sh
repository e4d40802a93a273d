#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Without the emulator of tests/bench/emulated: the same kernel text is compiled for the processor
# with the matrix instructions as functions (wave.hpp) and must give exact results for every
# architecture and type; with a transposed or a shifted layout it must not.
set -euo pipefail

compiler=$(command -v clang++-19) || { echo "clang++-19 is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

compile() { # NAME DEFINITION...
    local name=$1
    shift
    "$compiler" -std=c++17 -O1 -Wno-psabi -Wno-unknown-attributes -DKERNEL="\"$ROCMTUNE_SOURCE/bench/kernels/gemm_matrix.hip\"" \
        "$@" "$ROCMTUNE_SOURCE/tests/bench/matrix_on_host.cpp" -o "$work/$name"
}

check() { # ARCHITECTURE TYPE
    local architecture=$1 type=$2 wrong result
    for wrong in 0 1 2; do
        compile run "-D__${architecture}__" "-DRT_$type" "-DWRONG_LAYOUT=$wrong"
        result=right
        "$work/run" >"$work/out" || result=wrong
        if [ $wrong -eq 0 ] && [ $result = wrong ]; then
            echo "FAIL: $type on $architecture: $(cat "$work/out")"
            failures=$((failures + 1))
        elif [ $wrong -ne 0 ] && [ $result = right ]; then
            echo "FAIL: $type on $architecture does not notice wrong layout $wrong"
            failures=$((failures + 1))
        fi
    done
}

for type in FP16 BF16 INT8; do
    for architecture in gfx908 gfx90a gfx942 GFX11 GFX12; do check $architecture $type; done
done
for architecture in gfx90a gfx942; do check $architecture FP64; done
for architecture in gfx942 GFX12; do check $architecture FP8; done
[ $failures -eq 0 ]
