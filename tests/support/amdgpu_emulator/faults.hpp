// SPDX-License-Identifier: MIT
// How waves take turns, and what is done wrongly on purpose: a test that then still passes tests
// nothing.
#pragma once

#include <string_view>

namespace rocmtune::emulator {

enum class Schedule {
    in_order,  ///< one workgroup after the other, each wave as far as it comes
    reverse,   ///< the same from the last to the first
    lockstep,  ///< four workgroups side by side, an instruction of each wave in turn
    random,    ///< four workgroups side by side, some instructions of a random wave
};

enum class Fault {
    none,
    transposed_layout,  ///< results of matrix instructions have rows and columns exchanged
    lost_atomics,       ///< every 4096th atomic operation does nothing
    ignored_barriers,   ///< no wave waits for another
};

class LdsClocks;

struct Options {
    Schedule schedule = Schedule::in_order;
    Fault fault = Fault::none;
    unsigned dies = 1;                ///< to which workgroups are dealt in turn
    unsigned die = 0;                 ///< with several dies, the one that is executed
    LdsClocks* lds_clocks = nullptr;  ///< counts them, where somebody wants to know
};

/// @throws Failure that names the words there are
Schedule schedule_named(std::string_view word);
Fault fault_named(std::string_view word);

/// What AMDGPU_EMULATOR_SCHEDULE and AMDGPU_EMULATOR_FAULT say; unset and empty: the default.
/// @throws Failure for a word that is none
Options options_of_environment();

}  // namespace rocmtune::emulator
