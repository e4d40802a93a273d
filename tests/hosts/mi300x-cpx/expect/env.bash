# host 8f8aa19c1b901409: 16 x AMD Instinct MI300X (gfx942)
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

# HSA_NO_SCRATCH_RECLAIM: RCCL demands it on this chip for this firmware or HIP runtime; without it,
# it warns, and aborts are on record.
# Source: RCCL: check of the scratch setting,
# projects/rccl/src/rccl_wrap.cc#validHsaScratchEnvSetting, https://github.com/ROCm/rocm-systems
# (known for rocm, checked up to 10.2).
if [ -z "${HSA_NO_SCRATCH_RECLAIM+x}" ] && _rocmtune_save HSA_NO_SCRATCH_RECLAIM; then export HSA_NO_SCRATCH_RECLAIM='1'; fi

rocmtune_deactivate() {
    _rocmtune_undo HSA_NO_SCRATCH_RECLAIM '1'
    unset _rocmtune_was _rocmtune_old _rocmtune_now
    unset -f _rocmtune_save _rocmtune_undo
    unset -f rocmtune_deactivate
}

# Beside variables: fp8 format: FNUZ (e4m3fnuz, e5m2fnuz) (The matrix units take the FNUZ formats.
# The same bits mean twice or half as much in the OCP formats, so OCP weights must be converted.)
# Beside variables: mixed precision: bf16 (The matrix units run bf16 as fast as fp16, eight times
# fp32, without loss scaling.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx942 is supported
# Considered: MIOPEN_FIND_MODE: given with --workload development
# Considered: OMP_NUM_THREADS, TORCHINDUCTOR_CPP_WRAPPER, TORCHINDUCTOR_FREEZING,
# TORCHINDUCTOR_MAX_AUTOTUNE: for pytorch, which is not here
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
# Considered: TORCH_BLAS_PREFER_HIPBLASLT: for vllm, which is not here
