# host 374d37d46566abb1: 8 x AMD Instinct MI250X (gfx90a)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: mixed precision: bf16 (The matrix units run bf16 as fast as fp16, four times
# fp32, without loss scaling.)
# Considered: HIP_FORCE_DEV_KERNARG: given with --workload inference
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx90a is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: OMP_NUM_THREADS: for pytorch, which is not here
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
