# host 9a43344ac6e7793b: 1 x AMD Radeon 8060S Graphics (gfx1151)
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
# Beside variables: mixed precision: bf16 or fp16 (The matrix units (WMMA) run both at twice the
# rate of fp32; there are none for fp32 and fp8.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed from ROCm 7.14 on, which supports gfx1151
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
