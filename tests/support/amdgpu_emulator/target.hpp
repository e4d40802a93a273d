// SPDX-License-Identifier: MIT
// In what the targets differ, as far as it matters here.
// Source: "User Guide for AMDGPU Backend" of LLVM, sections "Initial Kernel Execution State" and
// "Kernel Descriptor".
#pragma once

#include <string>
#include <string_view>

#include "number_formats.hpp"

namespace rocmtune::emulator {

struct Target {
    std::string name;  ///< gfx90a
    unsigned generation = 9;
    /// The work-item's three numbers lie in v0, ten bits each; else in v0, v1, v2.
    bool packs_work_item = false;
    /// Atomic instructions that give a result have sc0; else glc (or th:TH_ATOMIC_RETURN).
    bool returns_with_sc0 = false;
    bool fnuz = false;  ///< fp8 is FNUZ

    bool puts_group_into_ttmp() const { return generation == 12; }
    /// What a 16-bit instruction does not write of its register is kept; else it becomes 0.
    bool keeps_high_half() const { return generation >= 10; }
};

/// @param name  "gfx90a:sramecc+:xnack-"; what follows the first colon changes nothing here.
/// @throws Failure for one that the emulator does not know
Target target_named(std::string_view name);

}  // namespace rocmtune::emulator
