# host 4ca966bcc6c8a91a: 8 x AMD Instinct MI210 (gfx90a)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
# The evidence supports no variable here: the defaults stand.
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi

rocmtune_deactivate() {
    unset -f rocmtune_deactivate
}

# Beside variables: NCCL_IB_HCA: for a job on several hosts list the network adapters beside the
# GPUs, and set NCCL_IB_GID_INDEX to what show_gids prints for RoCE v2 (AMD's validation of MI300X
# clusters does so. NCCL_IB_DISABLE=1 would force TCP instead.)
# Beside variables: NCCL_SOCKET_IFNAME: for a job on several hosts name the routed interface
# exactly, =INTERFACE, alike on all ranks; on one host leave it unset (RCCL's own choice is right on
# one host; across hosts AMD pins the interface. lo cannot reach another host, and ^lo lets virtual
# bridges in.)
# Beside variables: mixed precision: bf16 (The matrix units run bf16 as fast as fp16, four times
# fp32, without loss scaling.)
# Considered: HIP_FORCE_DEV_KERNARG: given with --workload inference
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx90a is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: OMP_NUM_THREADS: for pytorch, which is not here
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
