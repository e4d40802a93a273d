# host 15b70fb41f535b0d: 2 x AMD Radeon RX 7900 XT (gfx1100)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: BLAS library: leave PyTorch its choice;
# torch.backends.cuda.preferred_blas_library() tells it (Which of hipBLAS and hipBLASLt is the
# default depends on the wheel and the GPU; no source supports a fixed answer for all.)
# Beside variables: DataParallel: use DistributedDataParallel with one process for each GPU
# (torchrun starts them and owns WORLD_SIZE, MASTER_ADDR and MASTER_PORT) (PyTorch recommends it
# over DataParallel on one host too.)
# Beside variables: distributed backend: nccl (On ROCm this name means RCCL, which moves data
# between GPUs; gloo takes it through the host's memory and reads no NCCL variable.)
# Beside variables: iommu: pt (Several cards behind a translating IOMMU cannot read each other's
# memory directly, or only slowly; AMD asks for the kernel argument iommu=pt, and RCCL warns without
# it.)
# Beside variables: mixed precision: bf16 or fp16 (The matrix units (WMMA) run both at twice the
# rate of fp32; there are none for fp32 and fp8.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx1100 is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: OMP_NUM_THREADS: given at --level aggressive
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
