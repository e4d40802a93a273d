# host 0ed07e128164f532: 1 x AMD Radeon VII (gfx906), 1 x AMD Radeon RX 6800 XT (gfx1030), 1 x AMD
# Radeon RX 7600 (gfx1102)
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

# NCCL_DEBUG: RCCL then says when a setting of the host or its topology is in the way; without it
# such warnings stay silent, and INFO would flood the log.
# Source: AMD: environment variables of RCCL, projects/rccl/docs/api-reference/env-variables.rst,
# 0010065e, https://github.com/ROCm/rocm-systems (known for rocm, checked up to 10.2).
if [ -z "${NCCL_DEBUG+x}" ] && _rocmtune_save NCCL_DEBUG; then export NCCL_DEBUG='WARN'; fi

rocmtune_deactivate() {
    _rocmtune_undo NCCL_DEBUG 'WARN'
    unset _rocmtune_was _rocmtune_old _rocmtune_now
    unset -f _rocmtune_save _rocmtune_undo
    unset -f rocmtune_deactivate
}

# Beside variables: iommu: pt (Several cards behind a translating IOMMU cannot read each other's
# memory directly, or only slowly; AMD asks for the kernel argument iommu=pt, and RCCL warns without
# it.)
# Beside variables, for 0000:04:00.0: mixed precision: fp16 where the model allows it (There are no
# matrix units; two fp16 operations fit in one fp32 lane.)
# Beside variables, for 0000:44:00.0: mixed precision: fp16 where the model allows it (There are no
# matrix units; fp16 runs at twice the rate of fp32, bf16 has no instructions of its own.)
# Beside variables, for 0000:c4:00.0: mixed precision: bf16 or fp16 (The matrix units (WMMA) run
# both at twice the rate of fp32; there are none for fp32 and fp8.)
