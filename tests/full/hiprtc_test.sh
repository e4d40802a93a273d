#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every kernel compiles with Debian's hipRTC 5.2, the oldest that we meet, for an old, a matrix and
# an RDNA target; the code object is for that target and has the kernels in it.
set -euo pipefail

compile=$ROCMTUNE_BUILD/tests/support/compile_kernel
kernels=$ROCMTUNE_SOURCE/bench/kernels
library=libamdhip64.so.5
skip() { echo "$1"; exit 77; }
[ -x "$compile" ] || skip "built without ROCMTUNE_FULL_TESTS"
grep -q "$library" <<<"$(ldconfig -p)" || skip "libamdhip64-5, which has hipRTC in it, is not installed"
readelf=$(command -v llvm-readelf-19 || command -v llvm-readelf) || skip "llvm-readelf is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAIL: $1"; failures=$((failures + 1)); }

targets=(gfx906 gfx90a gfx1030)
# EF_AMDGPU_MACH_* of LLVM's "User Guide for AMDGPU Backend", the low byte of the ELF flags.
declare -A machines=([gfx906]=0x2f [gfx90a]=0x3f [gfx1030]=0x36)
# FILE DEFINITION: as tests/bench/kernels_test.sh has them.
sources=("pattern -" "bandwidth -" "bandwidth RT_DOUBLE" "vpoc -" "vpoc RT_NEAREST" "vpoc RT_VECTORS=2" "vpoc RT_VECTORS=4" "gemm -"
         "gemm_matrix RT_MFMA_F32_32X32X8F16" "gemm_matrix RT_MFMA_F32_32X32X8BF16_1K"
         "gemm_matrix RT_MFMA_F64_16X16X4F64" "gemm_matrix RT_MFMA_I32_32X32X8I8")
for file in "$kernels"/*.hip; do
    [[ " ${sources[*]} " == *" $(basename "$file" .hip) "* ]] || fail "$file is not in the list"
done

# Names of the kernels in a text: extern "C" __global__ ... void NAME(
kernels_of() {
    tr '\n' ' ' <"$1" | grep -oE '__global__ void[^{;]*' | grep -oE 'rt_[a-z_]+\(' | tr -d '(' | sort -u
}

# The text of a file with what it includes in place, as bench/devices/gpu.cpp makes it.
whole() {
    awk -v "kernels=$kernels/" '/^#include "/ {
        split($0, part, "\""); while ((getline line < (kernels part[2])) > 0) print line; next } { print }' "$1"
}

for target in "${targets[@]}"; do
    for source in "${sources[@]}"; do
        read -r file definition <<<"$source"
        name="$file $definition for $target"
        [ "$file" = gemm_matrix ] && [ "$target" != gfx90a ] && continue # no matrix units, no kernel
        definitions=()
        [ "$definition" = - ] || definitions=("$definition")
        code=0
        whole "$kernels/$file.hip" >"$work/whole.hip"
        timeout 120 "$compile" "$library" "$target" "$work/whole.hip" "${definitions[@]}" \
            >"$work/code" 2>"$work/log" || code=$?
        [ $code -eq 0 ] || { fail "$name: exit code $code: $(head -c 400 "$work/log")"; continue; }
        "$readelf" --file-headers --symbols "$work/code" >"$work/elf"
        grep -qi "machine:.*amdgpu" "$work/elf" || fail "$name is no code object"
        flags=$(awk '$1 == "Flags:" { print $2 }' "$work/elf")
        [ $((${flags%,} & 0xff)) -eq $((machines[$target])) ] || fail "$name is for another target: flags $flags"
        for kernel in $(kernels_of "$kernels/$file.hip"); do
            grep -qE "FUNC.* $kernel\$" "$work/elf" || fail "$name has no $kernel"
        done
    done
done

# What a program without a worker would die of.
code=0
{ timeout 60 "$compile" "$library" gfx1100 "$kernels/bandwidth.hip" || code=$?; } >/dev/null 2>&1
[ $code -ge 128 ] || fail "hipRTC 5.2 ends a target that it does not know with $code and not by a signal"
# A text that is wrong is told from one that is right.
echo 'extern "C" __global__ void broken( {' >"$work/broken.hip"
code=0
timeout 60 "$compile" "$library" gfx90a "$work/broken.hip" >/dev/null 2>&1 || code=$?
[ $code -eq 1 ] || fail "a broken kernel ends with $code"

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "${#targets[@]} targets, ${#sources[@]} kernel files each"
