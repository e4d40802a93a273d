// SPDX-License-Identifier: MIT
// C = A B in fp32 with plain multiply-adds, row-major, n a multiple of 256. Text for hipRTC and NVRTC
// alike: no headers. A block of 256 threads makes RT_ROWS x RT_COLUMNS of C; while it works on one
// slice the next one is on its way to registers.
typedef unsigned int u32;
typedef unsigned long long u64;
struct alignas(16) quad { float v[4]; };

#define RT_ROWS 128
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
// 8 x 16 a thread, one block a multiprocessor: 49.3 TFLOP/s on an H200, where 8 x 8 gives 46.5.
#define RT_COLUMNS 256
#define RT_DEPTH 8
#define RT_BLOCKS 1
#define RT_UNROLL _Pragma("unroll")
#else
// 8 x 8: the other would not leave registers for a second wave. Slices of depth 16 would take 33,280
// bytes of LDS, a kilobyte too much for two blocks on a CU with 64 KiB. Fully unrolled, the compiler
// loads everything first and spills.
#define RT_COLUMNS 128
#define RT_DEPTH 8
#define RT_BLOCKS 2
#define RT_UNROLL _Pragma("unroll 2")
#endif
#define RT_THREADS 256
#define RT_PAD 4
#define RT_M 8                                     // rows of a thread, in groups of 4
#define RT_N (RT_ROWS * RT_COLUMNS / RT_THREADS / RT_M)  // its columns, likewise
#define RT_QUADS_A (RT_ROWS * RT_DEPTH / 4 / RT_THREADS)
#define RT_QUADS_B (RT_COLUMNS * RT_DEPTH / 4 / RT_THREADS)

// Rows r of A lie transposed: a[k][r].
struct Slices {
    float a[2][RT_DEPTH][RT_ROWS + RT_PAD];
    float b[2][RT_DEPTH][RT_COLUMNS];
};

struct Fetched {
    quad a[RT_QUADS_A], b[RT_QUADS_B];
};

__device__ inline void fetch(Fetched& f, float const* a, float const* b, u32 n, u32 k) {
#pragma unroll
    for (u32 h = 0; h < RT_QUADS_A; ++h) {
        u32 const i = threadIdx.x + h * RT_THREADS;
        f.a[h] = *(quad const*)(a + i / (RT_DEPTH / 4) * (u64)n + k + i % (RT_DEPTH / 4) * 4);
    }
#pragma unroll
    for (u32 h = 0; h < RT_QUADS_B; ++h) {
        u32 const i = threadIdx.x + h * RT_THREADS;
        f.b[h] = *(quad const*)(b + (k + i / (RT_COLUMNS / 4)) * (u64)n + i % (RT_COLUMNS / 4) * 4);
    }
}

__device__ inline void put(Slices& s, Fetched const& f, u32 half) {
#pragma unroll
    for (u32 h = 0; h < RT_QUADS_A; ++h) {
        u32 const i = threadIdx.x + h * RT_THREADS;
#pragma unroll
        for (u32 e = 0; e < 4; ++e) s.a[half][i % (RT_DEPTH / 4) * 4 + e][i / (RT_DEPTH / 4)] = f.a[h].v[e];
    }
#pragma unroll
    for (u32 h = 0; h < RT_QUADS_B; ++h) {
        u32 const i = threadIdx.x + h * RT_THREADS;
        *(quad*)&s.b[half][i / (RT_COLUMNS / 4)][i % (RT_COLUMNS / 4) * 4] = f.b[h];
    }
}

// 32 neighbours make 32 rows x 8 RT_N columns: 4 x 8 of them, whose groups of four lie 16 rows and
// 32 columns apart, so that their reads of LDS meet no bank twice.
__device__ inline u32 first_row() { return threadIdx.x / 32 / (RT_COLUMNS / (8 * RT_N)) * 4 * RT_M + threadIdx.x % 32 / 8 * 4; }
__device__ inline u32 first_column() { return threadIdx.x / 32 % (RT_COLUMNS / (8 * RT_N)) * 8 * RT_N + threadIdx.x % 8 * 4; }

__device__ inline void multiply(Slices const& s, u32 half, float (&c)[RT_M][RT_N]) {
    u32 const row = first_row(), column = first_column();
    RT_UNROLL
    for (u32 k = 0; k < RT_DEPTH; ++k) {
        quad a[RT_M / 4], b[RT_N / 4];
#pragma unroll
        for (u32 i = 0; i < RT_M / 4; ++i) a[i] = *(quad const*)&s.a[half][k][row + 16 * i];
#pragma unroll
        for (u32 j = 0; j < RT_N / 4; ++j) b[j] = *(quad const*)&s.b[half][k][column + 32 * j];
#pragma unroll
        for (u32 i = 0; i < RT_M; ++i)
#pragma unroll
            for (u32 j = 0; j < RT_N; ++j) c[i][j] += a[i / 4].v[i % 4] * b[j / 4].v[j % 4];
    }
}

#include "block_number.h"

extern "C" __global__ void __launch_bounds__(RT_THREADS, RT_BLOCKS)
rt_sgemm(float const* a, float const* b, float* c, u32 n) {
    __shared__ Slices slices;
    u32 const tiles_x = n / RT_COLUMNS, tiles_y = n / RT_ROWS;
    // Blocks that run together share columns of B and rows of A in the cache: groups of 8 rows.
    u32 const number = block_number(1);
    u32 const group = number / (8 * tiles_x);
    u32 const rows = tiles_y - 8 * group < 8 ? tiles_y - 8 * group : 8;
    u32 const inside = number - group * 8 * tiles_x;
    u32 const y = 8 * group + inside % rows, x = inside / rows;
    float const* const first_a = a + (u64)y * RT_ROWS * n;
    float const* const first_b = b + x * RT_COLUMNS;
    float sums[RT_M][RT_N] = {};
    Fetched next;
    fetch(next, first_a, first_b, n, 0);
    put(slices, next, 0);
    __syncthreads();
    u32 half = 0;
    for (u32 k = RT_DEPTH; k < n; k += RT_DEPTH) {
        fetch(next, first_a, first_b, n, k);
        multiply(slices, half, sums);
        half ^= 1;
        put(slices, next, half);
        __syncthreads();
    }
    multiply(slices, half, sums);
    u32 const row = y * RT_ROWS + first_row(), column = x * RT_COLUMNS + first_column();
#pragma unroll
    for (u32 i = 0; i < RT_M; ++i)
#pragma unroll
        for (u32 j = 0; j < RT_N / 4; ++j) {
            quad out;
#pragma unroll
            for (u32 e = 0; e < 4; ++e) out.v[e] = sums[i][4 * j + e];
            *(quad*)(c + (row + i / 4 * 16 + i % 4) * (u64)n + column + 32 * j) = out;
        }
}
