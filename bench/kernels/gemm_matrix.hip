// SPDX-License-Identifier: MIT
// C = A B^T with the matrix instructions of AMD GPUs, row-major, n a multiple of 128, C in the type
// of the accumulator. A block of 256 threads makes 128 x 128. The profile of a target says which
// instruction multiplies which type (matrix_kernels, profiles/schema/profile.schema.json); what is
// defined is RT_ and its name in capitals. fp8 is e4m3 as the target has it, FNUZ or OCP.
// Operand layouts: AMD Instinct and RDNA instruction set references, "Matrix Arithmetic
// Instructions"; https://github.com/ROCm/amd_matrix_instruction_calculator.
typedef unsigned int u32;
typedef unsigned long long u64;

#define RT_VECTOR(type, count) type __attribute__((ext_vector_type(count)))

// For each instruction:
//   element, accumulator  of A and B, of C
//   fragment              what a lane gives of one operand: neighbours in k
//   RT_STEP               depth of the instruction
//   RT_MULTIPLY           a b + c
// MFMA: products of 32 x 32 but for fp64, wavefronts of 64.
#if defined(RT_MFMA_F64_16X16X4F64)
typedef double element, accumulator, fragment;
#define RT_STEP 4
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 0)
#elif defined(RT_MFMA_F32_32X32X8F16)
typedef _Float16 element;
typedef float accumulator;
typedef RT_VECTOR(_Float16, 4) fragment;
#define RT_STEP 8
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0)
#elif defined(RT_MFMA_F32_32X32X4BF16)
typedef short element;
typedef float accumulator;
typedef RT_VECTOR(short, 2) fragment;
#define RT_STEP 4
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_mfma_f32_32x32x4bf16(a, b, c, 0, 0, 0)
#elif defined(RT_MFMA_F32_32X32X8BF16_1K)
typedef short element;
typedef float accumulator;
typedef RT_VECTOR(short, 4) fragment;
#define RT_STEP 8
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0)
#elif defined(RT_MFMA_F32_32X32X16_FP8_FP8)
typedef unsigned char element;
typedef float accumulator;
typedef long fragment;
#define RT_STEP 16
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(a, b, c, 0, 0, 0)
#elif defined(RT_MFMA_I32_32X32X8I8)
typedef signed char element;
typedef int accumulator, fragment;
#define RT_STEP 8
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_mfma_i32_32x32x8i8(a, b, c, 0, 0, 0)
#elif defined(RT_MFMA_I32_32X32X16_I8)
typedef signed char element;
typedef int accumulator;
typedef long fragment;
#define RT_STEP 16
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_mfma_i32_32x32x16_i8(a, b, c, 0, 0, 0)
// WMMA: products of 16 x 16, wavefronts of 32. RT_K: neighbours in a fragment; on RDNA3 (16) both
// halves of the wave give the same row or column, all of it. Of int8 the instruction is told that A
// and B are signed, and that sums which overflow are not cut off.
#elif defined(RT_WMMA_F32_16X16X16_F16_W32)
#define RT_K 16
typedef _Float16 element;
typedef float accumulator;
typedef RT_VECTOR(_Float16, RT_K) fragment;
#define RT_MULTIPLY __builtin_amdgcn_wmma_f32_16x16x16_f16_w32
#elif defined(RT_WMMA_F32_16X16X16_BF16_W32)
#define RT_K 16
typedef short element;
typedef float accumulator;
typedef RT_VECTOR(short, RT_K) fragment;
#define RT_MULTIPLY __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32
#elif defined(RT_WMMA_I32_16X16X16_IU8_W32)
#define RT_K 16
typedef signed char element;
typedef int accumulator;
typedef RT_VECTOR(int, RT_K / 4) fragment;
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, a, true, b, c, false)
#elif defined(RT_WMMA_F32_16X16X16_F16_W32_GFX12)
#define RT_K 8
typedef _Float16 element;
typedef float accumulator;
typedef RT_VECTOR(_Float16, RT_K) fragment;
#define RT_MULTIPLY __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12
#elif defined(RT_WMMA_F32_16X16X16_BF16_W32_GFX12)
#define RT_K 8
typedef short element;
typedef float accumulator;
typedef RT_VECTOR(short, RT_K) fragment;
#define RT_MULTIPLY __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12
#elif defined(RT_WMMA_F32_16X16X16_FP8_FP8_W32_GFX12)
#define RT_K 8
typedef unsigned char element;
typedef float accumulator;
typedef RT_VECTOR(int, RT_K / 4) fragment;
#define RT_MULTIPLY __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12
#elif defined(RT_WMMA_I32_16X16X16_IU8_W32_GFX12)
#define RT_K 8
typedef signed char element;
typedef int accumulator;
typedef RT_VECTOR(int, RT_K / 4) fragment;
#define RT_MULTIPLY(a, b, c) __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, a, true, b, c, false)
#else
#error "no matrix instruction is defined, or one that has no row here"
#endif

// Where the numbers lie:
//   RT_EDGE         rows and columns of one instruction's result
//   RT_SUMS         what a lane holds of it
//   first_k(lane)   the first k of a lane's fragment; its row or column is lane % RT_EDGE
//   row_of(lane, i) row of result i of a lane; its column is lane % RT_EDGE
#if defined(RT_K)
#define RT_WAVE 32
#define RT_EDGE 16
#define RT_STEP 16
#define RT_SUMS 8
__device__ inline u32 first_k(u32 lane) { return RT_K == 8 ? lane / 16 * 8 : 0; }
__device__ inline u32 row_of(u32 lane, u32 i) { return RT_K == 8 ? lane / 16 * 8 + i : 2 * i + lane / 16; }
#elif defined(RT_MFMA_F64_16X16X4F64)
#define RT_WAVE 64
#define RT_EDGE 16
#define RT_SUMS 4
__device__ inline u32 first_k(u32 lane) { return lane / 16; }
__device__ inline u32 row_of(u32 lane, u32 i) { return 4 * i + lane / 16; }
#else
#define RT_WAVE 64
#define RT_EDGE 32
#define RT_SUMS 16
__device__ inline u32 first_k(u32 lane) { return lane / 32 * (RT_STEP / 2); }
__device__ inline u32 row_of(u32 lane, u32 i) { return i / 4 * 8 + lane / 32 * 4 + i % 4; }
#endif
typedef RT_VECTOR(accumulator, RT_SUMS) sums;

__device__ inline sums multiply(fragment a, fragment b, sums c) { return RT_MULTIPLY(a, b, c); }

#define RT_TILE 128
#define RT_DEPTH (64 / sizeof(element))  // a row of a slice has 64 bytes
#define RT_WAVES (256 / RT_WAVE)
#define RT_ROWS 64                       // of C, by one wave
#define RT_COLUMNS (2 * RT_TILE / RT_WAVES)

// LDS has 32 banks of 4 bytes. Two rows of a slice fill them once; behind them as many bytes stay free
// as a lane reads at a time. Then no bank is met twice in a clock, by reads or by writes
// (tests/bench/emulated/banks_test.cpp).
#define RT_READ (sizeof(fragment) < 16 ? sizeof(fragment) : 16)
#define RT_PAIR ((128 + RT_READ) / sizeof(element))

typedef RT_VECTOR(u32, 4) chunk;
typedef chunk chunk_in_lds __attribute__((aligned(RT_READ)));

// A block's slice of one operand: 512 pieces of 16 bytes, two a thread.
__device__ inline void fetch(chunk (&f)[2], element const* from, u32 n, u32 k) {
#pragma unroll
    for (u32 h = 0; h < 2; ++h) {
        u32 const row = threadIdx.x / 4 + 64 * h;
        f[h] = *(chunk const*)(from + row * (u64)n + k + threadIdx.x % 4 * (16 / sizeof(element)));
    }
}

// Where an element of a slice lies in LDS.
__device__ inline u32 place(u32 row, u32 k) { return row / 2 * RT_PAIR + row % 2 * RT_DEPTH + k; }

__device__ inline void put(element* slice, chunk const (&f)[2]) {
#pragma unroll
    for (u32 h = 0; h < 2; ++h)
        *(chunk_in_lds*)(slice + place(threadIdx.x / 4 + 64 * h, threadIdx.x % 4 * (16 / sizeof(element)))) = f[h];
}

__device__ inline fragment take(element const* slice, u32 row, u32 k, u32 lane) {
    return *(fragment const*)(slice + place(row + lane % RT_EDGE, k + first_k(lane)));
}

#include "block_number.h"

// Two waves a SIMD: with all registers for one, clang 19 keeps fp64 sums in AGPRs and moves each of
// them to a VGPR and back around every instruction.
extern "C" __global__ void __launch_bounds__(256, 2)
rt_matrix_gemm(element const* a, element const* b, accumulator* c, u32 n) {
    alignas(16) __shared__ element as[RT_TILE / 2 * RT_PAIR];
    alignas(16) __shared__ element bs[RT_TILE / 2 * RT_PAIR];
    u32 const tiles = n / RT_TILE;
    // Groups of 8 rows, as in gemm.hip.
    u32 const number = block_number(1), group = number / (8 * tiles), inside = number - group * 8 * tiles;
    u32 const rows = tiles - 8 * group < 8 ? tiles - 8 * group : 8;
    u32 const y = (8 * group + inside % rows) * RT_TILE, x = inside / rows * RT_TILE;
    u32 const lane = threadIdx.x % RT_WAVE, wave = threadIdx.x / RT_WAVE;
    u32 const row = wave % 2 * RT_ROWS, column = wave / 2 * RT_COLUMNS;
    sums out[RT_ROWS / RT_EDGE][RT_COLUMNS / RT_EDGE] = {};
    chunk next_a[2], next_b[2];
    fetch(next_a, a + y * (u64)n, n, 0);
    fetch(next_b, b + x * (u64)n, n, 0);
    for (u32 k = 0; k < n; k += RT_DEPTH) {
        put(as, next_a);
        put(bs, next_b);
        __syncthreads();
        // Without a branch, so that what is fetched stays in registers: the last slice comes twice.
        u32 const ahead = k + RT_DEPTH < n ? k + RT_DEPTH : k;
        fetch(next_a, a + y * (u64)n, n, ahead);
        fetch(next_b, b + x * (u64)n, n, ahead);
#pragma unroll
        for (u32 step = 0; step < RT_DEPTH; step += RT_STEP) {
            fragment left[RT_ROWS / RT_EDGE], right[RT_COLUMNS / RT_EDGE];
#pragma unroll
            for (u32 i = 0; i < RT_ROWS / RT_EDGE; ++i) left[i] = take(as, row + i * RT_EDGE, step, lane);
#pragma unroll
            for (u32 j = 0; j < RT_COLUMNS / RT_EDGE; ++j) right[j] = take(bs, column + j * RT_EDGE, step, lane);
#pragma unroll
            for (u32 i = 0; i < RT_ROWS / RT_EDGE; ++i)
#pragma unroll
                for (u32 j = 0; j < RT_COLUMNS / RT_EDGE; ++j) out[i][j] = multiply(left[i], right[j], out[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (u32 i = 0; i < RT_ROWS / RT_EDGE; ++i)
#pragma unroll
        for (u32 j = 0; j < RT_COLUMNS / RT_EDGE; ++j)
#pragma unroll
            for (u32 r = 0; r < RT_SUMS; ++r)
                c[(y + row + i * RT_EDGE + row_of(lane, r)) * (u64)n + x + column + j * RT_EDGE + lane % RT_EDGE] = out[i][j][r];
}
