# host 1be5e617a556c42a: 1 x AMD Radeon RX 7900 XTX (gfx1100)
# level balanced, workload llm-training, framework auto
# Use: eval "$(rocmtune env --format bash)" - or source this file. Undo: rocmtune_deactivate
if command -v rocmtune_deactivate > /dev/null 2>&1; then rocmtune_deactivate; fi
_rocmtune_save() {
    local _rocmtune_flags
    _rocmtune_flags=$(declare -p "$1" 2> /dev/null) || _rocmtune_flags='declare -- '
    _rocmtune_flags=${_rocmtune_flags#declare }
    case ${_rocmtune_flags%%[ =]*} in --) _rocmtune_flags='' ;; -x) _rocmtune_flags=x ;; *) return 1 ;; esac
    if [ -z "${!1+x}" ]; then
        printf -v "_rocmtune_was_$1" %s "unset$_rocmtune_flags"
    else
        printf -v "_rocmtune_old_$1" %s "${!1}"
        printf -v "_rocmtune_was_$1" %s "set$_rocmtune_flags"
    fi
}
_rocmtune_undo() {
    local _rocmtune_was="_rocmtune_was_$1" _rocmtune_old="_rocmtune_old_$1"
    _rocmtune_was=${!_rocmtune_was-} _rocmtune_old=${!_rocmtune_old-}
    unset "_rocmtune_was_$1" "_rocmtune_old_$1"
    if [ -z "$_rocmtune_was" ] || [ "${!1+x${!1}}" != "${2+x$2}" ]; then return 0; fi
    unset "$1"
    case $_rocmtune_was in set*) printf -v "$1" %s "$_rocmtune_old" ;; esac
    case $_rocmtune_was in *x) export "${1?}" ;; esac
}

# XLA_PYTHON_CLIENT_PREALLOCATE: A display hangs on one of the GPUs; JAX would otherwise take three
# quarters of its memory at the start.
# Source: JAX: GPU memory allocation, docs/gpu_memory_allocation.rst, 9f5ee019 (2025-12-11),
# https://github.com/ROCm/jax (known since jax 0.1.49, checked up to 2026-08).
if [ -z "${XLA_PYTHON_CLIENT_PREALLOCATE+x}" ] && _rocmtune_save XLA_PYTHON_CLIENT_PREALLOCATE; then export XLA_PYTHON_CLIENT_PREALLOCATE='false'; fi

rocmtune_deactivate() {
    _rocmtune_undo XLA_PYTHON_CLIENT_PREALLOCATE 'false'
    unset _rocmtune_was _rocmtune_old _rocmtune_now
    unset -f _rocmtune_save _rocmtune_undo
    unset -f rocmtune_deactivate
}

# Beside variables: BLAS library: leave PyTorch its choice;
# torch.backends.cuda.preferred_blas_library() tells it (Which of hipBLAS and hipBLASLt is the
# default depends on the wheel and the GPU; no source supports a fixed answer for all.)
# Beside variables: mixed precision: bf16 or fp16 (The matrix units (WMMA) run both at twice the
# rate of fp32; there are none for fp32 and fp8.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx1100 is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
