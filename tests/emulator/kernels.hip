// SPDX-License-Identifier: MIT
// Small kernels for the tests of the emulator, on top of tests/bench/amdgpu_prelude.h.
typedef unsigned int u32;

// Each work-item of a grid in three dimensions writes who it is.
extern "C" __global__ void store_ids(u32* out, u32 width, u32 height) {
    u32 const x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
    u32 const y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y();
    u32 const z = __builtin_amdgcn_workgroup_id_z() * __builtin_amdgcn_workgroup_size_z() + __builtin_amdgcn_workitem_id_z();
    out[(z * height + y) * width + x] = x | y << 10 | z << 20;
}

// Arrays that registers do not hold: one is too large, the other must be seen by everybody.
template <class T>
__device__ inline void fill_and_sum(T (&values)[64], u32* out, u32 const* order) {
    for (u32 i = 0; i < 64; ++i) values[order[i] & 63] = i * 1000 + threadIdx.x;
    u32 sum = 0;
    for (u32 i = 0; i < 64; ++i) sum = sum * 3 + values[order[63 - i] & 63];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void large_array(u32* out, u32 const* order) {
    u32 values[64];
    fill_and_sum(values, out, order);
}
extern "C" __global__ void volatile_array(u32* out, u32 const* order) {
    volatile u32 values[64];
    fill_and_sum(values, out, order);
}

// The last wave's value, taken by the first: right only if waves wait for each other.
extern "C" __global__ void exchange(u32* out) {
    __shared__ u32 values[256];
    values[threadIdx.x] = threadIdx.x + 7;
    __syncthreads();
    out[threadIdx.x] = values[255 - threadIdx.x];
}

extern "C" __global__ void count(u32* to) {
    atomicAdd(to + threadIdx.x % 2, 1u);
}

extern "C" __global__ void beyond_lds(u32* out, u32 index) {
    __shared__ u32 values[64];
    values[threadIdx.x] = 1;
    out[0] = values[index];
}
