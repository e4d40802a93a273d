// SPDX-License-Identifier: MIT
// How waves take turns.
#include <algorithm>
#include <limits>

#include "banks.hpp"
#include "dispatch.hpp"

namespace rocmtune::emulator {
namespace {

/// More than any kernel of ours needs: seconds of a GPU, an hour here.
constexpr u64 most_instructions = 4'000'000'000;

struct Policy {
    unsigned workgroups;  ///< side by side
    u64 instructions;     ///< of a wave in one turn
};

Policy policy_of(Schedule schedule) {
    constexpr auto all = std::numeric_limits<u64>::max();
    switch (schedule) {
        case Schedule::lockstep: return {4, 1};
        case Schedule::random: return {4, 40};
        default: return {1, all};
    }
}

/// Both halves of a pair read before either writes.
void execute_pair(Wave& wave, Instruction const& it) {
    auto& first = vector_register(wave, it.operands.at(0));
    auto const before = first;
    it.execute(wave, it);
    auto const result = first;
    first = before;
    it.second->execute(wave, *it.second);
    first = result;
}

}  // namespace

void step(Wave& wave) {
    auto const& it = *wave.next;
    if (it.following == nullptr && it.name != "s_endpgm")
        it.following = &wave.machine->program->at(it.address + it.bytes);
    wave.next = it.following;
    if (auto* const clocks = wave.machine->options.lds_clocks) clocks->add(wave, it);
    try {
        if (it.second) execute_pair(wave, it);
        else it.execute(wave, it);
    } catch (Failure const& failure) {
        throw Failure(it.text + ": " + failure.what());
    }
}

void Dispatch::run_wave(Wave& wave, u64 most) {
    for (; most > 0 && !wave.finished && !wave.waiting; --most) {
        step(wave);
        if (++executed_ > most_instructions) throw Failure("the kernel does not come to an end");
    }
}

/// When all that still run wait, they go on. @return whether any still runs
bool Dispatch::release_barrier(Slot& slot) {
    auto const first = slot.waves.begin();
    auto const last = first + slot.used;
    if (std::all_of(first, last, [](auto const& wave) { return wave->finished; })) return false;
    if (std::all_of(first, last, [](auto const& it) { return it->finished || it->waiting; }))
        std::for_each(first, last, [](auto const& wave) { wave->waiting = false; });
    return true;
}

void Dispatch::take_turn(Slot& slot) {
    auto const schedule = machine_.options.schedule;
    auto const most = policy_of(schedule).instructions;
    for (unsigned i = 0; i < slot.used; ++i) {
        if (schedule == Schedule::random)
            run_wave(*slot.waves[random_() % slot.used], 1 + random_() % most);
        else run_wave(*slot.waves[schedule == Schedule::reverse ? slot.used - 1 - i : i], most);
    }
}

void Dispatch::run() {
    auto const dies = u64{machine_.options.dies};
    auto const die = machine_.options.die;
    auto const all = (u64{groups_[0]} * groups_[1] * groups_[2] + dies - 1 - die) / dies;
    auto const side_by_side = policy_of(machine_.options.schedule).workgroups;
    bool const reverse = machine_.options.schedule == Schedule::reverse;
    slots_.resize(std::max<std::size_t>(slots_.size(), side_by_side));
    u64 started = 0;
    std::array<bool, 4> busy{};
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < side_by_side; ++i) {
            if (!busy[i] && started < all) {
                start(slots_[i], die + dies * (reverse ? all - 1 - started : started));
                ++started;
                busy[i] = true;
            }
            if (busy[i]) {
                take_turn(slots_[i]);
                busy[i] = release_barrier(slots_[i]);
            }
            more = more || busy[i] || started < all;
        }
    }
}

}  // namespace rocmtune::emulator
