// SPDX-License-Identifier: MIT
// The C interface of libamdgpu_executor.so: kernels of AMD GPUs are executed on the processor, in
// the memory of the calling process.
//
// AMDGPU_EMULATOR_SCHEDULE  in-order (default), reverse, lockstep or random: how waves take turns
// AMDGPU_EMULATOR_FAULT     transposed-layout, lost-atomics or ignored-barriers: what is done
// wrongly
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Executes the kernel of one AQL dispatch packet (64 bytes) to its end. One dispatch at a time: a
/// second call waits.
/// @param target  what the kernel is compiled for: "gfx90a", "gfx90a:sramecc+:xnack-"
/// @param packet  `kernel_object` is the address of the kernel descriptor in this process
/// @param device  number of the GPU, for messages
/// @return null, or a sentence why the kernel did not come to its end; valid until the next call of
///         the same thread
char const* amdgpu_execute(char const* target, void const* packet, unsigned device);

/// Memory was unmapped or code was replaced: what was decoded is forgotten.
void amdgpu_forget(void);

#ifdef __cplusplus
}
#endif
