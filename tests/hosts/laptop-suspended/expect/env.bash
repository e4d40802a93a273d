# host 7fd5b7954539a84f: 1 x AMD Radeon RX 7600M XT (gfx1102), 1 x AMD Radeon 780M Graphics
# (gfx1103)
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

# ROCR_VISIBLE_DEVICES: The processor's own graphics stand beside a graphics card. AMD's
# installation guide does not count them as supported, and programs that take every GPU would spread
# work over both.
# Source: AMD: installing ROCm with amdgpu-install, warning about integrated graphics, 6.2.0; the
# same in 5.7 and 6.0,
# https://rocm.docs.amd.com/projects/install-on-linux/en/docs-6.2.0/install/amdgpu-install.html;
# AMD: isolating GPUs, 7.14.0,
# https://rocm.docs.amd.com/en/docs-7.14.0/_sources/reference/system-optimization/gpu-isolation.md
# (known for rocm, checked up to 10.2).
# Not together with HIP_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES.
if [ -z "${HIP_VISIBLE_DEVICES+x}" ] && [ -z "${CUDA_VISIBLE_DEVICES+x}" ] && [ -z "${ROCR_VISIBLE_DEVICES+x}" ] && _rocmtune_save ROCR_VISIBLE_DEVICES; then export ROCR_VISIBLE_DEVICES='GPU-d1224acfe99059a8'; fi

rocmtune_deactivate() {
    _rocmtune_undo ROCR_VISIBLE_DEVICES 'GPU-d1224acfe99059a8'
    unset _rocmtune_was _rocmtune_old _rocmtune_now
    unset -f _rocmtune_save _rocmtune_undo
    unset -f rocmtune_deactivate
}

# Beside variables: mixed precision: bf16 or fp16 (The matrix units (WMMA) run both at twice the
# rate of fp32; there are none for fp32 and fp8.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed from ROCm 7.14 on, which supports gfx1102; not
# needed from ROCm 7.14 on, which supports gfx1103
# Considered: XLA_PYTHON_CLIENT_PREALLOCATE: for jax, which is not here
