// SPDX-License-Identifier: MIT
// Branches, barriers, and what means nothing where there is no time. Source: AMD's instruction set
// references, SOPP, SOP1, SOPK.
#include "operations.hpp"
#include "program.hpp"

namespace rocmtune::emulator {
namespace {

void jump_to_target(Wave& wave, Instruction const& it) {
    if (it.jump == nullptr) it.jump = &wave.machine->program->at(it.target);
    wave.next = it.jump;
}

template <class F>
constexpr Execute branch(F) {
    return [](Wave& wave, Instruction const& it) {
        if (F{}(wave)) jump_to_target(wave, it);
    };
}

u64 address_behind(Instruction const& it) {
    return it.address + it.bytes;
}

void get_pc(Wave& wave, Instruction const& it) {
    set_scalar(wave, it.operands.at(0), address_behind(it));
}
void set_pc(Wave& wave, Instruction const& it) {
    wave.next = &wave.machine->program->at(scalar_value<u64>(wave, it.operands.at(0)));
}
void swap_pc(Wave& wave, Instruction const& it) {
    auto const to = scalar_value<u64>(wave, it.operands.at(1));
    set_scalar(wave, it.operands[0], address_behind(it));
    wave.next = &wave.machine->program->at(to);
}

void end(Wave& wave, Instruction const&) {
    wave.finished = true;
}
void wait_for_others(Wave& wave, Instruction const&) {
    wave.waiting = wave.machine->options.fault != Fault::ignored_barriers;
}

/// Compilers for gfx9 ask so for the apertures: the upper halves of both addresses, without their
/// last 16 bits.
void get_register(Wave& wave, Instruction const& it) {
    auto const bases = (shared_aperture & 0xFFFF0000) | private_aperture >> 16;
    if (it.text.find("HW_REG_SH_MEM_BASES, 16, 16") != it.text.npos)
        set_scalar(wave, it.operands[0], bases >> 16);
    else if (it.text.find("HW_REG_SH_MEM_BASES, 0, 16") != it.text.npos)
        set_scalar(wave, it.operands[0], bases & 0xFFFF);
    else throw Failure("this hardware register is not emulated");
}

constexpr Operation operations[] = {
    {"s_endpgm", end},
    {"s_barrier", wait_for_others},
    {"s_barrier_wait", wait_for_others},
    {"s_branch", branch([](Wave&) { return true; })},
    {"s_cbranch_scc0", branch([](Wave& wave) { return !wave.scc; })},
    {"s_cbranch_scc1", branch([](Wave& wave) { return wave.scc; })},
    {"s_cbranch_vccz", branch([](Wave& wave) { return wave.mask(vcc) == 0; })},
    {"s_cbranch_vccnz", branch([](Wave& wave) { return wave.mask(vcc) != 0; })},
    {"s_cbranch_execz", branch([](Wave& wave) { return wave.active() == 0; })},
    {"s_cbranch_execnz", branch([](Wave& wave) { return wave.active() != 0; })},
    {"s_getpc_b64", get_pc},
    {"s_setpc_b64", set_pc},
    {"s_swappc_b64", swap_pc},
    {"s_getreg_b32", get_register},

    {"s_barrier_signal", nullptr},
    {"s_clause", nullptr},
    {"s_code_end", nullptr},
    {"s_delay_alu", nullptr},
    {"s_denorm_mode", nullptr},
    {"s_inst_prefetch", nullptr},
    {"s_nop", nullptr},
    {"s_round_mode", nullptr},
    {"s_sendmsg", nullptr},
    {"s_set_inst_prefetch_distance", nullptr},
    // Modes of rounding, and the base of private memory, which is 0 here.
    {"s_setreg_b32", nullptr},
    {"s_setreg_imm32_b32", nullptr},
    {"s_setprio", nullptr},
    {"s_sleep", nullptr},
    {"s_wait_alu", nullptr},
    {"s_wait_bvhcnt", nullptr},
    {"s_wait_dscnt", nullptr},
    {"s_wait_expcnt", nullptr},
    {"s_wait_kmcnt", nullptr},
    {"s_wait_loadcnt", nullptr},
    {"s_wait_loadcnt_dscnt", nullptr},
    {"s_wait_samplecnt", nullptr},
    {"s_wait_storecnt", nullptr},
    {"s_wait_storecnt_dscnt", nullptr},
    {"s_waitcnt", nullptr},
    {"s_waitcnt_depctr", nullptr},
    {"s_waitcnt_lgkmcnt", nullptr},
    {"s_waitcnt_vmcnt", nullptr},
    {"s_waitcnt_vscnt", nullptr},
    {"v_nop", nullptr},
    {"buffer_gl0_inv", nullptr},
    {"buffer_gl1_inv", nullptr},
    {"buffer_inv", nullptr},
    {"buffer_invl2", nullptr},
    {"buffer_wbinvl1", nullptr},
    {"buffer_wbinvl1_vol", nullptr},
    {"buffer_wbl2", nullptr},
    {"global_inv", nullptr},
    {"global_wb", nullptr},
    {"global_wbinv", nullptr},
    {"s_dcache_inv", nullptr},
    {"s_dcache_wb", nullptr},
    {"s_icache_inv", nullptr},
};

}  // namespace

std::span<Operation const> control_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
