// SPDX-License-Identifier: MIT
// The least that shows that a GPU computes. Text for hipRTC and NVRTC alike: no headers.
typedef unsigned int u32;

// As bench/data.hpp.
__device__ inline u32 mixed(u32 h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

extern "C" __global__ void rt_pattern(u32* words, u32 n, u32 seed) {
    u32 const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) words[i] = mixed(i * 0x9e3779b9u + seed);
}
