# host f8c5fec018562145: 1 x AMD Radeon RX 7900 XT (gfx1100)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: mixed precision: bf16 or fp16 (The matrix units (WMMA) run both at twice the
# rate of fp32; there are none for fp32 and fp8.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx1100 is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
