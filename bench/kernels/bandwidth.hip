// SPDX-License-Identifier: MIT
// Memory bandwidth. Text for hipRTC and NVRTC alike: no headers. One vector of 16 bytes a thread,
// exact grid: more bytes a thread or a persistent grid cost 3 to 14 % of copy on an H200.
// RT_DOUBLE: elements are double instead of float.
typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef RT_DOUBLE
typedef double element;
struct alignas(16) vec { element v[2]; };
#define RT_WIDTH 2
#else
typedef float element;
struct alignas(16) vec { element v[4]; };
#define RT_WIDTH 4
#endif
struct alignas(16) words { u32 v[4]; };

__device__ inline u64 thread_index() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }

// As bench/data.hpp.
__device__ inline u32 mixed(u32 h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

extern "C" __global__ void rt_random(vec* a, u64 n, u32 seed) {
    u64 const i = thread_index();
    if (i >= n) return;
    vec x;
    for (int k = 0; k < RT_WIDTH; ++k)
        x.v[k] = (element)1 + (element)(mixed((u32)(i * RT_WIDTH + k) * 0x9e3779b9u + seed) >> 22) * (element)0.0009765625;
    a[i] = x;
}

extern "C" __global__ void rt_copy(vec const* a, vec* c, u64 n) {
    u64 const i = thread_index();
    if (i < n) c[i] = a[i];
}

extern "C" __global__ void rt_mul(vec const* a, vec* c, u64 n) {
    u64 const i = thread_index();
    if (i >= n) return;
    vec x = a[i];
    for (int k = 0; k < RT_WIDTH; ++k) x.v[k] *= (element)0.5;
    c[i] = x;
}

extern "C" __global__ void rt_add(vec const* a, vec const* b, vec* c, u64 n) {
    u64 const i = thread_index();
    if (i >= n) return;
    vec const x = a[i], y = b[i];
    vec z;
    for (int k = 0; k < RT_WIDTH; ++k) z.v[k] = x.v[k] + y.v[k];
    c[i] = z;
}

extern "C" __global__ void rt_triad(vec const* a, vec const* b, vec* c, u64 n) {
    u64 const i = thread_index();
    if (i >= n) return;
    vec const x = a[i], y = b[i];
    vec z;
    for (int k = 0; k < RT_WIDTH; ++k) z.v[k] = x.v[k] + (element)0.5 * y.v[k];
    c[i] = z;
}

extern "C" __global__ void rt_write(words* c, u64 n) {
    u64 const i = thread_index();
    if (i >= n) return;
    words z;
    for (int k = 0; k < 4; ++k) z.v[k] = 0x3f800000u | ((u32)(i * 4 + k) & 0x7fffffu);
    c[i] = z;
}

// Each block's exclusive or, so that every bit of every element matters. `partials` has a word a
// block.
extern "C" __global__ void rt_read(words const* a, u64 n, u32* partials) {
    __shared__ u32 tree[1024];
    u32 x = 0;
    u64 const step = (u64)gridDim.x * blockDim.x;
    u64 i = thread_index();
    for (; i + 3 * step < n; i += 4 * step) {
        words const p = a[i], q = a[i + step], r = a[i + 2 * step], s = a[i + 3 * step];
        for (int k = 0; k < 4; ++k) x ^= p.v[k] ^ q.v[k] ^ r.v[k] ^ s.v[k];
    }
    for (; i < n; i += step) {
        words const p = a[i];
        for (int k = 0; k < 4; ++k) x ^= p.v[k];
    }
    tree[threadIdx.x] = x;
    __syncthreads();
    for (u32 half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) tree[threadIdx.x] ^= tree[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = tree[0];
}

// Sums in fp64, where they are exact: at memory speed one addition an element costs nothing.
extern "C" __global__ void rt_dot(vec const* a, vec const* b, u64 n, double* partials) {
    __shared__ double tree[1024];
    double sum = 0;
    u64 const step = (u64)gridDim.x * blockDim.x;
    u64 i = thread_index();
    for (; i + 3 * step < n; i += 4 * step) {
        vec p[4], q[4];
        for (int h = 0; h < 4; ++h) p[h] = a[i + h * step], q[h] = b[i + h * step];
        for (int h = 0; h < 4; ++h)
            for (int k = 0; k < RT_WIDTH; ++k) sum += (double)(p[h].v[k] * q[h].v[k]);
    }
    for (; i < n; i += step) {
        vec const p = a[i], q = b[i];
        for (int k = 0; k < RT_WIDTH; ++k) sum += (double)(p.v[k] * q.v[k]);
    }
    tree[threadIdx.x] = sum;
    __syncthreads();
    for (u32 half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = tree[0];
}
