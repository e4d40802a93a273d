// SPDX-License-Identifier: MIT
// One dispatch: its packet, the state in which waves begin, and their turns.
#pragma once

#include <memory>
#include <random>

#include "program.hpp"
#include "wave.hpp"

namespace rocmtune::emulator {

/// hsa.h: hsa_kernel_dispatch_packet_t
struct Packet {
    u16 header = 0;
    u16 setup = 0;
    std::array<u16, 3> workgroup_size{};
    u16 reserved0 = 0;
    std::array<u32, 3> grid_size{};  ///< in work-items
    u32 private_segment_size = 0;
    u32 group_segment_size = 0;
    u64 kernel_object = 0;
    u64 kernarg_address = 0;
    u64 reserved2 = 0;
    u64 completion_signal = 0;
};
static_assert(sizeof(Packet) == 64);

/// The fields of a kernel descriptor that matter here. Source: "User Guide for AMDGPU Backend" of
/// LLVM, "Code Object V3 Kernel Descriptor".
struct Descriptor {
    u64 entry;  ///< address of the first instruction
    u32 rsrc1, rsrc2;
    u16 properties;
    u16 preload;

    bool has(unsigned property) const { return (properties >> property & 1) != 0; }
    unsigned lanes() const { return has(10) ? 32 : 64; }
    /// An upper bound: the granule is 4 or 8 by target.
    unsigned vector_registers() const { return ((rsrc1 & 63) + 1) * 8; }
    unsigned user_registers() const { return rsrc2 >> 1 & 31; }
    bool wants_group_id(unsigned axis) const { return (rsrc2 >> (7 + axis) & 1) != 0; }
    bool wants_group_info() const { return (rsrc2 >> 10 & 1) != 0; }
    bool wants_private_offset() const { return (rsrc2 & 1) != 0; }
    unsigned work_item_axes() const { return (rsrc2 >> 11 & 3) + 1; }
};

/// Workgroups that are under way. They stay here, so that nothing is lost where a fault leaves an
/// instruction half done.
struct Slot {
    Workgroup group;
    std::vector<std::unique_ptr<Wave>> waves;
    unsigned used = 0;  ///< of the waves
};

/// Executes the next instruction of a wave. @throws Failure that begins with the instruction
void step(Wave& wave);

/// Has no destructor that does anything, for the same reason.
class Dispatch {
  public:
    /// @throws Failure for what is not emulated. `slots` may be those of an earlier dispatch.
    Dispatch(Machine& machine, Packet const& packet, std::vector<Slot>& slots);
    /// Executes all workgroups. @throws Failure
    void run();

  private:
    void start(Slot& slot, u64 number);
    void start_wave(Slot& slot, unsigned number);
    void set_lanes(Wave& wave, unsigned number) const;
    void set_scalars(Wave& wave);
    void push_word(u32 word) { user_data_.at(user_words_++) = word; }
    void push(u64 pair);
    void set_user_data();
    void take_turn(Slot& slot);
    void run_wave(Wave& wave, u64 most);
    static bool release_barrier(Slot& slot);

    Machine& machine_;
    Packet packet_;
    Descriptor descriptor_;
    std::vector<Slot>& slots_;
    std::array<u32, 3> size_;  ///< of a workgroup
    std::array<u32, 3> groups_;
    std::array<u32, 32> user_data_{};
    unsigned user_words_ = 0;
    std::mt19937 random_;
    u64 executed_ = 0;
};

}  // namespace rocmtune::emulator
