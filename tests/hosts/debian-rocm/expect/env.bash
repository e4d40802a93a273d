# host 00721f5ee5979d82: 1 x AMD Radeon RX 6800 XT (gfx1030)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: mixed precision: fp16 where the model allows it (There are no matrix units; fp16
# runs at twice the rate of fp32, bf16 has no instructions of its own.)
# Considered: HSA_FORCE_FINE_GRAIN_PCIE, ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx1030 is supported
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
