// SPDX-License-Identifier: MIT
// The code of a dispatch, decoded as far as waves came.
#pragma once

#include <unordered_map>

#include "disassembler.hpp"
#include "instruction.hpp"
#include "target.hpp"

namespace rocmtune::emulator {

/// The instruction that a line of assembly means. @throws Failure for what is not emulated
std::unique_ptr<Instruction> parse_line(Target const& target, std::string const& text, u64 address);

class Program {
  public:
    explicit Program(Target target) : target_(std::move(target)), disassembler_(target_.name) {}

    Target const& target() const { return target_; }
    /// @throws Failure
    Instruction const& at(u64 address);
    void forget() { instructions_.clear(); }

  private:
    Target target_;
    Disassembler disassembler_;
    std::unordered_map<u64, std::unique_ptr<Instruction>> instructions_;
};

}  // namespace rocmtune::emulator
