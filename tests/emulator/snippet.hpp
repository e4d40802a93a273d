// SPDX-License-Identifier: MIT
// A few lines of assembly, executed by one wave whose registers a test sets and reads.
#pragma once

#include <memory>
#include <string>

#include "program.hpp"
#include "wave.hpp"

namespace rocmtune::test {

/// Machine code of lines of assembly. @throws std::runtime_error with what the assembler says
std::string assembled(std::string const& target, std::string const& text);

class Snippet {
  public:
    /// All registers begin with 0, all lanes are active. Each `s_endpgm` ends a part.
    Snippet(std::string const& target, std::string const& text, unsigned lanes = 64,
            emulator::Options options = {});

    /// Executes up to the next end of a part. @throws emulator::Failure
    void run();

    emulator::u32& v(unsigned number, unsigned lane = 0) { return wave->vectors[number][lane]; }
    emulator::u32& s(unsigned number) { return wave->scalars[number]; }
    void set_v(unsigned number, emulator::u64 pair);
    emulator::u64 v_pair(unsigned number, unsigned lane = 0);

    std::unique_ptr<emulator::Wave> wave = std::make_unique<emulator::Wave>();
    emulator::Workgroup group;

  private:
    std::string code_;
    emulator::Program program_;
    emulator::Machine machine_;
};

}  // namespace rocmtune::test
