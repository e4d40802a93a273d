// SPDX-License-Identifier: MIT
// Kernels of AMD GPUs, executed on the processor in the memory of this process.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dispatch.hpp"

namespace rocmtune::emulator {

class Emulator {
  public:
    /// Executes the kernel of a packet to its end.
    /// @throws Failure: a fault in memory, an instruction that is not emulated, ...
    void execute(std::string const& target, Packet const& packet, Options options);
    /// What was decoded is forgotten: code was unmapped or replaced.
    void forget();

  private:
    std::map<std::string, Program> programs_;  ///< by target
    std::vector<Slot> slots_;
};

}  // namespace rocmtune::emulator
