# host c9f0f64b6e5227b0: 1 x AMD Radeon RX 9070 XT (gfx1201)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: fp8 format: OCP (e4m3fn, e5m2) (The matrix units take the OCP formats. The same
# bits mean twice or half as much in the FNUZ formats of gfx942, so weights must not be mixed.)
# Beside variables: mixed precision: bf16 or fp16 (The matrix units (WMMA) run both at four times
# the rate of fp32; fp8 doubles that again.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx1201 is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
