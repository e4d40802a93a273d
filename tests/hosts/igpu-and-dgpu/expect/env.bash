# host 9b1beb834a522b9f: 1 x AMD Radeon RX 7900 XTX (gfx1100), 1 x AMD Radeon Graphics / 610M
# (gfx1036)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# No variable is set: some could not be decided, as the last lines say.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: BLAS library: leave PyTorch its choice;
# torch.backends.cuda.preferred_blas_library() tells it (Which of hipBLAS and hipBLASLt is the
# default depends on the wheel and the GPU; no source supports a fixed answer for all.)
# Beside variables, for 0000:03:00.0: mixed precision: bf16 or fp16 (The matrix units (WMMA) run
# both at twice the rate of fp32; there are none for fp32 and fp8.)
# Beside variables, for 0000:15:00.0: mixed precision: fp16 where the model allows it (There are no
# matrix units; fp16 runs at twice the rate of fp32, bf16 has no instructions of its own.)
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
# Not decided: ROCR_VISIBLE_DEVICES: HIP_VISIBLE_DEVICES is set already
# Not decided: integrated graphics: rocm 6.4.1-83 is newer than 6.2, the newest whose text was read
