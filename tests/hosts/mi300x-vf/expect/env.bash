# host a47ff3b4d880c026: 1 x AMD Instinct MI300X VF (gfx942)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: fp8 format: FNUZ (e4m3fnuz, e5m2fnuz) (The matrix units take the FNUZ formats.
# The same bits mean twice or half as much in the OCP formats, so OCP weights must be converted.)
# Beside variables: mixed precision: bf16 (The matrix units run bf16 as fast as fp16, eight times
# fp32, without loss scaling.)
# Considered: HSA_NO_SCRATCH_RECLAIM, ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx942 is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: TORCHINDUCTOR_CPP_WRAPPER, TORCHINDUCTOR_FREEZING, TORCHINDUCTOR_MAX_AUTOTUNE: for
# pytorch, which is not here
# Considered: TORCH_BLAS_PREFER_HIPBLASLT: for vllm, which is not here
