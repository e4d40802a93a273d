// SPDX-License-Identifier: MIT
// How long LDS works for loads and stores. It has 32 banks of 4 bytes, each of which gives or takes
// one word a clock; lanes that read the same word share it. An instruction is served in groups of
// lanes: 32 for 4 bytes a lane, 16 for 8, 8 for 16. Those of a load of 16 bytes are not neighbours
// on GCN and CDNA. Sources: "Avoiding LDS Bank Conflicts on AMD GPUs Using CK-Tile Framework"
// (rocm.blogs.amd.com), "Understanding AMD GPU LDS and Bank Conflicts" (Composable Kernel), "AMD
// APP OpenCL Optimization Guide", section 2.2 (8 bytes: a quarter of a wavefront). Nothing is
// published on the groups of wave32: they are taken to be neighbours.
#pragma once

#include <map>
#include <string>

#include "wave.hpp"

namespace rocmtune::emulator {

class LdsClocks {
  public:
    struct Count {
        u64 taken = 0;
        u64 least = 0;  ///< if no bank had been met twice
    };

    /// Counts an instruction that is about to be executed; others than loads and stores of LDS
    /// count nothing.
    void add(Wave const& wave, Instruction const& it);

    Count total() const;
    /// The instruction that loses the most, or nothing.
    std::string worst() const;

  private:
    std::map<std::string, Count> counts_;  ///< by text
};

}  // namespace rocmtune::emulator
