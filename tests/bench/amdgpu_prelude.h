// SPDX-License-Identifier: MIT
// What hipRTC has built in and plain clang has not, as far as the kernels use it. For the tests that
// compile bench/kernels without ROCm.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
// As hip/amd_detail/amd_hip_runtime.h has it: the second number counts waves on a SIMD, not blocks.
#define rt_bounds_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define rt_bounds_2(threads, waves) \
    __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define rt_bounds_select(first, second, chosen, ...) chosen
#define __launch_bounds__(...) rt_bounds_select(__VA_ARGS__, rt_bounds_2, rt_bounds_1, )(__VA_ARGS__)

struct rt_index_of_thread {
    struct X { __device__ operator unsigned() const { return __builtin_amdgcn_workitem_id_x(); } } x;
};
struct rt_index_of_block {
    struct X { __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_id_x(); } } x;
};
struct rt_size_of_block {
    struct X { __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_size_x(); } } x;
};
struct rt_size_of_grid {
    struct X { __device__ operator unsigned() const { return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(); } } x;
};
#define threadIdx (rt_index_of_thread{})
#define blockIdx (rt_index_of_block{})
#define blockDim (rt_size_of_block{})
#define gridDim (rt_size_of_grid{})
#define warpSize ((int)__builtin_amdgcn_wavefrontsize())

__device__ inline void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
template <class T>
__device__ inline T atomicAdd(T* to, T value) {
    return __hip_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline float rintf(float x) { return __builtin_rintf(x); }
__device__ inline int __lane_id() {
    return (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}
__device__ inline int __shfl_xor(int value, int mask) {
    return __builtin_amdgcn_ds_bpermute((__lane_id() ^ mask) * 4, value);
}
// As ROCm's device libraries have it. Clang 19 makes "any lane" of a mask of those whose predicate is
// false, compared with 0.
__device__ inline bool __all(int predicate) {
#if __AMDGCN_WAVEFRONT_SIZE == 32
    return __builtin_amdgcn_ballot_w32(predicate != 0) == __builtin_amdgcn_read_exec_lo();
#else
    return __builtin_amdgcn_ballot_w64(predicate != 0) == __builtin_amdgcn_read_exec();
#endif
}
