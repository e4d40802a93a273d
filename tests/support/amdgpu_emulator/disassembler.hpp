// SPDX-License-Identifier: MIT
// LLVM's disassembler through its C interface, which stays the same between versions.
#pragma once

#include <array>
#include <span>
#include <string>

#include "number_formats.hpp"

namespace rocmtune::emulator {

/// The longest instruction: two words, then a literal, in pairs on gfx11.
constexpr std::size_t most_code_bytes = 20;

class Disassembler {
  public:
    /// @throws Failure without a libLLVM that can do it (Debian: libllvm19)
    explicit Disassembler(std::string const& target);
    ~Disassembler();
    Disassembler(Disassembler const&) = delete;
    Disassembler& operator=(Disassembler const&) = delete;

    struct Line {
        std::string text;
        unsigned bytes;
    };
    /// @throws Failure for what is no instruction
    Line read(std::span<u8> code, u64 address) const;

  private:
    void* context_;
};

}  // namespace rocmtune::emulator
