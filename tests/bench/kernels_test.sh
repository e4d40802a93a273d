#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every kernel compiles for every target with the instructions that it was written for: matrix
# instructions where the architecture has them, native LDS atomics, no spills. What they take of a compute
# unit stands in kernel_figures.txt; `kernels_test.sh --update` writes it anew.
set -euo pipefail

compiler=$(command -v clang++-19) || { echo "clang++-19 is not installed"; exit 77; }
command -v ld.lld-19 >/dev/null || { echo "lld-19 is not installed"; exit 77; }
kernels=$ROCMTUNE_SOURCE/bench/kernels
tests=$ROCMTUNE_SOURCE/tests/bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAIL: $1"; failures=$((failures + 1)); }

targets=(gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201)
# Every target of the list must have a profile: the two belong together.
for target in "${targets[@]}"; do
    [ -f "$ROCMTUNE_SOURCE/profiles/$target.json" ] || fail "$target has no profile"
done

# FILE DEFINITION: what is compiled. Of gemm_matrix RT_ and the type, for which the profile of the target
# names an instruction or none.
sources=("pattern -" "bandwidth -" "bandwidth RT_DOUBLE" "vpoc -" "vpoc RT_NEAREST" "vpoc RT_VECTORS=2" "vpoc RT_VECTORS=4" "gemm -"
         "gemm_matrix RT_FP16" "gemm_matrix RT_BF16" "gemm_matrix RT_FP64"
         "gemm_matrix RT_INT8" "gemm_matrix RT_FP8")

# The definition that an instruction of a profile or of the one that it extends stands for; empty: none.
instruction_of() { # TARGET RT_TYPE
    local profile=$ROCMTUNE_SOURCE/profiles/$1.json type=${2#RT_}
    grep -q '"matrix_kernels"' "$profile" ||
        profile=$ROCMTUNE_SOURCE/profiles/$(sed -nE 's/^  "extends": "(.*)",$/\1/p' "$profile").json
    sed -nE "/\"matrix_kernels\"/,/\}/ s/^ *\"${type,,}\": \"([a-z0-9_]+)\".*/RT_\U\1/p" "$profile"
}

# The same files as tests/bench/emulated executes.
compiled=$ROCMTUNE_BUILD/tests/kernels
mkdir -p "$compiled"
assemble() { # TARGET FILE DEFINITION OUTPUT
    local definitions=()
    [ "$3" = - ] || definitions=("$3")
    if [ "$2" = gemm_matrix ]; then definitions=("$(instruction_of "$1" "$3")"); fi
    "$tests/compile_kernel" "$1" "$kernels/$2.hip" "${4%.s}" "${definitions[@]}" 2>"$work/$(basename "$4").log"
}
assembly_of() { # TARGET FILE DEFINITION
    local name=$1-$2-$3
    if [ "$2" = gemm_matrix ]; then name=$1-$2-$(instruction_of "$1" "$3"); fi
    echo "$compiled/${name%--}.s"
}

compile_all() { # TARGET...
    local target source file definition
    for target in "$@"; do
        for source in "${sources[@]}"; do
            read -r file definition <<<"$source"
            [ "$file" != gemm_matrix ] || [ -n "$(instruction_of "$target" "$definition")" ] || continue
            assemble "$target" "$file" "$definition" "$(assembly_of "$target" "$file" "$definition")" || true
        done
    done
}
compile_all "${targets[@]:0:4}" &
compile_all "${targets[@]:4}"
wait

count() { # PATTERN FILE
    grep -cE "$1" "$2" || true
}

# Which matrix instruction a file must have on a target; "-" none.
matrix_of() { # TARGET DEFINITION
    case $1:$2 in
        gfx908:RT_FP16 | gfx90a:RT_FP16 | gfx942:RT_FP16) echo v_mfma_f32_32x32x8_?f16 ;;
        gfx908:RT_BF16) echo v_mfma_f32_32x32x4_?bf16 ;;
        gfx90a:RT_BF16 | gfx942:RT_BF16) echo v_mfma_f32_32x32x8_?bf16 ;;
        gfx90a:RT_FP64 | gfx942:RT_FP64) echo v_mfma_f64_16x16x4_?f64 ;;
        gfx908:RT_INT8 | gfx90a:RT_INT8) echo v_mfma_i32_32x32x8_?i8 ;;
        gfx942:RT_INT8) echo v_mfma_i32_32x32x16_?i8 ;;
        gfx942:RT_FP8) echo v_mfma_f32_32x32x16_fp8_fp8 ;;
        gfx11*:RT_INT8 | gfx12*:RT_INT8) echo v_wmma_i32_16x16x16_iu8 ;;
        gfx12*:RT_FP8) echo v_wmma_f32_16x16x16_fp8_fp8 ;;
        gfx11*:RT_FP16 | gfx12*:RT_FP16) echo v_wmma_f32_16x16x16_f16 ;;
        gfx11*:RT_BF16 | gfx12*:RT_BF16) echo v_wmma_f32_16x16x16_bf16 ;;
        *) echo - ;;
    esac
}

for target in "${targets[@]}"; do
    for source in "${sources[@]}"; do
        read -r file definition <<<"$source"
        name="$file $definition on $target"
        if [ "$file" = gemm_matrix ] && [ "$(matrix_of "$target" "$definition")" = - ]; then
            [ -z "$(instruction_of "$target" "$definition")" ] || fail "$name has a matrix instruction"
            continue
        fi
        assembly=$(assembly_of "$target" "$file" "$definition")
        log=$work/$(basename "$assembly").log
        [ -s "$assembly" ] || { fail "$name does not compile: $(head -3 "$log")"; continue; }
        form=$file-$definition
        awk -v "target=$target" -v "form=${form%--}" -f "$tests/kernel_figures.awk" "$assembly" >>"$work/figures"
        # Metadata of the code object: registers in memory and scratch. Of four vectors that is asked for
        # before they are tried (bench/vpoc_launch.cpp).
        [ "$definition" = RT_VECTORS=4 ] || [ "$(count 'vgpr_spill_count: *[1-9]' "$assembly")" -eq 0 ] || fail "$name spills registers"
        [ "$definition" = RT_VECTORS=4 ] || [ "$(count 'private_segment_fixed_size: *[1-9]' "$assembly")" -eq 0 ] || fail "$name uses scratch"
        if [ "$file" = gemm_matrix ]; then
            expected=$(matrix_of "$target" "$definition")
            [ "$(count "$expected" "$assembly")" -ge 16 ] || fail "$name lacks $expected"
        fi
        if [ "$file" = vpoc ]; then
            [ "$(count 'ds_add(_rtn)?_u32' "$assembly")" -gt 0 ] || fail "$name has no native LDS addition"
            [ "$(count 'ds_add(_rtn)?_u64' "$assembly")" -gt 0 ] || fail "$name has no 64-bit LDS addition"
            [ "$(count 'ds_cmpst|ds_cmpswap|ds_cmpstore' "$assembly")" -eq 0 ] || fail "$name loops for an LDS addition"
            [ "$(count 'global_atomic_add_(x2|u64)' "$assembly")" -gt 0 ] || fail "$name has no native 64-bit addition in memory"
        fi
        if [ "$file" = bandwidth ]; then
            [ "$(count '(global|flat)_load_(dwordx4|b128)' "$assembly")" -gt 0 ] || fail "$name does not load 16 bytes at once"
            [ "$(count '(global|flat)_store_(dwordx4|b128)' "$assembly")" -gt 0 ] || fail "$name does not store 16 bytes at once"
        fi
    done
done

# ---- what each takes of a compute unit -----------------------------------------------------------
table=$tests/kernel_figures.txt
{
    echo "# By $("$compiler" --version | head -1)."
    echo "# LDS of the kernel's own and scratch in bytes; moves: between VGPRs and AGPRs in loops; waves: so many a SIMD"
    echo "# holds, as registers and LDS of whole blocks of the largest size allow (kernel_figures.awk)."
    printf '%-7s %-19s %-14s %6s %5s %5s %5s %6s %7s %5s %5s\n' target form kernel LDS VGPR AGPR SGPR spills scratch moves waves
    cat "$work/figures"
} >"$work/table"
if [ "${1:-}" = --update ]; then
    cp "$work/table" "$table"
elif [ "$(head -1 "$table")" != "$(head -1 "$work/table")" ]; then
    echo "the figures are not compared: $(head -1 "$work/table"), the table: $(head -1 "$table")"
elif ! diff "$table" "$work/table"; then
    fail "kernels take other amounts of registers or LDS than kernel_figures.txt says (kernels_test.sh --update)"
fi

# ---- the common kernels for NVIDIA, to PTX -------------------------------------------------------
for target in sm_80 sm_90; do
    for file in bandwidth vpoc gemm; do
        ptx=$work/$target-$file.ptx
        # Alike with and without a CUDA installation, which would choose the version of PTX.
        "$compiler" -x cuda --cuda-gpu-arch=$target --cuda-device-only -S -nocudainc -nocudalib -std=c++17 -O3 \
            --cuda-path=/nonexistent --cuda-feature=+ptx78 -Wno-unknown-cuda-version -include "$tests/nvptx_prelude.h" "$kernels/$file.hip" -o "$ptx" 2>"$ptx.log" ||
            { fail "$file does not compile for $target: $(head -3 "$ptx.log")"; continue; }
        case $file in
            bandwidth) wanted='ld.global(.nc)?.v4' ;;
            vpoc) wanted='atom.shared.add.u32' ;;
            gemm) wanted='fma.rn.f32' ;;
        esac
        [ "$(count "$wanted" "$ptx")" -gt 0 ] || fail "$file on $target lacks $wanted"
    done
done

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "${#targets[@]} AMD targets and 2 of NVIDIA, ${#sources[@]} kernel files each"
