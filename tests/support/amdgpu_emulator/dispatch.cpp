// SPDX-License-Identifier: MIT
// The state in which waves begin. Source: "User Guide for AMDGPU Backend" of LLVM, "Initial Kernel
// Execution State".
#include "dispatch.hpp"

#include <algorithm>

namespace rocmtune::emulator {
namespace {

Descriptor descriptor_at(u64 address) {
    Descriptor it{};
    auto const* const bytes = reinterpret_cast<u8 const*>(address);
    i64 offset = 0;
    std::memcpy(&offset, bytes + 16, sizeof offset);
    std::memcpy(&it.rsrc1, bytes + 48, sizeof it.rsrc1);
    std::memcpy(&it.rsrc2, bytes + 52, sizeof it.rsrc2);
    std::memcpy(&it.properties, bytes + 56, sizeof it.properties);
    std::memcpy(&it.preload, bytes + 58, sizeof it.preload);
    it.entry = address + static_cast<u64>(offset);
    return it;
}

// Bits of the descriptor's properties, each with the number of registers that it takes.
enum Property : unsigned {
    private_buffer,   // 4
    dispatch_packet,  // 2, as the following ones
    queue,
    kernel_arguments,
    dispatch_id,
    flat_scratch_start,
    private_size,  // 1
};

/// What is not defined should not look like something: NaN as fp32, far away as an address.
constexpr u32 undefined_word = 0x7FC0DEAD;
constexpr u8 undefined_byte = 0xCD;

/// What kernels that want their queue see of it (hsa.h: hsa_queue_t): nothing.
constexpr std::array<u64, 64> no_queue{};

}  // namespace

Dispatch::Dispatch(Machine& machine, Packet const& packet, std::vector<Slot>& slots)
    : machine_(machine),
      packet_(packet),
      descriptor_(descriptor_at(packet.kernel_object)),
      slots_(slots) {
    for (unsigned axis = 0; axis < 3; ++axis) {
        size_[axis] = std::max<u32>(packet.workgroup_size[axis], 1);
        groups_[axis] = (std::max<u32>(packet.grid_size[axis], 1) + size_[axis] - 1) / size_[axis];
    }
    if (u64{size_[0]} * size_[1] * size_[2] > 1024)
        throw Failure("a workgroup has more than 1024 work-items");
    set_user_data();
}

void Dispatch::push(u64 pair) {
    push_word(static_cast<u32>(pair));
    push_word(static_cast<u32>(pair >> 32));
}

void Dispatch::set_user_data() {
    if (descriptor_.has(private_buffer)) push(0), push(0);
    if (descriptor_.has(dispatch_packet)) push(reinterpret_cast<u64>(&packet_));
    if (descriptor_.has(queue)) push(reinterpret_cast<u64>(no_queue.data()));
    if (descriptor_.has(kernel_arguments)) push(packet_.kernarg_address);
    if (descriptor_.has(dispatch_id)) push(0);
    if (descriptor_.has(flat_scratch_start)) push(0);
    if (descriptor_.has(private_size)) push_word(packet_.private_segment_size);
    auto const* const words = reinterpret_cast<u32 const*>(packet_.kernarg_address);
    for (unsigned i = 0; i < (descriptor_.preload & 0x7FU); ++i)
        push_word(words[(descriptor_.preload >> 7) + i]);
}

void Dispatch::start(Slot& slot, u64 number) {
    auto& group = slot.group;
    group.id = {static_cast<u32>(number % groups_[0]),
                static_cast<u32>(number / groups_[0] % groups_[1]),
                static_cast<u32>(number / groups_[0] / groups_[1])};
    group.lds.assign(packet_.group_segment_size, undefined_byte);
    auto const lanes = descriptor_.lanes();
    slot.used = (size_[0] * size_[1] * size_[2] + lanes - 1) / lanes;
    while (slot.waves.size() < slot.used) slot.waves.emplace_back(new Wave);
    for (unsigned i = 0; i < slot.used; ++i) start_wave(slot, i);
}

void Dispatch::start_wave(Slot& slot, unsigned number) {
    auto& wave = *slot.waves[number];
    wave.machine = &machine_;
    wave.group = &slot.group;
    wave.lanes = descriptor_.lanes();
    wave.scc = wave.waiting = false;
    wave.private_bytes = packet_.private_segment_size;
    wave.private_memory.assign(wave.private_bytes * wave.lanes, undefined_byte);
    // Hardware that preloads arguments skips the code that loads them.
    constexpr u64 skipped = 256;
    bool const preloads = (descriptor_.preload & 0x7F) != 0;
    wave.next = &machine_.program->at(descriptor_.entry + (preloads ? skipped : 0));
    auto const used = std::min(descriptor_.vector_registers(), first_accumulator);
    for (unsigned i = 0; i < used; ++i) {
        wave.vectors[i].fill(undefined_word);
        wave.vectors[first_accumulator + i].fill(undefined_word);
    }
    set_lanes(wave, number);
    wave.finished = wave.active() == 0;
    set_scalars(wave);
}

void Dispatch::set_lanes(Wave& wave, unsigned number) const {
    u64 active = 0;
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
        auto const item = number * wave.lanes + lane;
        std::array<u32, 3> const id{item % size_[0], item / size_[0] % size_[1],
                                    item / size_[0] / size_[1]};
        bool inside = true;  // of the grid, whose last workgroups may be smaller
        for (unsigned axis = 0; axis < 3; ++axis)
            inside = inside && id[axis] < size_[axis] &&
                     wave.group->id[axis] * size_[axis] + id[axis] <
                         std::max<u32>(packet_.grid_size[axis], 1);
        active |= u64{inside} << lane;
        if (machine_.target.packs_work_item)
            wave.vectors[0][lane] = id[0] | id[1] << 10 | id[2] << 20;
        else
            for (unsigned axis = 0; axis < descriptor_.work_item_axes(); ++axis)
                wave.vectors[axis][lane] = id[axis];
    }
    wave.scalars[exec] = wave.scalars[exec + 1] = 0;
    wave.set_mask(exec, active);
}

void Dispatch::set_scalars(Wave& wave) {
    for (unsigned i = 0; i < exec; ++i) wave.scalars[i] = undefined_word;
    std::copy_n(user_data_.begin(), user_words_, wave.scalars.begin());
    auto next = std::max(user_words_, descriptor_.user_registers());
    auto const& id = wave.group->id;
    for (unsigned axis = 0; axis < 3; ++axis)
        if (!machine_.target.puts_group_into_ttmp() && descriptor_.wants_group_id(axis))
            wave.scalars[next++] = id[axis];
    if (descriptor_.wants_group_info()) wave.scalars[next++] = 0;
    if (descriptor_.wants_private_offset()) wave.scalars[next++] = 0;
    wave.scalars[ttmp0 + 9] = id[0];
    wave.scalars[ttmp0 + 7] = (id[1] & 0xFFFF) | id[2] << 16;
    wave.scalars[m0] = packet_.group_segment_size;
}

}  // namespace rocmtune::emulator
