# host df0e63f03294ab5e: 1 x AMD Radeon Graphics (gfx90c)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: mixed precision: fp16 where the model allows it (There are no matrix units; two
# fp16 operations fit in one fp32 lane.)
# Considered: HSA_OVERRIDE_GFX_VERSION: never set unasked; for gfx90c see rocmtune explain gfx90c
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
