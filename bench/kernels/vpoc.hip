// SPDX-License-Identifier: MIT
// Volume-weighted price histogram with exact sums. Text for hipRTC and NVRTC alike: no headers.
// A volume is an integer of 32 bits (rint(volume * scale)), a sum one of 64. In LDS a sum is a pair
// of words with a carry: NVIDIA has no native 64-bit LDS atomic. Sums of integers do not depend on
// their order, so every run gives the same bits.
// RT_NEAREST: a price belongs to the nearest row (--tick); else to the row it lies in.
typedef unsigned int u32;
typedef unsigned long long u64;
struct alignas(16) vec { float v[4]; };

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
__device__ inline bool wave_all(bool p) { return __all_sync(0xffffffffu, p); }
__device__ inline u32 wave_first(u32 x) { return __shfl_sync(0xffffffffu, x, 0); }
__device__ inline u32 wave_xor(u32 x, int mask) { return __shfl_xor_sync(0xffffffffu, x, mask); }
#else
__device__ inline bool wave_all(bool p) { return __all(p); }
__device__ inline u32 wave_first(u32 x) { return __builtin_amdgcn_readfirstlane(x); }
__device__ inline u32 wave_xor(u32 x, int mask) { return __shfl_xor((int)x, mask); }
#endif

// Of at most 2^11 numbers below 2^28 in all lanes together: their halves' sums fit into a word.
__device__ inline u64 wave_sum(u32 low_halves, u32 high_halves) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return ((u64)__reduce_add_sync(0xffffffffu, high_halves) << 16) + __reduce_add_sync(0xffffffffu, low_halves);
#else
    u64 x = ((u64)high_halves << 16) + low_halves;
    for (int mask = warpSize / 2; mask > 0; mask /= 2)
        x += (u64)wave_xor((u32)(x >> 32), mask) << 32 | wave_xor((u32)x, mask);
    return x;
#endif
}

// One multiplication and one rounding, as the host does it (bench/price_grid.hpp).
__device__ inline u32 row_of(float offset, float inverse, u32 last) {
    float x = offset * inverse;
#ifdef RT_NEAREST
    x = rintf(x);
#endif
    u32 const row = (u32)x;
    return row < last ? row : last;
}

__device__ inline u32 fixed_point(float volume, float scale) { return (u32)rintf(volume * scale); }

// ---- where sums go -------------------------------------------------------------------------------

struct Pairs {  // all rows as word pairs in LDS
    u32* low;
    u32* high;
    __device__ void add(u32 row, u32 low_part, u32 high_part) const {
        u32 const before = atomicAdd(low + row, low_part);
        u32 const up = high_part + (before > ~low_part);
        if (up) atomicAdd(high + row, up);
    }
};

struct Longs {  // all rows as 64-bit integers in LDS: native on AMD
    u64* sums;
    __device__ void add(u32 row, u32 low_part, u32 high_part) const {
        atomicAdd(sums + row, (u64)high_part << 32 | low_part);
    }
};

struct Global {  // no LDS at all
    u64* out;
    __device__ void add(u32 row, u32 low_part, u32 high_part) const {
        atomicAdd(out + row, (u64)high_part << 32 | low_part);
    }
};

// The low words of some rows in LDS, and of the hot ones among them the high words; other carries,
// and with `rest` all other rows, in memory.
template <bool rest>
struct Window {
    u32* low;
    u32* high;
    u32 start, rows, hot, hot_rows;
    u64* out;
    __device__ void add(u32 row, u32 low_part, u32 high_part) const {
        u32 const place = row - start;
        if (place < rows) {
            u32 const before = atomicAdd(low + place, low_part);
            u32 const up = high_part + (before > ~low_part);
            if (up == 0) return;
            if (row - hot < hot_rows) atomicAdd(high + (row - hot), up);
            else atomicAdd(out + row, (u64)up << 32);
        } else if (rest) {
            atomicAdd(out + row, (u64)high_part << 32 | low_part);
        }
    }
};

// ---- reading ticks -------------------------------------------------------------------------------

// Vectors of prices and of volumes that a thread has at a time: more where few threads fit.
#ifndef RT_VECTORS
#define RT_VECTORS 1
#endif
#define RT_TICKS (4 * RT_VECTORS)

// Adds ticks that lie behind each other. Runs of one row are added up first; a wave whose ticks are
// all of one row adds once.
template <class Sink>
__device__ inline void add_ticks(Sink const& sink, u32 const (&rows)[RT_TICKS], u32 const (&volumes)[RT_TICKS]) {
    bool same = rows[0] == wave_first(rows[0]);
    for (int k = 1; k < RT_TICKS; ++k) same = same && rows[k] == rows[0];
    if (wave_all(same)) {
        u32 low_halves = 0, high_halves = 0;
        for (int k = 0; k < RT_TICKS; ++k) low_halves += volumes[k] & 0xffff, high_halves += volumes[k] >> 16;
        u64 const sum = wave_sum(low_halves, high_halves);
        if (threadIdx.x % warpSize == 0) sink.add(rows[0], (u32)sum, (u32)(sum >> 32));
        return;
    }
    u32 row = rows[0], low = volumes[0], high = 0;
    for (int k = 1; k < RT_TICKS; ++k) {
        if (rows[k] != row) {
            sink.add(row, low, high);
            row = rows[k], low = 0, high = 0;
        }
        low += volumes[k];
        high += low < volumes[k];
    }
    sink.add(row, low, high);
}

__device__ inline void load_tile(vec (&p)[RT_VECTORS], vec (&v)[RT_VECTORS], vec const* prices, vec const* volumes,
                                 u64 first) {
    for (int k = 0; k < RT_VECTORS; ++k) p[k] = prices[first + k * blockDim.x + threadIdx.x];
    for (int k = 0; k < RT_VECTORS; ++k) v[k] = volumes[first + k * blockDim.x + threadIdx.x];
}

// All ticks of this group of blocks. `group` of `groups` groups share the work.
template <class Sink>
__device__ inline void read_ticks(Sink const& sink, vec const* prices, vec const* volumes, u64 n, float inverse,
                                  float scale, u32 bins, u64 group, u64 groups) {
    u64 const tile = (u64)RT_VECTORS * blockDim.x;
    u64 const tiles = n / 4 / tile;
    vec p[RT_VECTORS], v[RT_VECTORS];
    if (group < tiles) load_tile(p, v, prices, volumes, group * tile);
    for (u64 t = group; t < tiles; t += groups) {
        u32 rows[RT_TICKS], parts[RT_TICKS];
        for (int k = 0; k < RT_TICKS; ++k) {
            rows[k] = row_of(p[k / 4].v[k % 4], inverse, bins - 1);
            parts[k] = fixed_point(v[k / 4].v[k % 4], scale);
        }
        // The next tile is on its way while this one is added.
        if (t + groups < tiles) load_tile(p, v, prices, volumes, (t + groups) * tile);
        add_ticks(sink, rows, parts);
    }
    float const* const price = (float const*)prices;
    float const* const volume = (float const*)volumes;
    for (u64 i = tiles * tile * 4 + group * blockDim.x + threadIdx.x; i < n; i += groups * blockDim.x)
        sink.add(row_of(price[i], inverse, bins - 1), fixed_point(volume[i], scale), 0);
}

extern __shared__ u64 lds[];

__device__ inline void clear_words(u32* words, u32 count) {
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) words[i] = 0;
    __syncthreads();
}

#include "block_number.h"

// All kernels have the same arguments, so that the caller can choose between them.
#define RT_ARGUMENTS \
    vec const *prices, vec const *volumes, u64 n, float inverse, float scale, u32 bins, u64 *out, u32 start, u32 rows, u32 hot, \
        u32 hot_rows

extern "C" __global__ void __launch_bounds__(1024) rt_vpoc_pairs(RT_ARGUMENTS) {
    u32* const words = (u32*)lds;
    clear_words(words, 2 * bins);
    read_ticks(Pairs{words, words + bins}, prices, volumes, n, inverse, scale, bins, blockIdx.x, gridDim.x);
    __syncthreads();
    for (u32 i = threadIdx.x; i < bins; i += blockDim.x) {
        u64 const sum = (u64)words[bins + i] << 32 | words[i];
        if (sum) atomicAdd(out + i, sum);
    }
}

extern "C" __global__ void __launch_bounds__(1024) rt_vpoc_longs(RT_ARGUMENTS) {
    clear_words((u32*)lds, 2 * bins);
    read_ticks(Longs{lds}, prices, volumes, n, inverse, scale, bins, blockIdx.x, gridDim.x);
    __syncthreads();
    for (u32 i = threadIdx.x; i < bins; i += blockDim.x)
        if (lds[i]) atomicAdd(out + i, lds[i]);
}

extern "C" __global__ void __launch_bounds__(1024) rt_vpoc_global(RT_ARGUMENTS) {
    read_ticks(Global{out}, prices, volumes, n, inverse, scale, bins, blockIdx.x, gridDim.x);
}

template <bool rest>
__device__ inline void put_out(Window<rest> const& window, u32 bins) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < window.rows && window.start + i < bins; i += blockDim.x)
        if (window.low[i]) atomicAdd(window.out + window.start + i, (u64)window.low[i]);
    for (u32 i = threadIdx.x; i < window.hot_rows && window.hot + i < bins; i += blockDim.x)
        if (window.high[i]) atomicAdd(window.out + window.hot + i, (u64)window.high[i] << 32);
}

// Rows [start, start + rows) in LDS, the others straight to memory.
extern "C" __global__ void __launch_bounds__(1024) rt_vpoc_window(RT_ARGUMENTS) {
    u32* const words = (u32*)lds;
    clear_words(words, rows + hot_rows);
    Window<true> const window{words, words + rows, start, rows, hot, hot_rows, out};
    read_ticks(window, prices, volumes, n, inverse, scale, bins, blockIdx.x, gridDim.x);
    put_out(window, bins);
}

// `start` blocks side by side read the same ticks, on one die, and share the rows, `rows` each.
extern "C" __global__ void __launch_bounds__(1024) rt_vpoc_split(RT_ARGUMENTS) {
    u32* const words = (u32*)lds;
    clear_words(words, rows + hot_rows);
    u32 const number = block_number(start);
    Window<false> const window{words, words + rows, number % start * rows, rows, hot, hot_rows, out};
    read_ticks(window, prices, volumes, n, inverse, scale, bins, number / start, gridDim.x / start);
    put_out(window, bins);
}

// Sums in fp32, as most code has them: to show what they lose. `out` has floats.
extern "C" __global__ void __launch_bounds__(1024) rt_vpoc_float(RT_ARGUMENTS) {
    float* const sums = (float*)lds;
    clear_words((u32*)lds, bins);
    float const* const price = (float const*)prices;
    float const* const volume = (float const*)volumes;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
        atomicAdd(sums + row_of(price[i], inverse, bins - 1), volume[i]);
    __syncthreads();
    for (u32 i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd((float*)out + i, sums[i]);
}
