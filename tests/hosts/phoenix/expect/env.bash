# host 41ac17ed55a71a4e: 1 x AMD Radeon 780M Graphics (gfx1103)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: mixed precision: bf16 or fp16 (The matrix units (WMMA) run both at twice the
# rate of fp32; there are none for fp32 and fp8.)
# Beside variables: ttm.pages_limit: 14155776 (The kernel lets the GPU use half of main memory
# unless told otherwise; so many pages of 4 KiB are what it can give and leave the system an eighth,
# 8 GiB at least. rocmtune check --only RT3206 has the command; a model that fits without it needs
# none.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed from ROCm 7.14 on, which supports gfx1103
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
