// SPDX-License-Identifier: MIT
// Included by the kernels whose blocks share data; they have u32.
// Blocks are dealt in turn to the dies (XCD) of a GPU, each of which has an L2 of its own: by the
// linear number of the block modulo the dies (AMD, composable_kernel, include/ck_tile,
// GemmDecodeChipletSwizzle: "The CP dispatches workgroups round-robin across XCDs by linear wgid";
// https://rocm.blogs.amd.com/software-tools-optimization/compute-memory-modes/README.html). Numbered
// like this, a die works on neighbours, `together` of which never part but for the last ones. If
// blocks are dealt otherwise, results are the same and more is read.
#ifndef RT_DIES
#define RT_DIES 1
#endif
__device__ inline u32 block_number(u32 together) {
#if RT_DIES > 1
    u32 const each = gridDim.x / (RT_DIES * together) * together;
    if (blockIdx.x < each * RT_DIES) return blockIdx.x % RT_DIES * each + blockIdx.x / RT_DIES;
#endif
    return blockIdx.x;
}
