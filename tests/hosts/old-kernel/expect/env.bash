# host dc2cb2e0211c9e9e: 2 x AMD Radeon Instinct MI25 (gfx900), 1 x AMD Instinct MI60 / MI50
# (gfx906)
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

# HSA_FORCE_FINE_GRAIN_PCIE: RCCL of this age needs fine-grained memory to move data between GPUs
# over PCI Express.
# Source: RCCL: read-me, README.md, 0cbce2a7 (2024-10-24), https://github.com/ROCm/rccl (known until
# rocm 5.7).
if [ -z "${HSA_FORCE_FINE_GRAIN_PCIE+x}" ] && _rocmtune_save HSA_FORCE_FINE_GRAIN_PCIE; then export HSA_FORCE_FINE_GRAIN_PCIE='1'; fi

rocmtune_deactivate() {
    _rocmtune_undo HSA_FORCE_FINE_GRAIN_PCIE '1'
    unset _rocmtune_was _rocmtune_old _rocmtune_now
    unset -f _rocmtune_save _rocmtune_undo
    unset -f rocmtune_deactivate
}

# Beside variables: iommu: pt (Several cards behind a translating IOMMU cannot read each other's
# memory directly, or only slowly; AMD asks for the kernel argument iommu=pt, and RCCL warns without
# it.)
# Beside variables: mixed precision: fp16 where the model allows it (There are no matrix units; two
# fp16 operations fit in one fp32 lane.)
# Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx900 is supported; not needed, gfx906 is
# supported
# Considered: OMP_NUM_THREADS: for pytorch, which is not here
# Considered: ROCR_VISIBLE_DEVICES: not for the GPUs of this host
