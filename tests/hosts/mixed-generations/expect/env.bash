# host 0ed07e128164f532: 1 x AMD Radeon VII (gfx906), 1 x AMD Radeon RX 6800 XT (gfx1030), 1 x AMD
# Radeon RX 7600 (gfx1102)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: iommu: pt (Several cards behind a translating IOMMU cannot read each other's
# memory directly, or only slowly; AMD asks for the kernel argument iommu=pt, and RCCL warns without
# it.)
# Beside variables, for 0000:04:00.0: mixed precision: fp16 where the model allows it (There are no
# matrix units; two fp16 operations fit in one fp32 lane.)
# Beside variables, for 0000:44:00.0: mixed precision: fp16 where the model allows it (There are no
# matrix units; fp16 runs at twice the rate of fp32, bf16 has no instructions of its own.)
# Beside variables, for 0000:c4:00.0: mixed precision: bf16 or fp16 (The matrix units (WMMA) run
# both at twice the rate of fp32; there are none for fp32 and fp8.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx1030 is supported; not needed from ROCm 7.14
# on, which supports gfx1102; not needed, gfx906 is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: OMP_NUM_THREADS: for pytorch, which is not here
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
