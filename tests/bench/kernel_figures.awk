# SPDX-License-Identifier: MIT
# One line for each kernel of an assembly by clang: what it takes of a compute unit. -v target=gfx90a -v form=NAME
# Rules: LLVM 19, AMDGPUBaseInfo.cpp (getVGPRAllocGranule, getTotalNumVGPRs, getTotalNumSGPRs, getMaxWavesPerEU).
# LDS: 64 KiB for a CU; from gfx10 128 KiB for a workgroup processor, whose four SIMDs share a workgroup
# (RDNA instruction set references, "Local Data Share").
function round_up(n, granule) { return int((n + granule - 1) / granule) * granule }
function least(a, b) { return a < b ? a : b }

BEGIN {
    most_waves = 10; registers = 256; granule = 4; lds = 65536; scalars = 800 # gfx906, gfx908
    if (target ~ /^gfx9(0a|4)/) { most_waves = 8; registers = 512; granule = 8 }
    if (target ~ /^gfx1/) { most_waves = 16; lds = 131072; scalars = 0 }
    if (target ~ /^gfx10/) { registers = 1024; granule = 16 }
    if (target ~ /^gfx1[12]/) { registers = 1536; granule = 24 }
}

# Moves between the two kinds of vector registers in loops. The comment of a block says whether it is in one.
/^(\.LBB[0-9_]+:|; %bb\.)/ { inside = /Loop/ }
inside && /v_accvgpr_(read|write|mov)/ { ++moving }
/^; NumVgprs:/ {
    vectors[++functions] = $3
    moves[functions] = moving
    moving = 0
}

# Metadata of the code object, a kernel at a time and in alphabetical order of keys.
/^ +(- )?\.agpr_count:/ { accumulators = $NF }
/^ +(- )?\.group_segment_fixed_size:/ { shared = $NF }
/^ +\.max_flat_workgroup_size:/ { block = $NF }
/^ +\.name:/ && $NF ~ /^rt_/ { name = $NF }
/^ +\.private_segment_fixed_size:/ { private = $NF }
/^ +\.sgpr_count:/ { scalar = $NF }
/^ +\.sgpr_spill_count:/ { spills = $NF }
/^ +\.vgpr_count:/ { taken = $NF } # of both kinds, as the hardware gives them out
/^ +\.vgpr_spill_count:/ { spills += $NF }
/^ +\.wavefront_size:/ {
    ++kernel
    waves = least(most_waves, int(registers / round_up(taken > 0 ? taken : 1, granule)))
    if (scalars) waves = least(waves, int(scalars / round_up(scalar, 16)))
    in_block = int((block + $NF - 1) / $NF)
    blocks = int(4 * waves / in_block)
    if (shared > 0) blocks = least(blocks, int(lds / shared))
    printf "%-7s %-19s %-14s %6d %5d %5d %5d %6d %7d %5d %5d\n", target, form, name, shared, vectors[kernel],
        accumulators, scalar, spills, private, moves[kernel], blocks * in_block / 4
    accumulators = 0
}
