// SPDX-License-Identifier: MIT
// What NVRTC has built in and plain clang has not, as far as the kernels use it. For the tests that
// compile bench/kernels to PTX without CUDA.
#pragma once
#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct rt_index_of_thread {
    struct X { __device__ operator unsigned() const { return __nvvm_read_ptx_sreg_tid_x(); } } x;
};
struct rt_index_of_block {
    struct X { __device__ operator unsigned() const { return __nvvm_read_ptx_sreg_ctaid_x(); } } x;
};
struct rt_size_of_block {
    struct X { __device__ operator unsigned() const { return __nvvm_read_ptx_sreg_ntid_x(); } } x;
};
struct rt_size_of_grid {
    struct X { __device__ operator unsigned() const { return __nvvm_read_ptx_sreg_nctaid_x(); } } x;
};
#define threadIdx (rt_index_of_thread{})
#define blockIdx (rt_index_of_block{})
#define blockDim (rt_size_of_block{})
#define gridDim (rt_size_of_grid{})
#define warpSize 32

__device__ inline unsigned atomicAdd(unsigned* to, unsigned value) { return __nvvm_atom_add_gen_i((int*)to, (int)value); }
__device__ inline unsigned long long atomicAdd(unsigned long long* to, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long*)to, (long long)value);
}
__device__ inline float atomicAdd(float* to, float value) { return __nvvm_atom_add_gen_f(to, value); }
__device__ inline float rintf(float x) { return __builtin_rintf(x); }
__device__ inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    return (unsigned)__nvvm_redux_sync_add((int)value, (int)mask);
}
__device__ inline bool __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
__device__ inline unsigned __shfl_sync(unsigned mask, unsigned value, int lane) {
    return (unsigned)__nvvm_shfl_sync_idx_i32(mask, (int)value, lane, 31);
}
__device__ inline unsigned __shfl_xor_sync(unsigned mask, unsigned value, int lanes) {
    return (unsigned)__nvvm_shfl_sync_bfly_i32(mask, (int)value, lanes, 31);
}
